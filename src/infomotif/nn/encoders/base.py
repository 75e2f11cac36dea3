"""What all encoders share: the options, and the stack of layers h = f(X, A), [n, F] to [n, D]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from infomotif._core.validate import Config, config, fields_of, setting
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.blocks import Blocks
from infomotif.nn.propagation.convolutions import Convolution, Features
from infomotif.nn.propagation.dropout import drop_inputs, dropout, rectified_dropout
from infomotif.typing import Array

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "elu": F.elu,
    "leaky_relu": F.leaky_relu,
    "tanh": torch.tanh,
    "none": lambda h: h,
}
NORMS = ("none", "batch", "layer")
JUMPS = ("last", "max", "cat", "lstm")


@config
class EncoderConfig(Config):
    """The options of an encoder; a subclass is an encoder, with options of its own if it likes.

    A subclass names itself and makes one layer, or overrides :meth:`build`. From then on ``InfoMotif("mine")``,
    ``InfoMotif(Mine(width=3))`` and ``--set encoder.width=3`` know it.

    Example:
        >>> from infomotif.nn.propagation.convolutions import GCNConvolution
        >>> @config
        ... class Mine(EncoderConfig):
        ...     name = "mine"
        ...     bias: bool = setting(default=True, help="Whether layers have a bias.")
        ...
        ...     def layer(self, in_dim, hidden):
        ...         return GCNConvolution(in_dim, hidden)
        >>> Mine(layers=3).build(5, 8).hops
        3
        >>> del REGISTERED["mine"]
    """

    name: ClassVar[str] = ""
    moved: ClassVar[str] = "To make the module, call .build(in_dim, hidden) on it, as in GCN(dropout=0.2).build(10, 64)"

    hidden: int | None = setting(
        default=None, at_least=1, limit=65_536, help="Width D; none takes 256, or 64 for a graph without attributes."
    )
    layers: int = setting(default=2, at_least=1, limit=1_000, unset=None, help="Number of layers.")
    dropout: float = setting(default=0.5, at_least=0, below=1, help="Rate at which inputs of each layer are dropped.")
    activation: str = setting(
        default="relu", choices=tuple(ACTIVATIONS), unset="default", help="Activation after each layer."
    )
    norm: str = setting(default="none", choices=NORMS, help="Normalisation before each activation.")
    residual: bool = setting(
        default=False, flat="encoder_residual", help="Whether layers add their input, from the second on."
    )
    jump: str = setting(
        default="last", choices=JUMPS, unset="default", help="Which layers' states make the result (JK-Net)."
    )

    def __init_subclass__(cls) -> None:
        """Make the encoder known by its name."""
        if cls.name:
            REGISTERED[cls.name] = cls

    @property
    def label(self) -> str:
        """The encoder's name, as model files have it."""
        return self.name

    @property
    def relational(self) -> bool:
        """Whether messages of different relations stay apart; then :meth:`build` takes ``relations``, their number."""
        return False

    def build(self, in_dim: int, hidden: int | None = None) -> Encoder:
        """Make the module.

        Args:
            in_dim: Number of attributes F.
            hidden: Width D; by default that of the options, else 256.
        """
        return LayeredEncoder(self, in_dim, hidden or self.hidden or 256)

    def layer(self, in_dim: int, hidden: int) -> nn.Module:
        """Make one layer: a :class:`~infomotif.nn.propagation.convolutions.Convolution`."""
        raise NotImplementedError(f"{type(self).__name__} must define layer() or build()")

    def shared(self) -> dict[str, Any]:
        """Return the options that every :class:`Encoder` takes."""
        names = ("layers", "dropout", "activation", "norm", "residual", "jump")
        return {name: getattr(self, name) for name in names}


REGISTERED: dict[str, type[EncoderConfig]] = {}
"""Encoders by name, those of which the file was imported."""


