"""ggml's Q5_0: blocks of 32 weights, each an f16 scale and 5 bits a weight (ggml-quants.c of github.com/ggml-org/ggml)."""

import numpy
import torch

BLOCK = numpy.dtype([("scale", "<f2"), ("high", "<u4"), ("low", "u1", 16)])


def numbers(weights):
    """Blocks -> (scales, numbers from 0 to 31): the weight that is furthest from 0 becomes 0, which stands for -16."""
    blocks = weights.reshape(-1, 32)
    furthest = blocks.gather(1, blocks.abs().argmax(1, keepdim=True))
    scales = furthest / -16
    inverse = torch.where(scales == 0, torch.zeros_like(scales), 1 / scales)
    return scales.half().float(), (blocks * inverse + 16.5).clamp(0, 31).floor()


def rounded(weights):
    """What a file of the weights has."""
    scales, quants = numbers(weights)
    return ((quants - 16) * scales).reshape(weights.shape)


def pack(weights):
    scales, quants = numbers(weights)
    quants = quants.numpy().astype(numpy.uint32)
    packed = numpy.zeros(len(quants), BLOCK)
    packed["scale"] = scales.numpy()[:, 0]
    packed["low"] = (quants[:, :16] & 15) | ((quants[:, 16:] & 15) << 4)
    packed["high"] = ((quants >> 4) << numpy.arange(32, dtype=numpy.uint32)).sum(1)
    return packed.tobytes()
