"""A GCN on sampled neighbourhoods, with its gradients: no matrix that grows with the edges, in memory that is reused.

On a graph of millions of nodes the neighbourhood of a batch is nearly the whole graph, and a step is bound by memory:
fresh pages, copies and random reads. So features are read in chunks, in the forward and again in the backward pass;
the graph and its corruption are two signals in one row, which one random read fetches; activation and dropout happen
while a row is in the cache; and buffers are passed on from step to step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from infomotif._core.parallel import parallel_calls, split_ranges
from infomotif.nn.kernels import sampled as kernels
from infomotif.nn.propagation.blocks import Blocks
from infomotif.nn.propagation.sparse import run
from infomotif.typing import Array

CHUNK = 1 << 14
"""Rows of features that are read and multiplied at a time, so that they stay in the cache."""

ReadRows = Callable[[Array], Tensor]
"""Returns the dense input features of some nodes, [B, F]."""


def encode_sampled(
    read: ReadRows,
    blocks: Blocks,
    layers: list[tuple[nn.Parameter, nn.Parameter]],
    rate: float,
    permutation: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Return ReLU GCN's representations of the targets, and of their corruption by ``permutation`` (else the same).

    Args:
        read: Returns input features; called again in the backward pass.
        blocks: The sampled neighbourhood, without weights, on the CPU.
        layers: Weight [in, out] and bias [out] of each layer.
        rate: Rate at which inputs of each layer are dropped; 0 drops none.
        permutation: Whose features each node gets in the corruption, [m].

    Returns:
        Two matrices [targets, D].
    """
    parameters = [p for layer in layers for p in layer]
    seeds = torch.randint(2**62, (len(layers),)).tolist()
    order = None if permutation is None else permutation.numpy()
    out: Tensor = _SampledGCN.apply(_Step(read, blocks, rate, seeds, order), *parameters)  # type: ignore[no-untyped-call]
    return out[:, 0], out[:, -1]


class _SampledGCN(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, step: _Step, *parameters: Tensor) -> Tensor:
        ctx.step = step
        out = step.forward([p.detach() for p in parameters])
        # Also refuses gradients of a result that was changed in place.
        ctx.save_for_backward(out)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        _ = ctx.saved_tensors
        step, ctx.step = ctx.step, None
        if step is None:
            raise RuntimeError("the memory of this step was passed on; encode the batch again")
        return (None, *step.backward(grads[0]))


