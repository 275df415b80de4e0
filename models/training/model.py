"""The Llama decoder (Touvron et al., arXiv:2302.13971), as GGUF's `llama` architecture means it.

Shapes: B sequences, T tokens, D model width, H query heads, K key/value heads, V vocabulary.
"""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional

FUSED = hasattr(functional, "scaled_dot_product_attention")  # from PyTorch 2 on
QUERIES = 128  # that attention takes at a time where it is not fused


@dataclass
class Config:
    vocabulary: int = 4096
    width: int = 256
    layers: int = 8
    heads: int = 8
    kv_heads: int = 2
    feed_forward: int = 768
    context: int = 1024
    rope_theta: float = 10000.0
    norm_eps: float = 1e-5

    @property
    def head_width(self):
        return self.width // self.heads


# "full" is the model that is meant, 7.1 million parameters; "small" learns more in an hour of two cores.
CONFIGS = {"full": {}, "small": {"width": 128, "layers": 6, "heads": 4, "feed_forward": 384}}


class RMSNorm(nn.Module):
    """arXiv:1910.07467"""

    def __init__(self, config):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(config.width))
        self.eps = config.norm_eps

    def forward(self, x):
        x = x.float()
        return x * (torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps)) * self.weight


def rotations(config):
    """RoPE (arXiv:2104.09864): cosines and sines, 2 x context x head_width / 2; neighbors 2i, 2i + 1 pair up."""
    exponent = torch.arange(0, config.head_width, 2).double() / config.head_width
    angles = torch.outer(torch.arange(config.context).double(), config.rope_theta ** -exponent)  # a float's would be off by 1e-5 far on
    return torch.stack([angles.cos(), angles.sin()]).float()


def rotate(x, turns):
    """x: B T heads head_width; turns: 2 x T x head_width / 2."""
    cos, sin = turns[0, :, None], turns[1, :, None]
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)


