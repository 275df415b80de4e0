"""Scenes for pictures.py: what is drawn where, by chance; and pictures as PNG files.

    python3 -m tiny.scenes [SHEET.png]      draws the examples, and a sheet of scenes as they are trained on
"""

import pickle
import random
import struct
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy

from places import TINY
from tiny.pictures import COLORS, HIDDEN, PLACES, THINGS, Canvas

SIDE = 48
PAPERS = [(0.9, 0.9, 0.88), (0.8, 0.86, 0.9), (0.92, 0.88, 0.78), (0.75, 0.75, 0.75), (0.85, 0.8, 0.88)]
GROUNDS = {  # their colors far away and nearby
    "sea": ((0.25, 0.55, 0.7), (0.1, 0.3, 0.45)), "grass": ((0.5, 0.75, 0.35), (0.3, 0.58, 0.22)),
    "snow": ((0.97, 0.98, 1), (0.88, 0.92, 0.97)), "sand": ((0.95, 0.87, 0.62), (0.88, 0.76, 0.48))}


@dataclass(frozen=True)
class Scene:
    thing: str
    color: str
    count: int
    place: str


def jittered(rng, color, by=0.07):
    return tuple(min(1, max(0, part + rng.uniform(-by, by))) for part in color)


def clouds(c, rng):
    for _ in range(rng.choice((0, 0, 1, 2))):
        x, y, size = rng.uniform(0.05, 0.95), rng.uniform(0.05, 0.25), rng.uniform(0.03, 0.06)
        for step in (-1, 0, 1):
            c.disc((1, 1, 1), x + step * size * 1.2, y - (step == 0) * size * 0.4, size * (1.3 if step == 0 else 1))


def dots(c, rng, color, count, top, bottom, size):
    for _ in range(count):
        c.disc(color, rng.uniform(0, 1), rng.uniform(top, bottom), rng.uniform(0.5, 1) * size)


def background(c, rng, place):
    """Draws a place."""
    horizon = rng.uniform(0.5, 0.68)
    near = lambda color: jittered(rng, color)
    if place == "plain":
        color = near(rng.choice(PAPERS))
        c.shade(0, 1, color, near(color))
        return
    if place == "night":
        c.shade(0, 1, near((0.04, 0.05, 0.18)), near((0.12, 0.1, 0.3)))
        dots(c, rng, (1, 1, 0.85), rng.randint(8, 18), 0, 1, 0.012)
        return
    sky = near((0.45, 0.68, 0.9)) if place != "snow" else near((0.7, 0.77, 0.85))
    c.shade(0, horizon, sky, rng.choice([near((0.8, 0.9, 0.95)), near((0.97, 0.9, 0.78)), sky]))
    if place != "snow" and rng.random() < 0.5:
        c.disc(near((1, 0.85, 0.35)), rng.uniform(0.08, 0.92), rng.uniform(0.08, 0.25), rng.uniform(0.05, 0.09))
    clouds(c, rng)
    if rng.random() < 0.35:  # a hill far away
        hill = near((0.5, 0.6, 0.45) if place != "snow" else (0.75, 0.8, 0.85))
        c.disc(hill, rng.uniform(0, 1), horizon, rng.uniform(0.12, 0.3), rng.uniform(0.06, 0.18))
    upper, lower = GROUNDS[place]
    c.shade(horizon, 1, near(upper), near(lower))
    if place == "sea":
        for _ in range(rng.randint(5, 14)):
            x, y, width = rng.uniform(-0.1, 0.9), rng.uniform(horizon + 0.04, 0.98), rng.uniform(0.08, 0.2)
            c.box(near((0.55, 0.75, 0.85)), x, y, x + width, y + 0.012)
    if place == "snow":
        dots(c, rng, (1, 1, 1), rng.randint(10, 25), 0, 1, 0.015)
    if place == "grass":
        for _ in range(rng.randint(0, 12)):
            x, y = rng.uniform(0, 1), rng.uniform(horizon + 0.05, 1)
            c.polygon(near((0.25, 0.5, 0.18)), (x, y), (x + 0.015, y - 0.06), (x + 0.03, y))
    if place == "sand":
        dots(c, rng, near((0.8, 0.68, 0.42)), rng.randint(5, 15), horizon, 1, 0.01)