class _Step:
    """One forward and backward pass; states are kept as [rows, signals, D]."""

    def __init__(
        self, read: ReadRows, blocks: Blocks, rate: float, seeds: list[int], permutation: Array | None
    ) -> None:
        self.read, self.blocks, self.rate, self.seeds, self.permutation = read, blocks, rate, seeds, permutation
        self.signals = 1 if permutation is None else 2
        self.buffers = blocks.buffers
        degrees = blocks.degrees
        self.left = (1.0 / np.sqrt(degrees + 1.0)).astype(np.float32)
        sampled = np.maximum(1, np.diff(blocks.indptr))
        self.share = (degrees[: len(sampled)] / sampled).astype(np.float32)
        self.scale, self.threshold = np.float32(1 / (1 - rate)), np.uint32(min(round(rate * 2**32), 2**32 - 1))

    def forward(self, parameters: list[Tensor]) -> Tensor:
        """Return the last state, and keep those that gradients need."""
        self.parameters = parameters
        layers = len(parameters) // 2
        self.states: list[Array] = []
        x = self._project(parameters[0])
        for i in range(layers):
            state = self._spread(i, layers, x, parameters[2 * i + 1])
            self.buffers.give(x)
            self.states.append(state)
            if i + 1 < layers:
                x = self._multiply(state, parameters[2 * i + 2])
        return torch.from_numpy(self.states[-1])

    def backward(self, grad: Tensor) -> list[Tensor]:
        """Return the gradients of the parameters; gives all buffers back."""
        layers = len(self.states)
        gradients: list[Tensor] = []
        # A copy, as autograd may use the gradient again.
        d_state = self.buffers.take(grad.shape)
        torch.from_numpy(d_state).copy_(grad)
        for i in reversed(range(layers)):
            state, weight = self.states[i], self.parameters[2 * i]
            d_bias = self._mask(state, d_state, dropped=i + 1 < layers)
            if i + 1 < layers:
                self.buffers.give(state)
            d_x = self._spread_backward(i, layers, d_state)
            self.buffers.give(d_state)
            if i > 0:
                d_weight = self._multiply_backward(self.states[i - 1], d_x, weight)
                d_state = d_x
            else:
                d_weight = self._project_backward(d_x, weight)
                self.buffers.give(d_x)
            gradients = [d_weight, d_bias, *gradients]
        self.states = []
        return gradients

    def _project(self, weight: Tensor) -> Array:
        """Return the scaled product of dropped features with the first weight, for all signals."""
        nodes, width = self.blocks.nodes, weight.shape[1]
        out = self.buffers.take((len(nodes), self.signals, width))
        first = torch.from_numpy(out)[:, 0]
        left = torch.from_numpy(self.left)
        for a in range(0, len(nodes), CHUNK):
            span = slice(a, a + CHUNK)
            torch.mm(self._features(a), weight, out=first[span])
            first[span].mul_(left[span, None])
        if self.permutation is not None:
            run(kernels.permute_signal, len(nodes), self.permutation, self.left, out)
        return out

    def _project_backward(self, d_x: Array, weight: Tensor) -> Tensor:
        d_weight = torch.zeros_like(weight)
        folded = np.empty((CHUNK, weight.shape[1]), np.float32)
        inverse = self.permutation
        if inverse is not None:
            inverse = np.empty(len(d_x), np.int64)
            inverse[self.permutation] = np.arange(len(d_x))
        for a in range(0, len(d_x), CHUNK):
            features = self._features(a)
            d_rows = d_x[a : a + CHUNK, 0]
            if inverse is not None:
                d_rows = folded[: len(features)]
                run(kernels.fold_signals, len(features), inverse, a, d_x, d_rows)
            d_weight.addmm_(features.t(), torch.from_numpy(d_rows))
        return d_weight

    def _features(self, start: int) -> Tensor:
        """Read a chunk of features and drop entries, the same in both passes."""
        x = self.read(self.blocks.nodes[start : start + CHUNK])
        if self.rate:
            run(kernels.drop_rows, len(x), np.uint64(self.seeds[0] + start), self.threshold, self.scale, x.numpy())
        return x

    def _multiply(self, state: Array, weight: Tensor) -> Array:
        """Return the scaled product of a state with a weight."""
        out = self.buffers.take((*state.shape[:2], weight.shape[1]))
        for span, rows, product in self._chunks(state, out):
            torch.mm(rows, weight, out=product)
            product.view(-1, out.shape[1] * out.shape[2]).mul_(torch.from_numpy(self.left[span, None]))
        return out

    def _multiply_backward(self, state: Array, d_x: Array, weight: Tensor) -> Tensor:
        """Turn the gradient of a product into that of the state, in place; return that of the weight."""
        d_weight = torch.zeros_like(weight)
        for _, rows, d_rows in self._chunks(state, d_x):
            d_weight.addmm_(rows.t(), d_rows)
            d_rows.copy_(d_rows @ weight.t())
        return d_weight

    def _chunks(self, first: Array, second: Array) -> Any:
        for a in range(0, len(first), CHUNK):
            span = slice(a, min(a + CHUNK, len(first)))
            yield span, *(torch.from_numpy(each[span]).view(-1, each.shape[2]) for each in (first, second))

    def _spread(self, i: int, layers: int, x: Array, bias: Tensor) -> Array:
        """Return the next state; it is dropped already, as the next layer's input."""
        rows = int(self.blocks.sizes[layers - 1 - i])
        last = i + 1 == layers
        # The result leaves this step, so it has memory of its own.
        out = np.empty((rows, *x.shape[1:]), np.float32) if last else self.buffers.take((rows, *x.shape[1:]))
        drop = (np.uint32(0), np.float32(1)) if last or not self.rate else (self.threshold, self.scale)
        seed = np.uint64(0 if last else self.seeds[i + 1])
        ptr = self.blocks.indptr[: rows + 1]
        biases = np.tile(bias.numpy(), self.signals)
        arrays = (ptr, self.blocks.indices, self.left, self.share, biases, seed, *drop, _flat(x), _flat(out))
        run(kernels.spread_rows, ptr, *arrays)
        return out

    def _mask(self, state: Array, d_state: Array, *, dropped: bool) -> Tensor:
        """Take a gradient back through dropout and ReLU, in place; return the gradient of the bias."""
        scale = self.scale if dropped and self.rate else np.float32(1)
        threads = torch.get_num_threads()
        ranges = split_ranges(len(state), threads)
        sums = np.zeros((len(ranges), state.shape[1] * state.shape[2]))
        arrays = (_flat(state), self.left, scale, _flat(d_state))
        calls = [partial(kernels.mask_gradient, a, b, *arrays, sums[k]) for k, (a, b) in enumerate(ranges)]
        parallel_calls(calls, threads=threads)
        return torch.from_numpy(sums.reshape(-1, state.shape[2]).sum(axis=0).astype(np.float32))

    def _spread_backward(self, i: int, layers: int, grad: Array) -> Array:
        hops = layers - 1 - i
        columns = int(self.blocks.sizes[hops + 1])
        t_ptr, t_row = transposed(self.blocks.indptr[: len(grad) + 1], self.blocks.indices, columns)
        out = self.buffers.take((columns, *grad.shape[1:]))
        run(kernels.spread_rows_backward, t_ptr, t_ptr, t_row, self.left, self.share, _flat(grad), _flat(out))
        return out


def transposed(indptr: Array, indices: Array, columns: int) -> tuple[Array, Array]:
    """Return column pointers and the rows of each column, ascending; each thread fills a range of columns."""
    indices = indices[: indptr[-1]]
    threads = torch.get_num_threads()
    ranges = split_ranges(columns, threads)
    t_ptr = np.zeros(columns + 1, indptr.dtype)
    parallel_calls([partial(kernels.count_columns, a, b, indices, t_ptr) for a, b in ranges], threads=threads)
    np.cumsum(t_ptr, out=t_ptr)
    fill, t_row = t_ptr[:-1].copy(), np.empty(len(indices), indices.dtype)
    calls = [partial(kernels.fill_columns, a, b, indptr, indices, fill, t_row) for a, b in ranges]
    parallel_calls(calls, threads=threads)
    return t_ptr, t_row


def _flat(state: Array) -> Array:
    return state.reshape(len(state), -1)
