"""What a model writes after given tokens, many texts at a time.

Shapes: B texts, T tokens. Shorter texts are filled up on the left; since RoPE knows only distances, they do not mind.
"""

import torch

from bpe import END, TURN_END

TOP_K, TOP_P, MIN_P = 40, 0.95, 0.05  # the defaults of the npm package


def padded(rows):
    """(tokens B x T, filling B x T: True where a token only fills up)"""
    length = max(map(len, rows))
    tokens = torch.tensor([[END] * (length - len(row)) + list(row) for row in rows])
    filling = torch.arange(length)[None] < torch.tensor([[length - len(row)] for row in rows])
    return tokens, filling


def narrowed(logits):
    """B x V scores, -infinity for those tokens that the package's sampling leaves out by default, before the temperature."""
    shares, order = logits.softmax(-1).sort(descending=True)
    best = shares[:, :TOP_K]
    before = best.cumsum(-1) - best
    kept = (before < TOP_P * best.sum(-1, keepdim=True)) & (best >= MIN_P * best[:, :1])
    return logits.masked_fill(~torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order[:, :TOP_K], kept), -torch.inf)


@torch.no_grad()
def write(model, prompts, most, temperature=0, narrow=False, seed=1, batch=50):
    """For each prompt (ids) the ids that follow, without the token that ends them, and whether it came. `narrow`: chosen among
    the tokens that the package chooses from by default; else among all."""
    randomness = torch.Generator().manual_seed(seed)
    order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
    written = [None] * len(prompts)
    for start in range(0, len(order), batch):
        group = order[start:start + batch]
        rows = write_batch(model, [prompts[index] for index in group], most, temperature, narrow, randomness)
        for index, row in zip(group, rows):
            ends = [place for place, token in enumerate(row) if token in (END, TURN_END)]
            written[index] = (row[:ends[0]], True) if ends else (row, False)
    return written


def write_batch(model, prompts, most, temperature, narrow, randomness):
    tokens, filling = padded(prompts)
    caches, position = [[] for _ in model.layers], 0
    rows, done = [[] for _ in prompts], torch.zeros(len(prompts), dtype=torch.bool)
    most = min(most, model.config.context - tokens.shape[1])
    mask = (model.causal[:tokens.shape[1], :tokens.shape[1]].cpu()[None]
            & (~filling[:, None] | filling[:, :, None]))[:, None]
    while len(rows[0]) < most and not bool(done.all()):
        logits = model.head(model.hidden(tokens, caches, position, mask)[:, -1])
        position += tokens.shape[1]
        if temperature:
            logits = narrowed(logits) if narrow else logits
            tokens = torch.multinomial((logits / temperature).softmax(-1), 1, generator=randomness)
        else:
            tokens = logits.argmax(-1, keepdim=True)
        for row, token in zip(rows, tokens[:, 0].tolist()):
            row.append(token)
        done |= (tokens[:, 0] == END) | (tokens[:, 0] == TURN_END)
        filling = torch.cat([filling, torch.zeros(len(rows), 1, dtype=torch.bool)], 1)
        mask = ~filling[:, None, None]
    return rows
