"""Whisper (arXiv:2212.04356) in PyTorch, with whisper.cpp's names of tensors, and compact tokens (words.py).

What OpenAI's models learn from a lot of sound, this one begins with: positions are sines and cosines on both sides, times are the
positions through one matrix, and each head of the tower's first layers looks at a distance of its own.
"""

import math

import torch
from torch import nn
from torch.nn import functional

from speech.mel import BANDS
from speech.words import FIRST_TIME_C, OTHERS, TEXTS, TIMES, USED, VOCABULARY

WIDTH, HEADS, AUDIO_LAYERS, TEXT_LAYERS = 64, 4, 4, 3
POSITIONS, CONTEXT = 1500, 160
FOLLOWING = [(1, 0), (1, 1)]  # layers and heads of the decoder that look at the word that was just read


def waves(count, width):
    """Whisper's sinusoids: the sines of all frequencies, then the cosines."""
    frequencies = torch.exp(-math.log(10000) / (width // 2 - 1) * torch.arange(width // 2))
    turns = torch.arange(count)[:, None] * frequencies
    return torch.cat([turns.sin(), turns.cos()], 1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.key = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x, memory, mask=None):
        parts = self.query(x), self.key(memory), self.value(memory)
        q, k, v = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in parts)
        scores = q * (WIDTH // HEADS) ** -0.5 @ k.transpose(-1, -2)
        if mask is not None:
            scores = scores + mask
        self.weights = scores.softmax(-1)
        return self.out((self.weights @ v).transpose(1, 2).flatten(-2))

    @torch.no_grad()
    def look_at(self, distances, scale=2.0):
        """Each head begins by looking at one distance, by its own part of the fastest frequencies."""
        frequencies = torch.exp(-math.log(10000) / (WIDTH // 2 - 1) * torch.arange(WIDTH // 2))
        size = WIDTH // HEADS
        self.query.weight.mul_(0.3)
        self.key.weight.mul_(0.3)
        for head, distance in enumerate(distances):
            for pair in range(size // 2):
                sine, cosine, row = pair, pair + WIDTH // 2, head * size + 2 * pair
                turn = float(frequencies[pair]) * distance
                for at, values in ((row, (math.cos(turn), math.sin(turn))), (row + 1, (-math.sin(turn), math.cos(turn)))):
                    self.query.weight[at, sine] += scale * values[0]
                    self.query.weight[at, cosine] += scale * values[1]
                self.key.weight[row, sine] += scale
                self.key.weight[row + 1, cosine] += scale


class Block(nn.Module):
    def __init__(self, cross):
        super().__init__()
        self.attn, self.attn_ln = Attention(), nn.LayerNorm(WIDTH)
        if cross:
            self.cross_attn, self.cross_attn_ln = Attention(), nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(approximate="tanh"), nn.Linear(4 * WIDTH, WIDTH))
        self.mlp_ln = nn.LayerNorm(WIDTH)

    def forward(self, x, sound=None, mask=None):
        h = self.attn_ln(x)
        x = x + self.attn(h, h, mask)
        if sound is not None:
            x = x + self.cross_attn(self.cross_attn_ln(x), sound)
        return x + self.mlp(self.mlp_ln(x))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv1d(BANDS, WIDTH, 3, padding=1), nn.Conv1d(WIDTH, WIDTH, 3, stride=2, padding=1)
        self.register_buffer("positional_embedding", waves(POSITIONS, WIDTH))
        self.blocks = nn.ModuleList(Block(cross=False) for _ in range(AUDIO_LAYERS))
        self.ln_post = nn.LayerNorm(WIDTH)
        for layer, distances in enumerate([(-2, 2, -5, 5), (-4, 4, -10, 10)]):
            self.blocks[layer].attn.look_at(distances)

    def forward(self, mel, offsets):
        """mel: B frames BANDS; offsets: the position of each row's first frames."""
        x = functional.gelu(self.conv1(mel.transpose(1, 2)), approximate="tanh")
        x = functional.gelu(self.conv2(x), approximate="tanh").transpose(1, 2)
        x = x + self.positional_embedding[offsets[:, None] + torch.arange(x.shape[1])]
        for block in self.blocks:
            x = block(x)
        return self.ln_post(x)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Parameter(0.1 * torch.randn(OTHERS + 1 - TIMES, WIDTH))  # the last is of all other tokens
        self.times = nn.Linear(WIDTH, WIDTH)
        self.positional_embedding = nn.Parameter(0.05 * torch.randn(CONTEXT, WIDTH))
        self.blocks = nn.ModuleList(Block(cross=True) for _ in range(TEXT_LAYERS))
        self.ln = nn.LayerNorm(WIDTH)
        self.register_buffer("time_waves", waves(TIMES, WIDTH))
        nn.init.normal_(self.times.weight, std=WIDTH ** -0.5 * 0.3)
        nn.init.zeros_(self.times.bias)

    def embedding(self):
        """Of compact tokens."""
        return torch.cat([self.words[:-1], self.times(self.time_waves), self.words[-1:]])

    def forward(self, tokens, sound, table):
        count = tokens.shape[1]
        x = table[tokens] + self.positional_embedding[:count]
        mask = torch.full((count, count), -torch.inf).triu(1)
        for block in self.blocks:
            x = block(x, sound, mask)
        return self.ln(x)


class Whisper(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Encoder(), Decoder()
        self.labels = nn.Linear(WIDTH, len(TEXTS))  # which word is heard at a position; for the training alone

    def logits(self, tokens, sound, table=None):
        """Of compact tokens; that of all other tokens counts for each of them."""
        table = self.decoder.embedding() if table is None else table
        logits = self.decoder(tokens, sound, table) @ table.T
        return logits + self.many

    @property
    def many(self):
        many = torch.zeros(OTHERS + 1)
        many[-1] = math.log(VOCABULARY - len(USED))
        return many

    def following(self):
        """The weights of the heads that look at the word just read: B H T P."""
        return torch.stack([self.decoder.blocks[layer].cross_attn.weights[:, head] for layer, head in FOLLOWING], 1)


assert FIRST_TIME_C == len(USED) - TIMES and OTHERS == len(USED)