def draw(scene, rng, size=SIDE, most_noise=0.03):
    """A picture of the scene, S x S x 3 from 0 to 1."""
    c = Canvas(size)
    background(c, rng, scene.place)
    c.keep_background()
    color = jittered(rng, COLORS[scene.color], 0.05)
    largest = {1: 0.72, 2: 0.46, 3: 0.4}[scene.count]
    size_of_all = rng.uniform(0.6, 1) * largest
    for x, y in spread(rng, scene.count, size_of_all):
        c.place(x, y, size_of_all * rng.uniform(0.9, 1.1), rng.uniform(-0.15, 0.15))
        THINGS[scene.thing](c, color)
    c.place()
    strength, noise = rng.uniform(0, most_noise), numpy.random.default_rng(rng.getrandbits(32))
    return numpy.clip(c.picture() + strength * noise.standard_normal((size, size, 3), dtype=numpy.float32), 0, 1)


def spread(rng, count, size):
    """Places of so many things that do not touch."""
    while True:
        places = [(rng.uniform(size / 2, 1 - size / 2), rng.uniform(size / 2 + 0.03, 1.01 - size / 2))
                  for _ in range(count)]
        if all((a - x) ** 2 + (b - y) ** 2 > size ** 2 for i, (a, b) in enumerate(places) for x, y in places[:i]):
            return places


def any_scene(rng):
    place = rng.choice(PLACES)
    colors = [color for color in COLORS if color not in HIDDEN[place]]
    return Scene(rng.choice(list(THINGS)), rng.choice(colors), rng.choice((1, 1, 1, 2, 3)), place)


def some(count, seed):
    """So many scenes, and their pictures as bytes: N x S x S x 3."""
    rng = random.Random(seed)
    scenes = [any_scene(rng) for _ in range(count)]
    pictures = numpy.empty((count, SIDE, SIDE, 3), numpy.uint8)
    for i, scene in enumerate(scenes):
        pictures[i] = numpy.rint(draw(scene, rng) * 255)
    return scenes, pictures


def kept(folder, name, draw=some, **asked):
    """What `draw` draws, drawn once and kept in a folder: drawing takes as long as learning."""
    path = Path(folder) / f"{name}.pickle"
    if not path.exists():
        path.write_bytes(pickle.dumps(draw(**asked)))
    return pickle.loads(path.read_bytes())


def png(picture):
    """A file of bytes H x W x 3 (https://www.w3.org/TR/png-3/)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    height, width, _ = picture.shape
    lines = b"".join(b"\0" + row.tobytes() for row in picture)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


# By the seed that a scene is drawn with.
EXAMPLES = {
    "boat": (6, Scene("boat", "red", 1, "sea")), "cat": (8, Scene("cat", "orange", 1, "snow")),
    "house": (1, Scene("house", "yellow", 1, "grass")), "stars": (2, Scene("star", "pink", 2, "night")),
    "fish": (0, Scene("fish", "orange", 3, "sea")), "car": (6, Scene("car", "blue", 1, "sand")),
    "mushrooms": (4, Scene("mushroom", "red", 3, "grass")), "kite": (3, Scene("kite", "purple", 1, "plain"))}


def main():
    folder = TINY / "examples"
    folder.mkdir(exist_ok=True)
    for name, (seed, scene) in EXAMPLES.items():
        picture = draw(scene, random.Random(seed), 4 * SIDE, most_noise=0)
        (folder / f"{name}.png").write_bytes(png(numpy.rint(picture * 255).astype(numpy.uint8)))
    if len(sys.argv) > 1:
        _, pictures = some(160, 5)
        sheet = pictures.reshape(10, 16, SIDE, SIDE, 3).swapaxes(1, 2).reshape(10 * SIDE, 16 * SIDE, 3)
        Path(sys.argv[1]).write_bytes(png(sheet))


if __name__ == "__main__":
    main()
