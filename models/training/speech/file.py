"""Writes the model as a file of whisper.cpp (its "ggml" format), with matrices in Q5_0.

    python3 -m speech.file --folder /tmp/words --out heed-words.bin
"""

import argparse
import struct
from pathlib import Path

import torch

from speech import mel, q5
from speech.model import AUDIO_LAYERS, CONTEXT, HEADS, POSITIONS, TEXT_LAYERS, WIDTH, Whisper
from speech.words import TEXTS, USED, VOCABULARY

MAGIC, KIND = 0x67676D6C, 2008  # Q5_0
F32, F16, Q5_0 = 0, 1, 6


def tensors(model):
    """(name, array) as the file has them: all tokens have rows."""
    state = model.state_dict()
    compact = model.decoder.embedding().detach()
    table = compact[-1].repeat(VOCABULARY, 1)
    table[USED] = compact[:-1]
    for name, value in state.items():
        if name.startswith(("labels.", "decoder.words", "decoder.times", "decoder.time_waves")):
            continue
        yield name, value[:, None] if name in ("encoder.conv1.bias", "encoder.conv2.bias") else value
    yield "decoder.token_embedding.weight", table


def kind_of(name, value):
    if "conv" in name and name.endswith("weight"):
        return F16
    return Q5_0 if value.dim() == 2 and name.endswith("weight") else F32


def write(path, model):
    sizes = [VOCABULARY, POSITIONS, WIDTH, HEADS, AUDIO_LAYERS, CONTEXT, WIDTH, HEADS, TEXT_LAYERS, mel.BANDS, KIND]
    with open(path, "wb") as file:
        file.write(struct.pack("<I11i", MAGIC, *sizes))
        file.write(struct.pack("<2i", mel.BANDS, mel.BINS) + mel.FILTERS.astype("<f4").tobytes())
        file.write(struct.pack("<i", len(TEXTS)))
        for text in TEXTS:
            file.write(struct.pack("<I", len(text)) + text.encode())
        for name, value in tensors(model):
            kind = kind_of(name, value)
            file.write(struct.pack("<3i", value.dim(), len(name), kind))
            file.write(struct.pack(f"<{value.dim()}i", *reversed(value.shape)) + name.encode())
            plain = value.detach().float().contiguous()
            file.write(q5.pack(plain) if kind == Q5_0 else plain.numpy().astype("<f2" if kind == F16 else "<f4").tobytes())


@torch.no_grad()
def as_written(model):
    """The matrices that a step of training computes with, when it is to expect what the file has: {parameter: what it was}."""
    kept = {}
    for name, value in model.named_parameters():
        if value.dim() == 2 and name.endswith("weight") and not name.startswith(("labels", "decoder.times")):
            kept[value] = value.detach().clone()
            value.copy_(q5.rounded(value))
    return kept


def rounded_table(table):
    """The rows of tokens as the file has them; gradients pass as if they were not rounded."""
    return table + (q5.rounded(table.detach()) - table.detach())



def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True, help="has checkpoint.pt")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    model = Whisper()
    model.load_state_dict(torch.load(arguments.folder / "checkpoint.pt")[2])
    write(arguments.out, model)
    print(f"{arguments.out}: {arguments.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
