#!/usr/bin/python3
"""Byte-level byte-pair encoding (Sennrich et al., arXiv:1508.07909) as in GPT-2, and its training.

    python3 bpe.py --out FILE.json
    python3 bpe.py --gguf ../heed-stories.gguf --out FILE.json      # that of a model
"""

import argparse
import collections
import itertools
import json
import re

import gguf
from stories.generate import samples

# llama.cpp and Heed call this pre-tokenizer "gpt-2"; there, letters and numbers are \p{L} and \p{N}. In the training
# text, which is ASCII, this is the same.
PRETOKENIZER = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")
SPECIAL = ["<|begin|>", "<|end|>", "<|im_start|>", "<|im_end|>"]
BEGIN, END, TURN, TURN_END = range(4)


def byte_alphabet():
    """GPT-2's printable character for each byte: printable Latin-1 is itself, the rest move above 255."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = (byte for byte in range(256) if byte not in printable)
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(others)}


ALPHABET = byte_alphabet()
BYTE_OF = {char: byte for byte, char in ALPHABET.items()}


def spell(text):
    return "".join(ALPHABET[byte] for byte in text.encode())


def merge(symbols, pair):
    """`symbols` with each occurrence of `pair` joined."""
    joined, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i:i + 2]) == pair:
            joined.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            joined.append(symbols[i])
            i += 1
    return tuple(joined)


def train(texts, vocab_size):
    """The merges, in order: each joins the most frequent neighbors (ties: the first in code-point order).

    Digits are never joined, so that each is a token.
    """
    counts = collections.Counter(spell(piece) for text in texts for piece in PRETOKENIZER.findall(text)
                                 if not any(char.isdigit() for char in piece))
    words = {tuple(word): count for word, count in counts.items()}
    pairs, holders = collections.Counter(), collections.defaultdict(set)

    def tally(word, count):
        for pair in itertools.pairwise(word):
            pairs[pair] += count
            holders[pair].add(word)

    for word, count in words.items():
        tally(word, count)
    merges = []
    while len(SPECIAL) + len(ALPHABET) + len(merges) < vocab_size:
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        for word in list(holders[best]):
            count = words.pop(word, 0)
            if not count:
                continue
            for pair in itertools.pairwise(word):
                pairs[pair] -= count
            joined = merge(word, best)
            words[joined] = words.get(joined, 0) + count
            tally(joined, count)
        del pairs[best], holders[best]
    return merges


class Tokenizer:
    """Encodes text as token ids and back. Ids: the special tokens, the 256 bytes, then one token a merge."""

    CACHED = 200_000  # pieces; invented words would fill the memory

    def __init__(self, merges):
        self.merges = [tuple(pair) for pair in merges]
        self.tokens = SPECIAL + [ALPHABET[byte] for byte in range(256)] + [a + b for a, b in self.merges]
        self.ids = {token: i for i, token in enumerate(self.tokens)}
        self.rank = {pair: i for i, pair in enumerate(self.merges)}
        self.cache = {}

    @classmethod
    def load(cls, path):
        with open(path) as file:
            return cls(json.load(file))

    def encode_piece(self, piece):
        symbols = tuple(spell(piece))
        while len(symbols) > 1:
            best = min(itertools.pairwise(symbols), key=lambda pair: self.rank.get(pair, len(self.rank)))
            if best not in self.rank:
                break
            symbols = merge(symbols, best)
        if len(self.cache) > self.CACHED:
            self.cache.clear()
        ids = self.cache[piece] = [self.ids[symbol] for symbol in symbols]
        return ids

    def encode(self, text):
        """Text without control tokens."""
        known, ids = self.cache.get, []
        for piece in PRETOKENIZER.findall(text):
            ids += known(piece) or self.encode_piece(piece)
        return ids

    def encode_pieces(self, pieces):
        """[(text or control token, learned), ...] -> [(id, learned), ...] as two lists."""
        ids, learned = [], []
        for text, own in pieces:
            some = [self.ids[text]] if text in SPECIAL else self.encode(text)
            ids += some
            learned += [own] * len(some)
        return ids, learned

    def decode(self, ids):
        spelled = "".join(self.tokens[i] for i in ids if i >= len(SPECIAL))
        return bytes(BYTE_OF[char] for char in spelled).decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=15000)
    parser.add_argument("--vocab", type=int, default=4096)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--gguf", help="take the merges of this model instead")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    if args.gguf:
        merges = [pair.split(" ") for pair in gguf.read(args.gguf)[0]["tokenizer.ggml.merges"]]
    else:
        texts = (text for sample in itertools.islice(samples(args.seed), args.samples) for text, _ in sample
                 if text not in SPECIAL)
        merges = train(texts, args.vocab)
    with open(args.out, "w") as file:
        json.dump(merges, file, ensure_ascii=False)


if __name__ == "__main__":
    main()
