"""Reads the shards that shards.py writes: as batches of whole samples, or as batches of packed rows.

Shapes: B rows, T tokens. Targets are the tokens one place on, or IGNORED where nothing is to be learned.
"""

import random
import time

import numpy
import torch

from bpe import BEGIN, END
from shards import LEARNED, ROW

IGNORED = -100
POOL = 160  # samples a worker that are sorted by length before they are cut into batches


class Shards:
    """The shards of a folder in their order. Where the next is not there yet, an earlier one is read again."""

    PATIENCE = 180  # seconds to wait for the first

    def __init__(self, folder, start=0, seed=0, early=0):
        self.folder, self.index, self.rng, self.early = folder, start, random.Random(f"{seed} {start}"), early

    def __iter__(self):
        waited = 0
        while True:
            path = self.folder / f"{self.index:05}.u16"
            if path.exists():
                self.index += 1
            elif self.index:
                first = self.early if self.index > self.early else 0
                path = self.folder / f"{self.rng.randrange(first, self.index):05}.u16"
            else:
                waited += 1
                if waited > self.PATIENCE:
                    raise FileNotFoundError(path)
                time.sleep(1)
                continue
            yield numpy.memmap(path, numpy.dtype("<u2"), "r").reshape(-1, ROW)


def split(row):
    """The samples of a row, without what fills it up."""
    starts = [*numpy.flatnonzero(row == BEGIN), len(row)]
    samples = [row[start:end] for start, end in zip(starts, starts[1:])]
    padding = len(samples[-1])
    while samples[-1][padding - 1] == END:
        padding -= 1
    samples[-1] = samples[-1][:padding]
    return samples


def tensors(rows):
    """(tokens, targets) of B x T shard entries."""
    rows = torch.from_numpy(rows.astype(numpy.int64))
    tokens, learned = rows & (LEARNED - 1), rows >= LEARNED
    targets = torch.full_like(tokens, IGNORED)
    targets[:, :-1] = tokens[:, 1:].masked_fill(~learned[:, 1:], IGNORED)
    return tokens, targets


def padded(samples):
    """B x T entries of samples, the rest of each row the end token."""
    rows = numpy.full((len(samples), max(map(len, samples))), END, numpy.uint16)
    for place, sample in zip(rows, samples):
        place[:len(sample)] = sample
    return rows


def dealt(pool, budget, rng, rank=0, workers=1, length=len):
    """(groups of samples of like length, each of about `budget` tokens; samples that are left over).

    At any time, the workers' groups have samples of like length, so that no worker waits long for another.
    """
    groups = []
    for sample in sorted(pool, key=length, reverse=True):
        if not groups or length(groups[-1][0]) * (len(groups[-1]) + 1) > budget:
            groups.append([])
        groups[-1].append(sample)
    whole = len(groups) - len(groups) % workers
    turns = [groups[start:start + workers] for start in range(0, whole, workers)]
    rng.shuffle(turns)
    return [turn[rank] for turn in turns], sum(groups[whole:], [])


def sample_batches(shards, budget, rank=0, workers=1):
    """Batches of samples of like length, each of about `budget` tokens. Every worker gets its share of the samples."""
    pool, rng = [], random.Random(0)  # the same in all workers
    for shard in shards:
        for row in shard:
            pool += split(row)
            if len(pool) < POOL * workers:
                continue
            groups, pool = dealt(pool, budget, rng, rank, workers)
            for group in groups:
                yield tensors(padded(group))


def row_batches(shards, count, rank=0, workers=1):
    """Batches of `count` packed rows, in random order within each shard."""
    for shard in shards:
        order = numpy.random.permutation(len(shard))
        for start in range(0, len(order) - count + 1, count):
            yield tensors(shard[numpy.sort(order[start:start + count])])


def same_sample(tokens):
    """B x 1 x T x T: True where a token of a packed row may look, which is in its own sample and not ahead."""
    number = (tokens == BEGIN).cumsum(1)
    ahead = torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool, device=tokens.device).tril()
    return ((number[:, :, None] == number[:, None]) & ahead)[:, None]
