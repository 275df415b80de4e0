#!/usr/bin/python3
"""Writes a file between two models of one shape and tokenizer, such as one before and after more training (arXiv:2109.01903).

    python3 blend.py before.gguf after.gguf 0.88 --out blended.gguf    # 0.88 of the second, 0.12 of the first
"""

import argparse
from pathlib import Path

import export
import gguf


def blend(before, after, share):
    """The weights of two models, by our names: 1 - `share` of the first and `share` of the second."""
    weights = after.state_dict()
    return {name: (1 - share) * weight.float() + share * weights[name].float() for name, weight in before.state_dict().items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("share", type=float)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    before, tokenizer = export.load(args.before)
    after, other = export.load(args.after)
    if before.config != after.config or tokenizer.merges != other.merges:
        raise ValueError(f"{args.before} and {args.after} are of different shapes or tokenizers")
    names, weights = export.gguf_names(after.config), blend(before, after, args.share)
    gguf.write(args.out, export.metadata(after.config, tokenizer), {theirs: weights[ours].numpy() for ours, theirs in names.items()})


if __name__ == "__main__":
    main()
