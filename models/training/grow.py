#!/usr/bin/python3
"""Adds layers to a GGUF file of export.py, which writes the same text after it: each copies a layer below it, but adds nothing yet.

    python3 grow.py ../heed-stories.gguf --after 4 5 --out grown.gguf

`--after`: the layers, from 0, that get a copy above them. Training starts from the result (train.py --warm-start).
"""

import argparse
from dataclasses import replace
from pathlib import Path

import gguf
from export import gguf_names, load, metadata
from model import Llama

SILENT = ("attn.o_proj", "mlp.down_proj")  # a layer's additions go through these


def grown(model, after):
    """A deeper model that computes the same."""
    order = [layer for below in range(model.config.layers) for layer in ([below] + [below] * after.count(below))]
    deeper = Llama(replace(model.config, layers=len(order)))
    old, new = model.state_dict(), deeper.state_dict()
    for name in new:
        if not name.startswith("layers."):
            new[name] = old[name]
            continue
        _, number, rest = name.split(".", 2)
        copied = order[:int(number)].count(order[int(number)]) > 0
        weight = old[f"layers.{order[int(number)]}.{rest}"].clone()
        new[name] = weight * 0 if copied and rest.startswith(SILENT) else weight
    deeper.load_state_dict(new)
    return deeper.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--after", type=int, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    model, tokenizer = load(args.model)
    model = grown(model, args.after)
    weights = model.state_dict()
    gguf.write(args.out, metadata(model.config, tokenizer),
               {theirs: weights[ours].numpy() for ours, theirs in gguf_names(model.config).items()})
    print(f"{args.out}: {sum(weight.numel() for weight in model.parameters())} parameters")


if __name__ == "__main__":
    main()
