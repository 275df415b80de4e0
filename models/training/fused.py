"""The loss of a model on a CPU, with fused.cpp between the products: the same as train.loss_of within what is rounded, in half the
time, most of which PyTorch's many small steps took. Activations are bfloat16 where the processor multiplies that, floats elsewhere.

    loss = fused.loss_of(model, tokens, targets)

Shapes: B sequences, T tokens, N = B T, D model width, H query heads, K key/value heads, G = H / K, C head width, V vocabulary.
"""

import ctypes
import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

import machine  # before PyTorch
import torch
from torch.autograd import Function

from model import QUERIES
from reading import IGNORED

SOURCE = Path(__file__).with_name("fused.cpp")
AVAILABLE = shutil.which("g++") is not None
ACTIVATION = torch.bfloat16 if machine.MULTIPLIES_BFLOAT16 else torch.float32


@functools.cache
def library():
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "fused.so"
        floats = ["-DHEED_FLOATS"] if ACTIVATION == torch.float32 else []
        subprocess.run(["g++", "-std=c++17", "-O3", "-march=native", "-ffast-math", "-shared", "-fPIC", *floats, SOURCE, "-o", built],
                       check=True)
        functions = ctypes.CDLL(str(built))
    functions.cross_entropy.restype = ctypes.c_float
    return functions


def call(name, *arguments):
    """Calls a function of fused.cpp: tensors are passed by address, None as null."""
    def passed(argument):
        if argument is None or isinstance(argument, torch.Tensor):
            assert argument is None or argument.is_contiguous()
            return ctypes.c_void_p(argument.data_ptr() if argument is not None else None)
        return ctypes.c_float(argument) if isinstance(argument, float) else ctypes.c_int64(argument)
    return getattr(library(), name)(*map(passed, arguments))


def like(tensor, *shape):
    return torch.empty(shape or tensor.shape, dtype=ACTIVATION)


class Norm(Function):
    """(x + added, its RMSNorm): N x D float, N x D activations. `added` are activations or None."""

    @staticmethod
    def forward(context, x, added, weight, eps):
        total, out, scales = torch.empty_like(x), like(x), torch.empty(len(x))
        call("norm", *x.shape, eps, x, added, weight, total, out, scales)
        context.save_for_backward(total, scales, weight)
        context.adds = added is not None
        context.set_materialize_grads(False)
        return total, out

    @staticmethod
    def backward(context, total_gradient, out_gradient):
        total, scales, weight = context.saved_tensors
        gradient, weight_gradient = torch.empty_like(total), torch.zeros_like(weight)
        added_gradient = like(total) if context.adds else None
        call("norm_gradient", *total.shape, total, scales, weight, out_gradient.contiguous(), total_gradient, gradient, added_gradient,
             weight_gradient)
        return gradient, added_gradient, weight_gradient, None


