#!/usr/bin/python3
"""Writes the training text as shards of tokens, in parallel processes.

    python3 shards.py --folder FOLDER --count 40 --early 8 --jobs 14

FOLDER holds tokenizer.json (bpe.py writes it), and gets 00000.u16, 00001.u16, ...: rows of 1024 tokens, little-endian
uint16, the highest bit set where the token is to be learned. Samples begin with token 0 and are never cut; the rest of
a row is the end token. A shard appears when it is whole, and one that is there is not written again.
"""

import argparse
import itertools
import os
import time
from multiprocessing import Pool
from pathlib import Path

import numpy

from bpe import END, Tokenizer
from stories.generate import samples
from stories.invention import use_pieces

ROW, LEARNED = 1024, 0x8000
OPEN_ROWS = 16


def rows(tokenizer, stream):
    """Rows packed from samples: each sample goes to the fullest open row that has room for it."""
    open_rows = []
    for sample in stream:
        ids, learned = tokenizer.encode_pieces(sample)
        if len(ids) > ROW:
            continue
        ids = [token | LEARNED if own else token for token, own in zip(ids, learned)]
        fitting = [row for row in open_rows if len(row) + len(ids) <= ROW]
        if fitting:
            max(fitting, key=len).extend(ids)
        else:
            open_rows.append(ids)
        if len(open_rows) > OPEN_ROWS:
            fullest = max(open_rows, key=len)
            open_rows.remove(fullest)
            yield fullest + [END] * (ROW - len(fullest))


def write_shard(task):
    path, index, early, count, tokenizer_path = task
    started = time.time()
    tokenizer = Tokenizer.load(tokenizer_path)
    use_pieces(tokenizer.tokens)
    array = numpy.array(list(itertools.islice(rows(tokenizer, samples(index, early)), count)), numpy.dtype("<u2"))
    array.tofile(path.with_suffix(".new"))
    os.replace(path.with_suffix(".new"), path)
    full = (array != END).mean()
    return f"{path.name}: {array.size / (time.time() - started):.0f} tokens/s, {full:.3f} full, " \
        f"{(array >= LEARNED).mean():.3f} learned"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--count", type=int, default=40, help="shards")
    parser.add_argument("--first", type=int, default=0, help="number of the first shard: another one is another text")
    parser.add_argument("--early", type=int, default=8, help="the first shards, of short samples")
    parser.add_argument("--rows", type=int, default=4096, help="rows a shard")
    parser.add_argument("--jobs", type=int, default=max(1, os.cpu_count() - 2))
    args = parser.parse_args()
    tasks = [(args.folder / f"{index:05}.u16", index, index - args.first < args.early, args.rows, args.folder / "tokenizer.json")
             for index in range(args.first, args.first + args.count)]
    tasks = [task for task in tasks if not task[0].exists()]
    with Pool(args.jobs) as pool:
        for line in pool.imap(write_shard, tasks):
            print(line, flush=True)


if __name__ == "__main__":
    main()
