"""DGI: Deep Graph Infomax (Velickovic et al., ICLR 2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from infomotif._core.validate import Config, config, setting
from infomotif.graph import Graph
from infomotif.nn.encoders import encode, encode_with_corruption, make_encoder
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.regularizer.negatives import derangement
from infomotif.training.config import NORMALIZATIONS
from infomotif.training.features import FeatureMap
from infomotif.training.optim import Adam
from infomotif.typing import Array
from infomotif_bench.methods.base import MAX_COUNT, MAX_LR, STANDARD, Options
from infomotif_bench.methods.embeddings.base import EmbeddingMethod


@config
class InfomaxSettings(Config):
    """The settings of Deep Graph Infomax."""

    hidden: int | None = setting(
        default=None, at_least=1, at_most=MAX_COUNT, help="Width; none takes 256, or 64 for a graph without attributes."
    )
    layers: int = setting(default=1, at_least=1, at_most=MAX_COUNT, help="Number of GCN layers.")
    lr: float = setting(default=0.001, above=0, at_most=MAX_LR, help="Learning rate.")
    weight_decay: float = setting(default=0.0, at_least=0, help="L2 penalty.")
    epochs: int = setting(default=300, at_least=1, at_most=MAX_COUNT, help="Most epochs.")
    patience: int = setting(
        default=20, at_least=1, at_most=MAX_COUNT, help="Epochs without a lower loss before it stops."
    )
    normalize: str = setting(default="row", choices=NORMALIZATIONS, help="How attributes are scaled.")


class _Infomax(nn.Module):
    """Encoder and the bilinear discriminator D(h, s) = h W s."""

    def __init__(self, in_dim: int, hidden: int, layers: int) -> None:
        super().__init__()
        self.encoder = make_encoder("gcn", in_dim, hidden, layers=layers, dropout=0.0, activation="leaky_relu")
        self.weight = nn.Parameter(nn.init.xavier_uniform_(torch.empty(hidden, hidden)))

    def scores(self, real: Tensor, corrupted: Tensor) -> tuple[Tensor, Tensor]:
        """Score real and corrupted nodes against the summary s of the real ones, [n] each."""
        summary = self.weight @ torch.sigmoid(real.mean(dim=0))
        return real @ summary, corrupted @ summary


@dataclass(frozen=True, kw_only=True)
class DeepGraphInfomax(EmbeddingMethod):
    """Maximise the mutual information between node representations and their mean over the graph.

    Follows the paper: attributes whose rows sum to 1, one GCN layer, shuffled attributes as negatives, a bilinear
    discriminator, Adam, training stopped when the loss has not fallen for ``patience`` epochs. Departs in the width
    (that of the other methods), in a leaky ReLU of fixed slope instead of the PReLU, and in two layers as an option
    of the search.
    """

    options: ClassVar[type[Config]] = InfomaxSettings
    group: str = STANDARD

    def embed(self, graph: Graph, settings: Options, seed: int) -> Array:
        """Train without labels and return the representations of the best epoch, [n, hidden]."""
        features = FeatureMap.fit(graph, None, normalize=settings["normalize"])
        x, adjacency = features.apply(graph, None), Adjacency.from_graph(graph)
        width = settings["hidden"] or (64 if graph.x is None else 256)
        generator = np.random.default_rng(seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            model = _Infomax(features.width, width, settings["layers"])
        optimizer = Adam(model.parameters(), lr=settings["lr"], weight_decay=settings["weight_decay"])
        lowest, since, best = float("inf"), 0, model.state_dict()
        for _ in range(settings["epochs"]):
            permutation = torch.from_numpy(derangement(graph.num_nodes, generator))
            real, corrupted = model.scores(*encode_with_corruption(model.encoder, x, adjacency, permutation))
            loss = F.softplus(-real).mean() + F.softplus(corrupted).mean()
            value = float(loss.detach())
            if value < lowest:
                lowest, since = value, 0
                best = {name: value.detach().clone() for name, value in model.state_dict().items()}
            else:
                since += 1
                if since >= settings["patience"]:
                    break
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.load_state_dict(best)
        with torch.no_grad():
            embedding: Array = encode(model.encoder, x, adjacency).numpy()
        return embedding


DGI = DeepGraphInfomax(
    name="dgi",
    title="DGI",
    version=2,
    search={"lr": (0.001, 0.01, 0.0001), "layers": (1, 2), "weight_decay": (0.0, 5e-4)},
)
"""Deep Graph Infomax and logistic regression on its embeddings."""
