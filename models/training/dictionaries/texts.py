#!/usr/bin/env python3
"""Texts of the generator as JSON, with their control tokens, for the states that dictionaries are trained on and measured with.

    python3 -m dictionaries.texts --count 2500 --seed dictionaries
"""

import argparse
import itertools
import json

from stories import generate


def texts(count, seed):
    """Texts that fit into the model's context whatever their tokens are."""
    joined = ("".join(text for text, _ in sample) for sample in generate.samples(seed))
    return list(itertools.islice((text for text in joined if len(text) < 2400), count))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2500)
    parser.add_argument("--seed", default="dictionaries")
    args = parser.parse_args()
    print(json.dumps(texts(args.count, args.seed)))


if __name__ == "__main__":
    main()
