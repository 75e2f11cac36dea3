"""IMDB and the signed graphs: readers on small made files, and facts of the files where they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from infomotif.datasets import dataset_spec, load_dataset
from infomotif.datasets.movies import read_imdb
from infomotif.datasets.trust import read_trust
from infomotif.errors import InputError

HEADER = (
    "color,director_name,actor_2_name,genres,actor_1_name,movie_title,actor_3_name,plot_keywords,"
    "movie_imdb_link,title_year"
)
ROWS = (
    "Color,Dee,Bo,Sci-Fi|Drama|Action,Al,First\xa0,Cy,love|war,http://www.imdb.com/title/tt1/?x,2001",
    "Color,Dee,Bo,Sci-Fi|Drama|Action,Al,First\xa0,Di,peace,http://www.imdb.com/title/tt1/?y,2001",
    'Color,,Al,Horror,,"Twice, again",,,http://www.imdb.com/title/tt2/,2002',
    "Color,Al,Bo,Comedy,Al,Same,Cy,love,http://www.imdb.com/title/tt3/,2003",
    "Color,Ed,,Action,Al,Same,,love,http://www.imdb.com/title/tt4/,",
)


def made(folder: Path, rows: tuple[str, ...] = ROWS, header: str = HEADER) -> Path:
    path = folder / "movies.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_rows_with_one_address_are_one_movie(tmp_path: Path) -> None:
    graph = read_imdb(made(tmp_path))
    assert dict(graph.notes) == {"repeated_movies": 1}
    assert graph.names.tolist() == [
        "movie/First", "movie/Twice, again", "movie/Same (2003)", "movie/Same (no year)",
        "director/Dee", "director/Al", "director/Ed",
        "actor/Al", "actor/Bo", "actor/Cy", "actor/Di",
    ]  # fmt: skip
    first = graph.index_of("movie/First")
    neighbours = graph.names_of(graph.csr.indices[graph.csr.indptr[first] : graph.csr.indptr[first + 1]])
    assert neighbours.tolist() == ["director/Dee", "actor/Al", "actor/Bo", "actor/Cy", "actor/Di"]


def test_the_class_is_the_first_of_three_genres_and_keywords_are_attributes_of_movies(tmp_path: Path) -> None:
    graph = read_imdb(made(tmp_path))
    assert graph.class_names == ("Action", "Comedy", "Drama")
    assert graph.y is not None
    assert graph.y[:5].tolist() == [2, -1, 1, 0, -1]
    assert graph.attribute_names == ("love", "peace", "war")
    assert graph.x is not None
    assert graph.x.toarray()[:4].tolist() == [[1, 1, 1], [0, 0, 0], [1, 0, 0], [1, 0, 0]]  # type: ignore[union-attr]
    assert graph.attribute_types is not None
    assert graph.attribute_types.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("rows", "header", "message"),
    [
        (ROWS, HEADER.replace("genres", "genre"), "line 1: no column 'genres'"),
        ((ROWS[0].replace("/title/tt1/", "/"),), HEADER, "line 2: the movie has no title or no address"),
        (("Color,Dee",), HEADER, "line 2: fields are missing"),
        ((), HEADER, "holds no movies"),
    ],
)
def test_a_damaged_table_is_named(tmp_path: Path, rows: tuple[str, ...], header: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_imdb(made(tmp_path, rows, header))


def test_trust_drops_and_counts_lines_without_a_sign(tmp_path: Path) -> None:
    (tmp_path / "trust.csv").write_text("id1,id2,sign\n0,1,1.0\n0,2,-1.0\n1,2,\n")
    graph = read_trust(tmp_path / "trust.csv", name="trust")
    assert dict(graph.notes) == {"unsigned_edges": 1}
    assert graph.signed
    assert not graph.directed
    assert graph.edge_types is not None
    assert graph.edge_types.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("name", "positive", "negative", "dropped"), [("bitcoin-alpha", 12769, 1312, 43), ("bitcoin-otc", 18281, 3153, 58)]
)
def test_the_signed_graphs_have_their_published_signs(name: str, positive: int, negative: int, dropped: int) -> None:
    if dataset_spec(name).state() != "cached":
        pytest.skip("its files are not on this machine")
    graph = load_dataset(name, component="all")
    assert graph.edge_types is not None
    assert (np.bincount(graph.edge_types) // 2).tolist() == [positive, negative]
    assert dict(graph.notes) == {"unsigned_edges": dropped}


def test_imdb_has_its_movies_directors_and_actors() -> None:
    if dataset_spec("imdb").state() != "cached":
        pytest.skip("its files are not on this machine")
    graph = load_dataset("imdb", component="all")
    assert graph.node_types is not None
    assert np.bincount(graph.node_types).tolist() == [4919, 2398, 6255]
    assert graph.y is not None
    assert set(graph.y[4919:].tolist()) == {-1}
    source, target = graph.edges()
    assert set((graph.node_types[source] == 0) ^ (graph.node_types[target] == 0)) == {True}
