#!/usr/bin/python3
"""heed-captions: a CLIP (arXiv:2103.00020), whose vectors of a drawing and of its caption lie close together.

    python3 -m tiny.clip --folder FOLDER [--steps 2000]     FOLDER keeps the drawings

Its tower for pictures begins as a ViT of vit.py's, heed-pictures or another.
"""

import argparse
import random
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from places import TINY
from tiny import vit
from tiny.captions import BEGIN, END, BytePairs, caption
from tiny.parts import Eyes, VisionLayer, causal, contrast, quick_gelu
from tiny.scenes import SIDE, kept
from tiny.training import CONTROL, begin_as, fit, save, tokens

WIDTH, HEADS, LAYERS, TEXT_LAYERS, PATCH, PROJECTION, CONTEXT = 64, 4, 3, 2, 6, 64, 32
SCALE, BATCH = 20.0, 64
OUT = TINY / "heed-captions.gguf"
DESCRIPTION = "Compares small drawings with captions: what there is, of what colour, how many, and where. Trained by the " \
    "Heed project on its own drawings. Example: a red boat on the sea."


class Reader(nn.Module):
    """The tower for texts: a token's vector knows those before it, and the last is the text's."""

    def __init__(self, vocabulary):
        super().__init__()
        self.token_embd, self.position_embd = nn.Embedding(vocabulary, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        nn.init.normal_(self.token_embd.weight, std=0.3)
        nn.init.normal_(self.position_embd.weight, std=0.1)
        self.blk = nn.ModuleList(VisionLayer(WIDTH, HEADS, 2 * WIDTH, quick_gelu) for _ in range(TEXT_LAYERS))
        self.post_ln = nn.LayerNorm(WIDTH)

    def forward(self, ids, lengths):
        x, mask = self.token_embd(ids) + self.position_embd.weight[:ids.shape[1]], causal(ids.shape[1])
        for layer in self.blk:
            x = layer(x, mask)
        return self.post_ln(x)[torch.arange(len(ids)), lengths - 1]


class Clip(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.v = Eyes(SIDE, PATCH, WIDTH, LAYERS, HEADS, quick_gelu, bias=False, pre_norm=True)
        self.t = Reader(vocabulary)
        self.visual_projection = nn.Linear(WIDTH, PROJECTION, bias=False)
        self.text_projection = nn.Linear(WIDTH, PROJECTION, bias=False)

    def of_pictures(self, pictures):
        return self.visual_projection(self.v(pictures)[:, 0])

    def of_texts(self, ids, lengths):
        return self.text_projection(self.t(ids, lengths))


def encode(words, texts):
    rows = [torch.tensor(words.encode(text)) for text in texts]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])


@torch.no_grad()
def figures(model, words, scenes, pictures, among=20):
    """Shares of pictures whose caption is found among so many others', and among those that differ in one thing only."""
    rng = random.Random(0)
    seen = torch.cat([model.of_pictures(vit.prepared(part)) for part in torch.as_tensor(pictures).split(250)])
    seen = functional.normalize(seen, dim=-1)
    read = functional.normalize(model.of_texts(*encode(words, [caption(scene, rng) for scene in scenes])), dim=-1)
    right = total = 0
    for start in range(0, len(scenes) - among + 1, among):
        best = (seen[start:start + among] @ read[start:start + among].T).argmax(-1).tolist()
        right += sum(scenes[start + i] == scenes[start + other] for i, other in enumerate(best))
        total += among
    shares = {f"among {among}": right / total}
    for field in ("thing", "color", "count", "place"):
        values = sorted({getattr(scene, field) for scene in scenes})
        texts = [caption(replaced(scene, field, value), rng) for scene in scenes for value in values]
        vectors = functional.normalize(model.of_texts(*encode(words, texts)), dim=-1).view(len(scenes), len(values), -1)
        best = (vectors @ seen[..., None])[..., 0].argmax(-1).tolist()
        right = sum(values[i] == getattr(scene, field) for i, scene in zip(best, scenes))
        shares[field] = round(right / len(scenes), 3)
    return shares


def replaced(scene, field, value):
    return type(scene)(**{**vars(scene), field: value})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--begin", type=Path, default=vit.OUT, help="a ViT, as which the tower for pictures begins")
    args = parser.parse_args()
    torch.manual_seed(1)
    scenes, pictures = kept(args.folder, "training", count=30000, seed=1)
    held_scenes, held_pictures = kept(args.folder, "held-out", count=2000, seed=2)
    words, rng = BytePairs(), random.Random(1)
    model = Clip(len(words.texts))
    begin_as(model, args.begin)

    def loss_of(_):
        chosen = rng.sample(range(len(scenes)), BATCH)
        seen = model.of_pictures(vit.varied(vit.prepared(pictures[chosen])))
        return contrast(seen, model.of_texts(*encode(words, [caption(scenes[i], rng) for i in chosen])), SCALE)

    fit(model, loss_of, args.steps, peak=1.5e-3,
        report=lambda: figures(model, words, held_scenes[:200], held_pictures[:200]))
    tower = lambda name, layers: {
        f"{name}.embedding_length": WIDTH, f"{name}.block_count": layers, f"{name}.feed_forward_length": 2 * WIDTH,
        f"{name}.attention.head_count": HEADS, f"{name}.attention.layer_norm_epsilon": 1e-5,
        f"{name}.projection_dim": PROJECTION}
    save(args.out, "clip", "heed-captions", DESCRIPTION, {
        **tower("vision", LAYERS), "vision.image_size": SIDE, "vision.patch_size": PATCH,
        "vision.image_mean": [vit.MEAN] * 3, "vision.image_std": [vit.DEVIATION] * 3,
        **tower("text", TEXT_LAYERS), "text.context_length": CONTEXT,
    }, tokens("clip", words.texts, {BEGIN: CONTROL, END: CONTROL}, {
        "tokenizer.ggml.pre": "clip", "tokenizer.ggml.merges": [" ".join(pair) for pair in words.merges],
        "tokenizer.ggml.bos_token_id": words.ids[BEGIN], "tokenizer.ggml.eos_token_id": words.ids[END],
    }), model)
    print("of the file:", figures(model, words, held_scenes, held_pictures))


if __name__ == "__main__":
    main()
