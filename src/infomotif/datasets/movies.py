"""IMDB as a typed graph: movies, their directors and their actors, from the table "IMDB 5000 movies"."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.tables.bytes import open_bytes

CLASSES = ("Action", "Comedy", "Drama")
TYPES = ("movie", "director", "actor")
_PEOPLE = (("director", ("director_name",)), ("actor", ("actor_1_name", "actor_2_name", "actor_3_name")))
_COLUMNS = ("movie_title", "genres", "plot_keywords", "movie_imdb_link", "title_year", *_PEOPLE[0][1], *_PEOPLE[1][1])
_LINK = re.compile(r"/title/(tt[0-9]+)/")


def read_imdb(table: Path, *, name: str = "imdb") -> Graph:
    """Read movies, directors and actors; an edge joins a movie with a person.

    Rows with the same address in the movie database are one movie: their people and keywords are joined and counted in
    the notes. The class of a movie is the first of Action, Comedy and Drama among its genres; other movies and all
    people have none. The attributes of a movie are its plot keywords, 0 or 1; people have none.

    Raises:
        InputError: If a column is missing or a row names no movie.
    """
    movies: dict[str, int] = {}
    titles: list[tuple[str, str]] = []
    genres: list[str] = []
    keywords: list[set[str]] = []
    people: dict[tuple[str, str], int] = {}
    pairs: set[tuple[int, tuple[str, str]]] = set()
    rows = 0
    for line, row in _rows(table):
        found = _LINK.search(row["movie_imdb_link"])
        title = row["movie_title"].strip()
        if found is None or not title:
            raise InputError(f"{table} line {line}: the movie has no title or no address; fetch the file again")
        rows += 1
        movie = movies.setdefault(found[1], len(movies))
        if movie == len(titles):
            titles.append((title, row["title_year"].strip()))
            genres.append(row["genres"])
            keywords.append(set())
        keywords[movie] |= {word for word in row["plot_keywords"].split("|") if word}
        for kind, columns in _PEOPLE:
            for person in filter(None, (row[column].strip() for column in columns)):
                people.setdefault((kind, person), len(people))
                pairs.add((movie, (kind, person)))
    if not movies:
        raise InputError(f"{table} holds no movies; fetch the file again")
    order = sorted(people, key=lambda person: (TYPES.index(person[0]), people[person]))
    number = {person: len(movies) + i for i, person in enumerate(order)}
    ends = np.array(sorted((movie, number[person]) for movie, person in pairs), dtype=np.int64).reshape(-1, 2)
    n = len(movies) + len(people)
    words = sorted(set().union(*keywords))
    y = np.full(n, -1)
    y[: len(movies)] = [_class(listed) for listed in genres]
    return Graph.from_edges(
        ends[:, 0],
        ends[:, 1],
        num_nodes=n,
        directed=False,
        x=_one_hot(keywords, words, n) if words else None,
        y=y,
        class_names=CLASSES,
        names=[*_movie_names(titles), *(f"{kind}/{person}" for kind, person in order)],
        attribute_names=words or None,
        node_types=["movie"] * len(movies) + [kind for kind, _ in order],
        node_type_names=TYPES,
        attribute_types=["movie"] * len(words) or None,
        name=name,
        notes={"repeated_movies": rows - len(movies)},
    )


def _rows(table: Path) -> list[tuple[int, dict[str, str]]]:
    with open_bytes(table) as stream:
        text = stream.read().decode("utf-8-sig")
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = next((column for column in _COLUMNS if column not in (reader.fieldnames or ())), None)
    if missing is not None:
        raise InputError(f"{table} line 1: no column '{missing}'; fetch the file again")
    out = []
    for row in reader:
        if any(row[column] is None for column in _COLUMNS):
            raise InputError(f"{table} line {reader.line_num}: fields are missing; fetch the file again")
        out.append((reader.line_num, row))
    return out


def _class(genres: str) -> int:
    return next((CLASSES.index(genre) for genre in genres.split("|") if genre in CLASSES), -1)


def _movie_names(titles: list[tuple[str, str]]) -> list[str]:
    """Return names of movies; where two have one title, also the year, and a number if that is not enough."""
    listed = [title for title, _ in titles]
    names: dict[str, None] = {}
    for title, year in titles:
        wanted = f"movie/{title}" if listed.count(title) == 1 else f"movie/{title} ({year or 'no year'})"
        again = 2
        named = wanted
        while named in names:
            named, again = f"{wanted} {again}", again + 1
        names[named] = None
    return list(names)


def _one_hot(keywords: list[set[str]], words: list[str], n: int) -> sp.csr_array:
    column = {word: j for j, word in enumerate(words)}
    rows = np.repeat(np.arange(len(keywords)), [len(held) for held in keywords])
    columns = np.array([column[word] for held in keywords for word in sorted(held)], dtype=np.int64)
    return sp.csr_array((np.ones(len(rows), np.float32), (rows, columns)), shape=(n, len(words)))
