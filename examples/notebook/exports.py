#!/usr/bin/env python3
"""Reads what Heed exports: the lens and the attribution (CSV), edits (JSON), and states of the residual stream (NPY). Needs nothing but
Python; in a notebook, numpy.load reads the same NPY files, and pandas.read_csv the tables.

    python3 exports.py lens.csv attribution.csv edits.json states.npy

The page saves the first three (“Save as CSV”, “Save as JSON”); hidden.mjs beside this file writes states.npy.
"""

import ast
import csv
import json
import math
import struct
import sys
from pathlib import Path


def read_lens(path):
    """{(layer, position): [(token, probability), ...], the most probable first}; layer 0 is what enters the first layer."""
    cells = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            cells.setdefault((int(row["layer"]), int(row["position"])), []).append((row["prediction"], float(row["probability"])))
    return cells


def read_attribution(path):
    """({(group, part): its share of the logit}, their sum)."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    *parts, total = [((row["group"], row["part"]), float(row["logit"])) for row in rows]
    return dict(parts), total[1]


def read_edits(path):
    """{"model", "prompt": tokens, "edits": as the package takes them, "without" and "with": {"text", "tokens"}}."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def read_npy(path):
    """(shape, values row by row) of a NPY file of float32 (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html)."""
    data = Path(path).read_bytes()
    if data[:8] != b"\x93NUMPY\x01\x00":
        raise ValueError(f"{path} is not a NPY file of version 1.0")
    start = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:start].decode("latin-1"))
    if header["descr"] != "<f4" or header["fortran_order"]:
        raise ValueError(f"{path} has values of another kind: {header}")
    count = math.prod(header["shape"])
    return header["shape"], struct.unpack(f"<{count}f", data[start:start + 4 * count])


def show_lens(path):
    cells = read_lens(path)
    last = max(position for _, position in cells)
    for layer in sorted({layer for layer, _ in cells}):
        token, probability = cells[layer, last][0]
        print(f"after layer {layer}: {token!r} {probability:.3f}")


def show_attribution(path):
    parts, total = read_attribution(path)
    for (group, part), share in sorted(parts.items(), key=lambda item: -abs(item[1]))[:5]:
        print(f"{group}, {part}: {share:+.2f}")
    print(f"all parts: {sum(parts.values()):.2f}, the logit: {total:.2f}")


def show_edits(path):
    exported = read_edits(path)
    print(f"{len(exported['edits'])} edits of {exported['model']}")
    print(f"without: {exported['without']['text']!r}")
    print(f"with: {exported['with']['text']!r}")


def show_states(path):
    (layers, positions, width), values = read_npy(path)
    for layer in range(layers):
        last = values[((layer + 1) * positions - 1) * width:(layer + 1) * positions * width]
        print(f"state {layer}: length {math.sqrt(sum(value * value for value in last)):.2f}")


SHOWN = {"lens.csv": show_lens, "attribution.csv": show_attribution, "edits.json": show_edits, "states.npy": show_states}

if __name__ == "__main__":
    for argument in sys.argv[1:]:
        SHOWN[Path(argument).name](argument)