class Encoder(nn.Module):
    """A stack of convolutions with dropout before and an activation after each.

    Args:
        in_dim: Number of attributes F.
        hidden: Width D of every layer and of the result.
        layers: Number of convolutions k.
        dropout: Rate at which inputs of each layer are dropped while training.
        activation: ``relu``, ``elu``, ``leaky_relu`` or ``tanh``, after every layer, as the paper's f is non-linear.
        norm: Normalisation before each activation: ``none``, ``batch`` or ``layer``.
        residual: Whether each layer adds its input (from the second on).
        jump: What is returned: the ``last`` layer, or ``max``, ``cat`` or ``lstm`` over all of them (JK-Net).

    Shapes: x [n, F] dense or :class:`SparseMatrix`; edge_index [2, E] or :class:`Adjacency`; returns [n, D].

    Example:
        >>> from infomotif.nn.encoders import GCN
        >>> encoder = GCN(dropout=0.0).build(3, 4)
        >>> encoder(torch.eye(3), torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])).shape
        torch.Size([3, 4])
    """

    anchored: ClassVar[bool] = False
    """Whether every step goes back to :meth:`initial`."""
    whole_graph: ClassVar[bool] = False
    """Whether layers look at more of the graph than the edges they are given, so that no part of it will do."""
    smooths: ClassVar[bool] = False
    """Whether all that follows :meth:`initial` is :meth:`smooth`, a linear map of the rows, the same for each column.

    It then commutes with a linear classifier: the few columns of classes can be smoothed instead of D.
    """

    def __init__(
        self,
        in_dim: int,
        hidden: int = 256,
        *,
        layers: int = 2,
        dropout: float = 0.5,
        activation: str = "relu",
        norm: str = "none",
        residual: bool = False,
        jump: str = "last",
    ) -> None:
        super().__init__()
        options = {"layers": layers, "activation": activation, "norm": norm, "jump": jump}
        for name, value in options.items():
            fields_of(EncoderConfig)[name].check(value)
        self.hidden, self.dropout, self.residual, self.jump = hidden, dropout, residual, jump
        self.activation = activation
        self.convolutions = nn.ModuleList(self.convolution(in_dim if i == 0 else hidden) for i in range(layers))
        norms: dict[str, Callable[[], nn.Module]] = {
            "none": nn.Identity,
            "batch": lambda: nn.BatchNorm1d(hidden),
            "layer": lambda: nn.LayerNorm(hidden),
        }
        self.norms = nn.ModuleList(norms[norm]() for _ in range(layers))
        if jump == "cat":
            self.merge: nn.Module = nn.Linear(layers * hidden, hidden)
        elif jump == "lstm":
            self.merge = nn.LSTM(hidden, max(1, layers * hidden // 2), bidirectional=True, batch_first=True)
            self.attend = nn.Linear(2 * max(1, layers * hidden // 2), 1)

    def convolution(self, in_dim: int) -> nn.Module:
        """Make one layer."""
        raise NotImplementedError

    @property
    def hops(self) -> int:
        """How many hops messages travel."""
        return len(self.convolutions)

    @property
    def takes_weights(self) -> bool:
        """Whether messages count as much as the adjacency weighs them."""
        return all(getattr(layer, "takes_weights", False) for layer in self.convolutions)

    @property
    def local(self) -> bool:
        """Whether the neighbourhood of some nodes, :attr:`hops` hops deep, gives exactly their rows of the result."""
        return False

    def project(self, x: Features, numbers: Array | None = None) -> Tensor:
        """Apply the first layer's weights; no edge is used, so permuting rows commutes with it.

        ``numbers`` says which nodes the rows are, [m], where dropout is to treat them as in the whole graph.
        """
        x = drop_inputs(x, self.dropout, self.training, numbers)
        return self.layer(0).project(x)

    @property
    def input_weights(self) -> Tensor | None:
        """The matrix W [F, P] if :meth:`project` is x W and nothing else; None if it is more than that."""
        if type(self).project is not Encoder.project:
            return None
        first = self.layer(0)
        return first.product.weight if type(first).project is Convolution.project else None

    def initial(self, projected: Tensor) -> Tensor:
        """Return the state h_0 that every step of an anchored encoder goes back to; rows stay apart."""
        raise NotImplementedError

    def smooth(self, state: Tensor, adjacency: Adjacency | Blocks) -> Tensor:
        """Do what follows :meth:`initial` in an encoder that :attr:`smooths`, [n, .] (of blocks: [targets, .])."""
        raise NotImplementedError

    def propagate(self, projected: Tensor, adjacency: Adjacency | Blocks) -> Tensor:
        """Do everything after the first product, [n, .] to [n, D] (of blocks: to one row per target)."""
        first = self.layer(0).spread(projected, adjacency.layer(0, len(self.convolutions)))
        return self.after_first(first, adjacency)

    def after_first(self, linear: Tensor, adjacency: Adjacency | Blocks) -> Tensor:
        """Do everything after the first convolution, whose result is ``linear``, before norm and activation."""
        layers = len(self.convolutions)
        states: list[Tensor] = []
        for i in range(1, layers):
            here = adjacency.layer(i, layers)
            if self.jump == "last" and self.activation == "relu":
                inner = rectified_dropout(self.norms[i - 1](linear), self.dropout, self.training, here.numbers)
            else:
                states.append(self._activate(i - 1, linear))
                inner = dropout(states[-1], self.dropout, self.training, here.numbers)
            linear = self.layer(i)(inner, here)
            if self.residual:
                linear = linear + here.target_rows(inner)
        states.append(self._activate(layers - 1, linear))
        return self.jumped([adjacency.layer(layers - 1, layers).target_rows(state) for state in states])

    def spread(self, i: int, projected: Tensor, adjacency: Adjacency, inner: Tensor | None = None) -> Tensor:
        """Do what layer ``i`` does after its product; ``inner`` is what a residual adds."""
        spread = self.layer(i).spread(projected, adjacency)
        return self._activate(i, spread + inner if self.residual and inner is not None else spread)

    def forward(self, x: Features, edge_index: Tensor | Adjacency | Blocks) -> Tensor:
        """Encode the nodes."""
        if isinstance(edge_index, Tensor):
            edge_index = Adjacency.from_edge_index(edge_index, x.shape[0]).to(edge_index.device)
        return self.propagate(self.project(x), edge_index)

    def _activate(self, i: int, h: Tensor) -> Tensor:
        return ACTIVATIONS[self.activation](self.norms[i](h))

    def layer(self, i: int) -> Convolution:
        """Return layer ``i``."""
        layer = self.convolutions[i]
        if not isinstance(layer, Convolution):
            raise TypeError(f"layer {i} must be a Convolution (got {type(layer).__name__})")
        return layer

    def jumped(self, states: list[Tensor]) -> Tensor:
        """Combine the states of all layers, [rows, D] each."""
        if self.jump == "last":
            return states[-1]
        stacked = torch.stack(states, dim=1)
        if self.jump == "max":
            return stacked.amax(dim=1)
        if self.jump == "cat":
            merged: Tensor = self.merge(stacked.flatten(1))
            return merged
        scores = self.attend(self.merge(stacked)[0]).softmax(dim=1)
        weighted: Tensor = (scores * stacked).sum(dim=1)
        return weighted


class LayeredEncoder(Encoder):
    """The stack of the layers that a configuration makes."""

    def __init__(self, options: EncoderConfig, in_dim: int, hidden: int) -> None:
        self.options = options
        super().__init__(in_dim, hidden, **options.shared())

    def convolution(self, in_dim: int) -> nn.Module:
        """Make one layer."""
        return self.options.layer(in_dim, self.hidden)

    @property
    def local(self) -> bool:
        """Whether the neighbourhood of some nodes, :attr:`hops` hops deep, gives exactly their rows of the result."""
        edges = any(getattr(layer, "drops_edges", True) for layer in self.convolutions)
        # The statistics of a batch norm are those of all rows.
        return not edges and not any(isinstance(norm, nn.BatchNorm1d) for norm in self.norms)


class AnchoredEncoder(Encoder):
    """An encoder whose steps all go back to its first state: (1 - a) Â h + a h_0, Â = D^-1/2 (A + I) D^-1/2.

    Args:
        in_dim: Number of attributes F.
        hidden: Width D.
        teleport: The a above; at 0 nothing holds h back, at 1 no edge is used.
        options: What every :class:`Encoder` takes.
    """

    anchored = True

    def __init__(self, in_dim: int, hidden: int = 256, *, teleport: float = 0.1, **options: Any) -> None:
        self.teleport = teleport
        super().__init__(in_dim, hidden, **options)

    @property
    def takes_weights(self) -> bool:
        """Whether messages count as much as the adjacency weighs them: they go by GCN's matrix."""
        return True

    def propagate(self, projected: Tensor, adjacency: Adjacency | Blocks) -> Tensor:
        """Do everything after the first product, [n, .] to [n, D] (of blocks: to one row per target)."""
        h = initial = self.initial(projected)
        states: list[Tensor] = []
        for i in range(self.hops):
            h = self.spread(i, h, adjacency.layer(i, self.hops), initial)
            states = [h] if self.jump == "last" else [*states, h]
        return self.jumped([adjacency.target_rows(state) for state in states])

    def spread(self, i: int, projected: Tensor, adjacency: Adjacency, inner: Tensor | None = None) -> Tensor:
        """Do step ``i`` from the state ``projected``; ``inner`` is h_0, by default that state itself."""
        initial = projected if inner is None else inner
        return torch.lerp(adjacency.gcn @ projected, adjacency.target_rows(initial), self.teleport)
