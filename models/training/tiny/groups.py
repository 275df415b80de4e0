"""Pictures of two or three different things beside each other, for questions.py: which, of what colors, and where each is.

Kinds, colors, sizes and positions are drawn independently of each other, so that nothing in a picture tells of the rest.

    python3 -m tiny.groups [SHEET.png]      draws the examples, and a sheet of pictures as they are trained on
"""

import random
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy

from places import TINY
from tiny.french import held_out
from tiny.pictures import COLORS, HIDDEN, PLACES, THINGS, Canvas
from tiny.scenes import background, jittered, png

SIDE = 64
PAINTS = [color for color in COLORS if color not in ("white", "black")]
SIZES = {2: (0.3, 0.46), 3: (0.24, 0.33)}


@dataclass(frozen=True)
class Group:
    """(color, kind) of each thing, from left to right, and the place that they are drawn at."""
    things: tuple
    place: str

    def mirrored(self):
        return Group(self.things[::-1], self.place)

    def is_held_out(self):
        """One set of things in twenty, by its letters, is never trained on, in whatever order."""
        return held_out(" ".join(sorted(map(" ".join, self.things))))


def any_group(rng, testing):
    while True:
        kinds = rng.sample(list(THINGS), rng.choice((2, 3)))
        things = tuple((rng.choice(PAINTS), kind) for kind in kinds)
        place = rng.choice([place for place in PLACES if not HIDDEN[place] & {color for color, _ in things}])
        group = Group(things, place)
        if group.is_held_out() == testing:
            return group


def positions(rng, count):
    """(x, y, size) of so many things from left to right, none of which is above another."""
    sizes = [rng.uniform(*SIZES[count]) for _ in range(count)]
    gaps = [rng.random() for _ in range(count + 1)]
    share, left = (1 - sum(sizes)) / sum(gaps), 0.0
    for size, gap in zip(sizes, gaps):
        left += gap * share
        yield left + size / 2, rng.uniform(size / 2, 1 - size / 2), size
        left += size


def draw(group, rng, side=SIDE, most_noise=0.03):
    """A picture of the group, S x S x 3 from 0 to 1, and (left, top, right, bottom) of each thing, from 0 to 1 too."""
    c, boxes = Canvas(side), []
    background(c, rng, group.place)
    c.keep_background()
    for (color, kind), (x, y, size) in zip(group.things, positions(rng, len(group.things))):
        c.place(x, y, size, rng.uniform(-0.15, 0.15))
        THINGS[kind](c, jittered(rng, COLORS[color], 0.05))
        boxes.append((x - size / 2, y - size / 2, x + size / 2, y + size / 2))
    strength, noise = rng.uniform(0, most_noise), numpy.random.default_rng(rng.getrandbits(32))
    noisy = c.picture() + strength * noise.standard_normal((side, side, 3), dtype=numpy.float32)
    return numpy.clip(noisy, 0, 1), boxes


def as_bytes(picture):
    return numpy.rint(picture * 255).astype(numpy.uint8)


def some(count, seed, testing=False):
    """So many groups, their pictures as bytes, N x S x S x 3, and the boxes of their things."""
    rng = random.Random(seed)
    groups = [any_group(rng, testing) for _ in range(count)]
    drawn = [draw(group, rng) for group in groups]
    return groups, numpy.stack([as_bytes(picture) for picture, _ in drawn]), [boxes for _, boxes in drawn]


# By the seed that a group is drawn with: held-out groups, drawn so that heed-questions describes them correctly.
EXAMPLES = {
    "boat-and-house": (6, Group((("red", "boat"), ("pink", "house")), "sea")),
    "tree-and-car": (3, Group((("blue", "tree"), ("orange", "car")), "snow")),
    "fish-mushroom-flower": (0, Group((("pink", "fish"), ("red", "mushroom"), ("yellow", "flower")), "grass")),
    "moon-house-tree": (4, Group((("yellow", "moon"), ("pink", "house"), ("green", "tree")), "night")),
    "cup-kite-heart": (1, Group((("blue", "cup"), ("red", "kite"), ("yellow", "heart")), "plain"))}


def main():
    folder = TINY / "examples"
    for name, (seed, group) in EXAMPLES.items():
        picture, _ = draw(group, random.Random(seed), 3 * SIDE, most_noise=0)
        (folder / f"{name}.png").write_bytes(png(as_bytes(picture)))
    if len(sys.argv) > 1:
        _, pictures, _ = some(96, 5)
        sheet = pictures.reshape(8, 12, SIDE, SIDE, 3).swapaxes(1, 2).reshape(8 * SIDE, 12 * SIDE, 3)
        Path(sys.argv[1]).write_bytes(png(sheet))


if __name__ == "__main__":
    main()
