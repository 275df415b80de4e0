"""What the small transformers are made of, in PyTorch.

Modules are named as GGUF names tensors (blk.0.attn_q, ...), so that a model's state is its file. Shapes: B rows, T
tokens, D width.
"""

import math

import torch
from torch import nn
from torch.nn import functional


class RMSNorm(nn.Module):
    """arXiv:1910.07467"""

    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(width)), eps

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.weight


def add_attention(layer, name, output, width, bias):
    """Gives a layer the four matrices NAME_q, NAME_k, NAME_v and NAME_OUTPUT."""
    for part in ("q", "k", "v", output):
        layer.add_module(f"{name}_{part}", nn.Linear(width, width, bias=bias))


def attend(layer, name, output, heads, x, memory, scores=0.0, scaled=True):
    """Attention of x to memory, arXiv:1706.03762. `scores` are added; layer.seen[NAME] keeps the weights, B heads T K."""
    def split(part, source):
        return getattr(layer, f"{name}_{part}")(source).unflatten(-1, (heads, -1)).transpose(1, 2)
    q, k, v = split("q", x), split("k", memory), split("v", memory)
    if scaled:
        q = q / math.sqrt(q.shape[-1])
    weights = (q @ k.transpose(-1, -2) + scores).softmax(-1)
    layer.seen[name] = weights
    return getattr(layer, f"{name}_{output}")((weights @ v).transpose(1, 2).flatten(-2))


class VisionLayer(nn.Module):
    """A layer of ViT and CLIP: norms before attention and MLP, biases everywhere."""

    def __init__(self, width, heads, feed_forward, activation):
        super().__init__()
        self.heads, self.activation, self.seen = heads, activation, {}
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        add_attention(self, "attn", "out", width, bias=True)
        self.ffn_up, self.ffn_down = nn.Linear(width, feed_forward), nn.Linear(feed_forward, width)

    def forward(self, x, scores=0.0):
        h = self.ln1(x)
        x = x + attend(self, "attn", "out", self.heads, h, h, scores)
        return x + self.ffn_down(self.activation(self.ffn_up(self.ln2(x))))


class Eyes(nn.Module):
    """A picture's patches and perhaps a class token through a stack of layers, arXiv:2010.11929: B 3 S S -> B [1+]P D."""

    def __init__(self, side, patch, width, layers, heads, activation, bias, pre_norm, class_token=True):
        super().__init__()
        self.patch_embd = nn.Conv2d(3, width, patch, patch, bias=bias)
        if class_token:
            self.class_embd = nn.Parameter(0.02 * torch.randn(width))
        self.position_embd = nn.Embedding(class_token + (side // patch) ** 2, width)
        if pre_norm:
            self.pre_ln = nn.LayerNorm(width)
        self.blk = nn.ModuleList(VisionLayer(width, heads, 2 * width, activation) for _ in range(layers))
        self.post_ln = nn.LayerNorm(width)
        self.initialize(side // patch)

    @torch.no_grad()
    def initialize(self, side):
        """Patches begin by looking at those beside them that look alike, which takes thousands of steps to learn.

        Positions are sines and cosines (arXiv:2205.01580), keys are queries, and an output undoes a part of its value
        (arXiv:2305.09828).
        """
        width = self.position_embd.embedding_dim
        turns = torch.arange(side)[:, None] * 10.0 ** -torch.linspace(0, 1.5, width // 4)
        waves = torch.cat([turns.sin(), turns.cos()], 1)
        down, across = waves[:, None].expand(side, side, -1), waves[None].expand(side, side, -1)
        self.position_embd.weight[0] = 0
        self.position_embd.weight[-side ** 2:] = 0.5 * torch.cat([down, across], 2).flatten(0, 1)
        for layer in self.blk:
            for part in (layer.attn_q, layer.attn_v):
                nn.init.normal_(part.weight, std=width ** -0.5)
            layer.attn_k.weight.copy_(layer.attn_q.weight)
            layer.attn_out.weight.copy_(-0.4 * layer.attn_v.weight.T)

    def forward(self, pictures):
        x = self.patch_embd(pictures).flatten(2).transpose(1, 2)
        if hasattr(self, "class_embd"):
            x = torch.cat([self.class_embd.expand(len(x), 1, -1), x], 1)
        x = x + self.position_embd.weight
        if hasattr(self, "pre_ln"):
            x = self.pre_ln(x)
        for layer in self.blk:
            x = layer(x)
        return self.post_ln(x)


def hide(length, kept):
    """Scores that hide what comes after `kept` (B) tokens: B 1 1 T."""
    return torch.where(torch.arange(length) < kept[:, None], 0.0, -torch.inf)[:, None, None]


def causal(length):
    return torch.full((length, length), -torch.inf).triu(1)


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def contrast(left, right, scale):
    """Each row of `left` against all rows of `right`, of which the one with its number is the right one, and back."""
    logits = scale * functional.normalize(left, dim=-1) @ functional.normalize(right, dim=-1).T
    target = torch.arange(len(left))
    return (functional.cross_entropy(logits, target) + functional.cross_entropy(logits[:, :len(left)].T, target)) / 2