class Attention(Function):
    """N x (H + 2K) C of queries, keys and values side by side -> N x H C of mixed values."""

    @staticmethod
    def forward(context, joined, config, turns, batch, tokens):
        K, C = config.kv_heads, config.head_width
        G = config.heads // K
        shape = (batch, tokens, K, G, C, C ** -0.5, *turns)
        q, k, v = like(joined, batch * K, tokens * G, C), like(joined, batch * K, tokens, C), like(joined, batch * K, tokens, C)
        call("to_heads", *shape, 0, joined, q, k, v)
        mixed, blocks = like(joined, batch * K, tokens * G, C), []
        for start in range(0, tokens, QUERIES):
            end = min(start + QUERIES, tokens)
            weights = torch.bmm(q[:, start * G:end * G], k[:, :end].transpose(1, 2))
            call("causal_softmax", *weights.shape, start, G, weights)
            mixed[:, start * G:end * G] = torch.bmm(weights, v[:, :end])
            blocks.append(weights)
        out = like(joined, batch * tokens, config.heads * C)
        call("heads_side_by_side", batch, tokens, K, G * C * mixed.element_size(), 0, mixed, out)
        context.save_for_backward(q, k, v, *blocks)
        context.shape = shape
        return out

    @staticmethod
    def backward(context, out_gradient):
        q, k, v, *blocks = context.saved_tensors
        batch, tokens, K, G, C, *_ = context.shape
        q_gradient, mixed_gradient = torch.empty_like(q), torch.empty_like(q)
        k_gradient, v_gradient = torch.zeros(k.shape), torch.zeros(v.shape)
        call("heads_side_by_side", batch, tokens, K, G * C * q.element_size(), 1, mixed_gradient, out_gradient.contiguous())
        for number, weights in enumerate(blocks):
            start, end = number * QUERIES, weights.shape[2]
            rows = slice(start * G, end * G)
            v_gradient[:, :end] += torch.bmm(weights.transpose(1, 2), mixed_gradient[:, rows])
            gradients = torch.bmm(mixed_gradient[:, rows], v[:, :end].transpose(1, 2))
            call("causal_softmax_gradient", *weights.shape, start, G, weights, gradients)
            q_gradient[:, rows] = torch.bmm(gradients, k[:, :end])
            k_gradient[:, :end] += torch.bmm(gradients.transpose(1, 2), q[:, rows])
        joined = like(q, batch * tokens, K * (G + 2) * C)
        call("to_heads", *context.shape, 1, joined, q_gradient, k_gradient.to(ACTIVATION), v_gradient.to(ACTIVATION))
        return joined, None, None, None, None


class SwiGLU(Function):
    """N x 2F -> N x F."""

    @staticmethod
    def forward(context, joined):
        out = like(joined, len(joined), joined.shape[1] // 2)
        call("swiglu", *out.shape, joined, out)
        context.save_for_backward(joined)
        return out

    @staticmethod
    def backward(context, out_gradient):
        joined, = context.saved_tensors
        gradient = torch.empty_like(joined)
        call("swiglu_gradient", *out_gradient.shape, joined, out_gradient.contiguous(), gradient)
        return gradient


class CrossEntropy(Function):
    """The mean over N x V logits, which are lost."""

    @staticmethod
    def forward(context, logits, targets):
        loss = call("cross_entropy", *logits.shape, targets, logits)
        context.save_for_backward(logits)
        return torch.tensor(loss)

    @staticmethod
    def backward(context, gradient):
        logits, = context.saved_tensors
        return logits if float(gradient) == 1 else logits * gradient, None


def loss_of(model, tokens, targets):
    """Mean negative log-likelihood, in nats a token, of what is to be learned. A layer whose attention is watched is computed by the
    model itself."""
    config, (batch, length) = model.config, tokens.shape
    turns = [some.contiguous() for some in model.turns[:, :length]]
    x, added = model.embedding(tokens).flatten(0, 1), None
    for layer in model.layers:
        attention, mlp = layer.attn, layer.mlp
        x, normed = Norm.apply(x, added, layer.attn_norm.weight, layer.attn_norm.eps)
        if attention.watch is None:
            joined = torch.cat([attention.q_proj.weight, attention.k_proj.weight, attention.v_proj.weight]).to(ACTIVATION)
            mixed = Attention.apply(normed @ joined.t(), config, turns, batch, length)
            added = mixed @ attention.o_proj.weight.to(ACTIVATION).t()
        else:
            with torch.autocast("cpu", torch.bfloat16, enabled=machine.MULTIPLIES_BFLOAT16):
                added = attention(normed.view(batch, length, -1), model.turns[:, :length],
                                  model.causal[:length, :length][None, None]).flatten(0, 1)
        x, normed = Norm.apply(x, added, layer.mlp_norm.weight, layer.mlp_norm.eps)
        joined = torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight]).to(ACTIVATION)
        added = SwiGLU.apply(normed @ joined.t()) @ mlp.down_proj.weight.to(ACTIVATION).t()
    x, normed = Norm.apply(x, added, model.norm.weight, model.norm.eps)
    kept = (targets != IGNORED).flatten()
    logits = normed[kept] @ model.embedding.weight.to(ACTIVATION).t()
    return CrossEntropy.apply(logits, targets.flatten()[kept].contiguous())
