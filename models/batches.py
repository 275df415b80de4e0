"""Batches of freshly written stories, as tensors.

Shapes: B rows, T tokens; targets are the tokens one place on, or IGNORED where nothing is to be learned.
"""

import random

import torch

from bpe import BEGIN, END
from stories.generate import make_tale, stories

BATCH, TALES_A_BATCH = 6, 22  # about 1,100 tokens a worker
POOL = 24 * BATCH
IGNORED = -100


def encode(tokenizer, sample):
    """(tokens, targets) of a sample: the story is learned, its instruction is only read."""
    prompt = tokenizer.encode(sample["prompt"])
    story = tokenizer.encode(("\n" if prompt else "") + sample["story"]) + [END]
    tokens = [BEGIN] + prompt + story
    return tokens, [IGNORED] * len(prompt) + story + [IGNORED]


def stack(rows):
    """Rows of (tokens, targets) as two tensors, padded at the end to the longest."""
    pad = torch.nn.utils.rnn.pad_sequence
    tokens = pad([torch.tensor(tokens) for tokens, _ in rows], batch_first=True, padding_value=END)
    targets = pad([torch.tensor(targets) for _, targets in rows], batch_first=True, padding_value=IGNORED)
    return tokens, targets


def tales(tokenizer, seed):
    """Batches of tales, as many tokens each as a batch of stories."""
    stream = stories(seed, make=make_tale)
    while True:
        yield stack([encode(tokenizer, next(stream)) for _ in range(TALES_A_BATCH)])


def batches(tokenizer, context, seed, split="train"):
    """Batches of stories of like length; now and then three stories a row, to learn late positions."""
    stream, rng = stories(seed, split), random.Random(seed)
    while True:
        pool = sorted((encode(tokenizer, next(stream)) for _ in range(POOL)), key=lambda row: len(row[0]))
        cut = [pool[i:i + BATCH] for i in range(0, POOL, BATCH)]
        rng.shuffle(cut)
        if rng.random() < 0.5:
            mixed = rng.sample(cut[0], BATCH)
            cut[0] = [tuple(sum(column, [])[:context] for column in zip(*mixed[i:i + 3]))
                      for i in range(0, BATCH - 2, 3)]
        yield from map(stack, cut)
