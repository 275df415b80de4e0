#!/usr/bin/python3
"""heed-pictures: a vision transformer (arXiv:2010.11929) that says what is drawn in a picture.

    python3 -m tiny.vit --folder FOLDER [--steps 3000]     FOLDER keeps the drawings
"""

import argparse
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from places import TINY
from tiny.parts import Eyes
from tiny.pictures import THINGS
from tiny.scenes import SIDE, kept
from tiny.training import begin_as, fit, save

WIDTH, HEADS, LAYERS, PATCH = 64, 4, 3, 6
MEAN = DEVIATION = 0.5
LABELS = list(THINGS)
OUT = TINY / "heed-pictures.gguf"
DESCRIPTION = "Says what a small drawing shows: " + ", ".join(LABELS) + ". Trained by the Heed project on its own drawings."


class ViT(nn.Module):
    def __init__(self):
        super().__init__()
        self.v = Eyes(SIDE, PATCH, WIDTH, LAYERS, HEADS, functional.gelu, bias=True, pre_norm=False)
        self.v.head = nn.Linear(WIDTH, len(LABELS))

    def forward(self, pictures):
        return self.v.head(self.v(pictures)[:, 0])


def prepared(pictures):
    """Bytes N S S 3 -> N 3 S S, as the model knows colors."""
    return (torch.as_tensor(pictures).permute(0, 3, 1, 2) / 255.0 - MEAN) / DEVIATION


def varied(pictures, most=4):
    """All of a batch mirrored or not, moved a little, and brighter or darker each."""
    if torch.rand(()) < 0.5:
        pictures = pictures.flip(3)
    x, y = torch.randint(2 * most + 1, (2,)).tolist()
    pictures = functional.pad(pictures, (most,) * 4, mode="replicate")[:, :, y:y + SIDE, x:x + SIDE]
    return pictures * (1 + 0.15 * torch.randn(len(pictures), 1, 1, 1)) + 0.1 * torch.randn(len(pictures), 3, 1, 1)


@torch.no_grad()
def accuracy(model, pictures, labels):
    answers = torch.cat([model(prepared(part)).argmax(-1) for part in torch.as_tensor(pictures).split(250)])
    return float((answers == labels[:len(answers)]).float().mean())


def labels_of(scenes):
    return torch.tensor([LABELS.index(scene.thing) for scene in scenes])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--peak", type=float, default=2.5e-3, help="the learning rate at its highest")
    parser.add_argument("--begin", type=Path, help="a file of this script's to go on from, with all scenes at once")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    torch.manual_seed(1)
    scenes, pictures = kept(args.folder, "training", count=30000, seed=1)
    held_scenes, held_pictures = kept(args.folder, "held-out", count=2000, seed=2)
    labels, held_labels = labels_of(scenes), labels_of(held_scenes)
    model = ViT()
    if args.begin:
        begin_as(model, args.begin)

    single = torch.tensor([i for i, scene in enumerate(scenes) if scene.count == 1])

    def loss_of(step):
        begins = step < args.steps * 0.4 and not args.begin  # with the larger things
        among = single if begins else torch.arange(len(scenes))
        chosen = among[torch.randint(len(among), (64,))]
        logits = model(varied(prepared(pictures[chosen.numpy()])))
        return functional.cross_entropy(logits, labels[chosen], label_smoothing=0.05)

    fit(model, loss_of, args.steps, peak=args.peak,
        report=lambda: f"held out {accuracy(model, held_pictures[:250], held_labels):.3f}")
    save(args.out, "vit", "heed-pictures", DESCRIPTION, {
        "image_size": SIDE, "patch_size": PATCH, "image_mean": [MEAN] * 3, "image_std": [DEVIATION] * 3,
        "embedding_length": WIDTH, "block_count": LAYERS, "feed_forward_length": 2 * WIDTH,
        "attention.head_count": HEADS, "attention.layer_norm_epsilon": 1e-5, "labels": LABELS}, {}, model)
    print(f"of the file: right {accuracy(model, held_pictures, held_labels):.4f}")
    for count in (1, 2, 3):
        these = [i for i, scene in enumerate(held_scenes) if scene.count == count]
        print(f"{count} of a thing: {accuracy(model, held_pictures[these], held_labels[these]):.4f} of {len(these)}")


if __name__ == "__main__":
    main()
