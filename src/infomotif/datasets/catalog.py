"""The entries of the registry: counts, files, checksums, addresses and settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from infomotif.datasets import airports, citation, karate, movies, synthetic, trust, wheel
from infomotif.datasets.fetch import Address, RemoteFile
from infomotif.datasets.spec import DatasetSpec
from infomotif.graph import Graph

_RAW = "https://raw.githubusercontent.com"
_GRAPHSAGE = f"{_RAW}/williamleif/graphsage-simple/d3105e5223e9602ba3ef2dd27e343d044fe4bb5f"
_PYGCN = f"{_RAW}/tkipf/pygcn/master/data/cora"
_CLUSTERNET = f"{_RAW}/bwilder0/clusternet/b6acabbf054f2da73f80a543892c30a5f006b7b6/data/citeseer"
_LINQS = "https://linqs-data.soe.ucsc.edu/public"
_STRUC2VEC = f"{_RAW}/leoribeiro/struc2vec"
_HAN = f"{_RAW}/Jhy1993/HAN"
_SGCN = f"{_RAW}/benedekrozemberczki/SGCN"
_LINQS_LICENCE = "free for research; cite Sen et al. 2008"
_STRUC2VEC_LICENCE = "published with its code; cite Ribeiro et al. 2017"
# The same for the LINQS original and for node files rebuilt from it with other word names.
_PUBMED_CONTENT = "e21fa599634f9ed2226e2b2d4149d0edd980774167e268a1877e055f26ab6958"
# All words of a class differ from region to region, and all labels are in the first region.
_REGIONS, _DRIFT = 2, 1.0


def specs() -> tuple[DatasetSpec, ...]:
    """Return all datasets in the order in which they are listed."""
    return (
        _cora(),
        _citeseer(),
        _pubmed(),
        _airports(
            "brazil",
            "Brazilian airports with flights between them",
            (131, 1003),
            (131, 1003),
            "896b7bd460ad2da9160888d99bc9099ffe8ed7de3e410833889ea393831bcaa7",
            "8f9d19f10192fbaeb91dfb46dd7eae0fef28bfe1272d41ab96a4494a0d06785f",
        ),
        _airports(
            "europe",
            "European airports with flights between them",
            (399, 5993),
            (399, 5993),
            "bd202178d0d1253c15bd3c9a22cc2a25f630244bbef9060bc30adbf0a5e130f6",
            "92bace031cc02937ac9629d6c69387458e5d5016a7dab98490fbf33e392cec4e",
        ),
        _airports(
            "usa",
            "American airports with flights between them",
            (1186, 13597),
            (1190, 13599),
            "c73fec3eef27ed6d6ef4d8dfa7fd1604b959601a38d399eeaa1f87e8d8d58fc0",
            "d4062ff3b3a67c3ae72b581bb68228433223e35d6f0b2d41844d197ad3772195",
        ),
        _imdb(),
        _trust(
            "bitcoin-alpha",
            (3772, 14077),
            (3783, 14081),
            "0be96ca5651fbe878d90a0f55c4091a7f07b8fc94d12c3f6ae9e59eac4addc1c",
        ),
        _trust(
            "bitcoin-otc",
            (5872, 21431),
            (5881, 21434),
            "c7754aa124717415de90c01793c84e880cbb92a2249fabf20f99296ac5527a68",
        ),
        _karate(),
        _roles(),
        _roles_drift(),
    )


def _is_pubmed(path: Path) -> bool:
    return citation.pubmed_content_sha256(path) == _PUBMED_CONTENT


def _cora() -> DatasetSpec:
    def file(name: str, sha256: str) -> RemoteFile:
        urls = (
            Address(f"{_GRAPHSAGE}/cora/{name}"),
            Address(f"{_PYGCN}/{name}"),
            Address(f"{_LINQS}/lbc/cora.tgz", f"cora/{name}"),
        )
        return RemoteFile(f"cora/{name}", sha256, urls)

    return DatasetSpec(
        name="cora",
        title="machine learning papers that cite each other; words as 0/1",
        nodes=2485,
        edges=5209,
        whole=(2708, 5429),
        attributes=1433,
        classes=7,
        directed=True,
        source="LINQS",
        licence=_LINQS_LICENCE,
        load=lambda content, cites: citation.read_linqs(content, cites, name="cora"),
        files=(
            file("cora.content", "b8ebed0fd45e53995abafd1b70cf6a9fcc8f86abc5826d69b97fe6ca46e9c8ee"),
            file("cora.cites", "ec1a372391b7f0f60a6aff0084e8abd8f19f0faa7e1f2441a41c492042d5945e"),
        ),
        last_resort=wheel.write_cora,
        settings={"hidden": 256},
    )


def _citeseer() -> DatasetSpec:
    def file(name: str, mirror: str, sha256: str) -> RemoteFile:
        urls = (Address(f"{_CLUSTERNET}/{mirror}"), Address(f"{_LINQS}/lbc/citeseer.tgz", f"citeseer/{name}"))
        return RemoteFile(f"citeseer/{name}", sha256, urls)

    return DatasetSpec(
        name="citeseer",
        title="computer science papers that cite each other; words as 0/1",
        nodes=2110,
        edges=3705,
        whole=(3312, 4591),
        attributes=3703,
        classes=6,
        directed=True,
        source="LINQS",
        licence=_LINQS_LICENCE,
        load=lambda content, cites: citation.read_linqs(content, cites, name="citeseer"),
        files=(
            file(
                "citeseer.content",
                "citeseer_old.content",
                "de4a3ca98626d77193f27af5c976b981a56080e6273c4e1c05764a95d2143ff8",
            ),
            file(
                "citeseer.cites",
                "citeseer_old.cites",
                "cd9730630eaaa745058c2cd2cce6b9afb79ca71278a479aebec55f4cf5eb7f30",
            ),
        ),
        settings={"hidden": 256},
    )


def _pubmed() -> DatasetSpec:
    def file(name: str, sha256: str, accept: Callable[[Path], bool] | None = None) -> RemoteFile:
        archive = Address(f"{_LINQS}/Pubmed-Diabetes.tgz", f"Pubmed-Diabetes/data/{name}")
        return RemoteFile(f"pubmed/{name}", sha256, (Address(f"{_GRAPHSAGE}/pubmed-data/{name}"), archive), accept)

    return DatasetSpec(
        name="pubmed",
        title="papers on diabetes that cite each other; TF-IDF weighted words",
        nodes=19717,
        edges=44335,
        whole=(19717, 44335),
        attributes=500,
        classes=3,
        directed=True,
        source="LINQS",
        licence=_LINQS_LICENCE,
        load=citation.read_pubmed,
        files=(
            file(
                "Pubmed-Diabetes.NODE.paper.tab",
                "74f93fbb2b836439925aed1eda044cc1acbf6f6868e434b8733b0efc487e7d3b",
                _is_pubmed,
            ),
            file(
                "Pubmed-Diabetes.DIRECTED.cites.tab",
                "5f8d710649f2808b2ffe73dfe9ab9ce7b06da2ccfe3fd3d6660520a8e4ae2141",
            ),
        ),
        settings={"hidden": 256},
    )


def _airports(
    name: str, title: str, largest: tuple[int, int], whole: tuple[int, int], edges_sha256: str, labels_sha256: str
) -> DatasetSpec:
    def file(basename: str, sha256: str) -> RemoteFile:
        urls = tuple(Address(f"{_STRUC2VEC}/{commit}/graph/{basename}") for commit in ("77b4cc6", "master"))
        mirror = Address(f"https://github.com/leoribeiro/struc2vec/raw/master/graph/{basename}")
        return RemoteFile(f"airports/{basename}", sha256, (*urls, mirror))

    return DatasetSpec(
        name=name,
        title=title,
        nodes=largest[0],
        edges=largest[1],
        whole=whole,
        attributes=0,
        classes=4,
        directed=False,
        source="struc2vec",
        licence=_STRUC2VEC_LICENCE,
        load=lambda edge_file, label_file: airports.read_airports(edge_file, label_file, name=name),
        files=(file(f"{name}-airports.edgelist", edges_sha256), file(f"labels-{name}-airports.txt", labels_sha256)),
        settings={"hidden": 64},
    )


def _imdb() -> DatasetSpec:
    path = "data/imdb/movie_metadata.csv"
    urls = tuple(
        Address(f"{_HAN}/{commit}/{path}") for commit in ("3aafeef71fac20ae8d3409fdf5c4a19ea4d0ed2b", "master")
    )
    return DatasetSpec(
        name="imdb",
        title="typed: movies, directors and actors; plot keywords of movies; genre",
        nodes=11769,
        edges=18073,
        whole=(13572, 19532),
        attributes=8086,
        classes=3,
        directed=False,
        source="IMDB",
        licence="IMDB 5000 movies, a public table of facts; for research",
        load=movies.read_imdb,
        files=(
            RemoteFile(
                "imdb/movie_metadata.csv", "74e4a9af314eea255147a6d48a5678ad7d0be3cb8ba3fdb819ef6edddb36e2ca", urls
            ),
        ),
        settings={"hidden": 64},
    )


def _trust(name: str, largest: tuple[int, int], whole: tuple[int, int], sha256: str) -> DatasetSpec:
    basename = f"{name.replace('-', '_')}.csv"
    commits = ("0b001c4925443d3e5fd8538dea6d5e8192d3e913", "master")
    urls = tuple(Address(f"{_SGCN}/{commit}/input/{basename}") for commit in commits)
    return DatasetSpec(
        name=name,
        title="signed: traders of Bitcoin who trust or distrust each other; no labels",
        nodes=largest[0],
        edges=largest[1],
        whole=whole,
        attributes=0,
        classes=0,
        directed=False,
        source="SNAP",
        licence="published for research; cite Kumar et al. 2016",
        load=lambda edges: trust.read_trust(edges, name=name),
        files=(RemoteFile(f"signed/{basename}", sha256, urls),),
        settings={"hidden": 64},
    )


def _karate() -> DatasetSpec:
    return DatasetSpec(
        name="karate",
        title="members of a karate club who met outside it; two factions",
        nodes=34,
        edges=78,
        whole=(34, 78),
        attributes=0,
        classes=2,
        directed=False,
        source="Zachary",
        licence="published data; cite Zachary 1977",
        load=karate.load_karate,
        settings={"hidden": 64},
    )


def _roles() -> DatasetSpec:
    return DatasetSpec(
        name="roles",
        title="synthetic: classes meet in triangles whose members' words co-vary, among random edges",
        nodes=2400,
        edges=8375,
        whole=(2400, 8375),
        attributes=280,
        classes=4,
        directed=False,
        source="generated",
        licence="generated by this package, MIT",
        load=synthetic.make_roles,
        settings={"ratio": 0.01, "hidden": 64},
    )


def _roles_drift() -> DatasetSpec:
    return DatasetSpec(
        name="roles-drift",
        title="synthetic: as roles, but each region has its own words and all labels are in one region",
        nodes=2400,
        edges=8367,
        whole=(2400, 8367),
        attributes=360,
        classes=4,
        directed=False,
        source="generated",
        licence="generated by this package, MIT",
        load=lambda: synthetic.make_roles(name="roles-drift", regions=_REGIONS, drift=_DRIFT),
        settings={"ratio": 0.01, "hidden": 256},
        train_mask=_drift_labels,
    )


def _drift_labels(graph: Graph) -> NDArray[np.bool_]:
    region = synthetic.region_of(graph, num_nodes=2400, regions=_REGIONS)
    return synthetic.label_mask(graph, 0.01, region=region)