class Attention(nn.Module):
    """Grouped-query attention, arXiv:2305.13245: query head h reads key/value head h // (H / K)."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        kv_width = config.kv_heads * config.head_width
        self.q_proj = nn.Linear(config.width, config.width, bias=False)
        self.k_proj = nn.Linear(config.width, kv_width, bias=False)
        self.v_proj = nn.Linear(config.width, kv_width, bias=False)
        self.o_proj = nn.Linear(config.width, config.width, bias=False)
        self.watch = None  # a list that gets the weights, B x H x T x T (evaluate.py looks at them)

    def forward(self, x, turns, mask, cache=None):
        """`mask` is True where a token may look. `cache` holds earlier keys and values, and gets these."""
        config, (B, T, D) = self.config, x.shape
        q = rotate(self.q_proj(x).view(B, T, config.heads, -1), turns).transpose(1, 2)
        k = rotate(self.k_proj(x).view(B, T, config.kv_heads, -1), turns).transpose(1, 2)
        v = self.v_proj(x).view(B, T, config.kv_heads, -1).transpose(1, 2)
        if cache is not None:
            k, v = (torch.cat([*old, new], dim=2) for old, new in zip(cache or [[], []], (k, v)))
            cache[:] = [[k], [v]]
        if FUSED and self.watch is None:
            k, v = (some.repeat_interleave(config.heads // config.kv_heads, 1) for some in (k, v))
            mixed = functional.scaled_dot_product_attention(q.to(v.dtype), k.to(v.dtype), v, attn_mask=mask)
        else:
            mixed = self.mix(q, k, v, mask)
        return self.o_proj(mixed.transpose(1, 2).reshape(B, T, D))

    def mix(self, q, k, v, mask):
        """Attention, a block of queries at a time: the keys after the last of them need not be read."""
        config, T, keys = self.config, q.shape[2], k.shape[2]
        group = config.heads // config.kv_heads
        q = q.unflatten(1, (config.kv_heads, group)) * config.head_width ** -0.5
        mixed, watched = [], []
        for start in range(0, T, QUERIES):
            end = min(start + QUERIES, T)
            seen = keys - T + end
            allowed = mask[..., start:end, :seen]
            barred = torch.zeros(allowed.shape, device=mask.device).masked_fill(~allowed, -torch.inf)
            weights = q[:, :, :, start:end].flatten(2, 3) @ k[:, :, :seen].transpose(2, 3) + barred.repeat(1, 1, group, 1)
            weights = weights.softmax(-1)
            mixed.append((weights @ v[:, :, :seen]).unflatten(2, (group, -1)))
            if self.watch is not None:
                watched.append(functional.pad(weights.unflatten(2, (group, -1)), (0, keys - seen)))
        if self.watch is not None:
            self.watch.append(torch.cat(watched, 3).flatten(1, 2))
        return torch.cat(mixed, 3).flatten(1, 2)


class Mlp(nn.Module):
    """SwiGLU, arXiv:2002.05202."""

    def __init__(self, config):
        super().__init__()
        self.gate_proj = nn.Linear(config.width, config.feed_forward, bias=False)
        self.up_proj = nn.Linear(config.width, config.feed_forward, bias=False)
        self.down_proj = nn.Linear(config.feed_forward, config.width, bias=False)

    def forward(self, x):
        # In bfloat16, SiLU and its gradient are slow on a CPU.
        return self.down_proj(functional.silu(self.gate_proj(x).float()) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attn_norm, self.attn = RMSNorm(config), Attention(config)
        self.mlp_norm, self.mlp = RMSNorm(config), Mlp(config)

    def forward(self, x, turns, mask, cache=None):
        x = x + self.attn(self.attn_norm(x), turns, mask, cache)
        return x + self.mlp(self.mlp_norm(x))


class Llama(nn.Module):
    """tokens, B x T -> logits, B x T x V. The head shares the embedding's weights."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.width)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.norm = RMSNorm(config)
        self.register_buffer("turns", rotations(config), persistent=False)
        self.register_buffer("causal", torch.ones(config.context, config.context, dtype=torch.bool).tril(),
                             persistent=False)
        self.initialize()

    @torch.no_grad()
    def initialize(self):
        """Small weights; heads that copy what they read; and a circuit that finds what followed the same token.

        The output projection of all heads but one of each group is the value projection turned around, so that the
        token attended to becomes likelier (mimetic initialization, Trockman and Kolter, arXiv:2305.09828).
        """
        config = self.config
        group, width = config.heads // config.kv_heads, config.head_width
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                residual = name.endswith(("o_proj.weight", "down_proj.weight"))
                nn.init.normal_(weight, std=0.02 / (2 * config.layers) ** 0.5 if residual else 0.02)
        nn.init.normal_(self.embedding.weight, std=0.05)
        for layer in self.layers:
            v, o = layer.attn.v_proj.weight, layer.attn.o_proj.weight
            nn.init.normal_(v, std=0.05)
            for head in range(config.heads):
                source = head // group
                if head % group != group - 1:
                    o[:, head * width:(head + 1) * width] = 0.4 * v[source * width:(source + 1) * width].T
        self.initialize_induction()

    def initialize_induction(self):
        """An induction circuit (Olsson et al., arXiv:2209.11895) to begin with, which training may keep or change.

        All embeddings share a constant, by which two heads of the first layer look one and two tokens back (RoPE's
        fast pairs peak there). They pass on some directions of what they read as others, which are told from the
        token's own. The second layer's first group compares the two in RoPE's slow pairs, and copies.
        """
        config, first, second = self.config, self.layers[0].attn, self.layers[1].attn
        width, pairs = config.head_width, config.head_width // 2
        speeds = config.rope_theta ** -(torch.arange(pairs).float() / pairs)
        self.embedding.weight[:, 0] = 0.15
        self.norm.weight.fill_(3.0)
        free = torch.randn(config.width, 3 * width)
        free[0] = 0
        own, one_back, two_back = torch.linalg.qr(free)[0].T.split(width)  # rows: directions
        nn.init.normal_(first.o_proj.weight, std=0.005)
        first.v_proj.weight[:width] = 0.5 * own
        first.o_proj.weight[:, :width] = 0.25 * one_back.T
        first.o_proj.weight[:, width:2 * width] = 0.15 * two_back.T
        for pair, strength in enumerate((2.6, 1.8, 1.8, 1.8)):
            first.k_proj.weight[2 * pair, 0] = strength
            for head, back in ((0, 1), (1, 2)):
                angle = back * speeds[pair]
                first.q_proj.weight[head * width + 2 * pair, 0] = strength * torch.cos(angle)
                first.q_proj.weight[head * width + 2 * pair + 1, 0] = -strength * torch.sin(angle)
        slow = 2 * int((speeds > 0.011).sum())
        group, copied = config.heads // config.kv_heads, torch.linalg.qr(torch.randn(config.width, config.width))[0]
        second.v_proj.weight.copy_(0.5 * copied[:len(second.v_proj.weight)])
        for head in range(config.heads):
            source, rows = head // group, slice(head * width + slow, (head + 1) * width)
            second.k_proj.weight[source * width + slow:(source + 1) * width] = 3 * one_back[slow:]
            second.q_proj.weight[rows] = 3 * own[slow:]
            second.o_proj.weight[:, head * width:(head + 1) * width] = \
                3 * second.v_proj.weight[source * width:(source + 1) * width].T

    def hidden(self, tokens, caches=None, start=0, mask=None):
        """The final layer's normed output, B x T x D.

        With `caches` (at first an empty list a layer), `tokens` follow the `start` tokens in these. `mask`
        (B x 1 x T x T, True where a token may look) is causal where it is not given.
        """
        end = start + tokens.shape[1]
        turns = self.turns[:, start:end]
        if mask is None:
            mask = self.causal[start:end, :end][None, None]
        x = self.embedding(tokens)
        for layer, cache in zip(self.layers, caches or [None] * len(self.layers)):
            x = layer(x, turns, mask, cache)
        return self.norm(x)

    def head(self, hidden):
        return functional.linear(hidden, self.embedding.weight)

    def forward(self, tokens, caches=None, start=0):
        return self.head(self.hidden(tokens, caches, start))
