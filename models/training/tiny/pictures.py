"""Draws the small pictures that ViT and CLIP learn from: one to three things of a color, at a place.

Coordinates run from 0 to 1, right and down. A picture is S x S x 3, from 0 to 1.
"""


import numpy

COLORS = {
    "red": (0.85, 0.12, 0.12), "orange": (0.98, 0.55, 0.08), "yellow": (0.97, 0.86, 0.15), "green": (0.13, 0.6, 0.2),
    "blue": (0.14, 0.3, 0.85), "purple": (0.5, 0.18, 0.68), "pink": (0.98, 0.55, 0.72), "brown": (0.45, 0.27, 0.12),
    "white": (0.98, 0.98, 0.97), "black": (0.07, 0.07, 0.08)}
DARK, PALE, GLASS = (0.15, 0.12, 0.12), (0.97, 0.95, 0.9), (0.75, 0.87, 0.95)
WOOD, GRASS = (0.4, 0.26, 0.13), (0.3, 0.62, 0.25)
# The colors that would not show there.
HIDDEN = {"sea": {"blue"}, "grass": {"green"}, "night": {"black", "purple", "blue"}, "snow": {"white"},
          "sand": {"yellow", "orange"}, "plain": set()}
PLACES = list(HIDDEN)
OVERSAMPLING = 2


class Canvas:
    """A picture that shapes are filled on. `frame` is where a thing's own 0 to 1 lie: (x, y, size, turn)."""

    def __init__(self, size):
        self.size = size * OVERSAMPLING
        self.pixels = numpy.ones((self.size, self.size, 3), numpy.float32)
        self.axis = ((numpy.arange(self.size) + 0.5) / self.size).astype(numpy.float32)
        self.place()

    def place(self, x=0.5, y=0.5, size=1.0, turn=0.0):
        self.frame = x, y, size, numpy.cos(turn), numpy.sin(turn)

    def points(self, corners):
        """From a thing's own coordinates, whose middle is (0.5, 0.5), to the picture's."""
        x, y, size, cosine, sine = self.frame
        u, v = (numpy.asarray(corners, numpy.float32) - 0.5).T * size
        return numpy.stack([x + u * cosine - v * sine, y + u * sine + v * cosine], 1)

    def keep_background(self):
        self.background = self.pixels.copy()

    def behind(self, x, y):
        """The background's color there."""
        column, row = (min(max(int(part * self.size), 0), self.size - 1) for part in self.points([(x, y)])[0])
        return self.background[row, column]

    def polygon(self, color, *corners):
        """Fills what an odd number of the outline's edges have to their right."""
        points = self.points(corners)
        low = numpy.clip(numpy.floor(points.min(0) * self.size), 0, self.size).astype(int)
        high = numpy.clip(numpy.ceil(points.max(0) * self.size), 0, self.size).astype(int)
        xs, ys = self.axis[low[0]:high[0]], self.axis[low[1]:high[1], None]
        inside = numpy.zeros((len(ys), len(xs)), bool)
        for (x0, y0), (x1, y1) in zip(points, numpy.roll(points, -1, 0)):
            if y0 != y1:
                crosses = (ys < y0) != (ys < y1)
                inside ^= crosses & (xs < x0 + (ys - y0) * ((x1 - x0) / (y1 - y0)))
        self.pixels[low[1]:high[1], low[0]:high[0]][inside] = color

    def disc(self, color, x, y, radius, height=None):
        turns = numpy.linspace(0, 2 * numpy.pi, 25)[:-1]
        self.polygon(color, *zip(x + radius * numpy.cos(turns), y + (height or radius) * numpy.sin(turns)))

    def box(self, color, left, top, right, bottom):
        self.polygon(color, (left, top), (right, top), (right, bottom), (left, bottom))

    def shade(self, top, bottom, upper, lower):
        """Colors between two, from a height to another, over the whole width."""
        rows = slice(round(top * self.size), round(bottom * self.size))
        share = numpy.linspace(0, 1, rows.stop - rows.start, dtype=numpy.float32)[:, None, None]
        self.pixels[rows] = numpy.float32(upper) * (1 - share) + numpy.float32(lower) * share

    def picture(self):
        side = self.size // OVERSAMPLING
        return self.pixels.reshape(side, OVERSAMPLING, side, OVERSAMPLING, 3).mean((1, 3))


def darker(color, share=0.65):
    return tuple(share * part for part in color)


def wheel(points, outer, inner=None, start=-numpy.pi / 2):
    """The corners of a star, or without an inner radius of a regular polygon."""
    count = points * (2 if inner else 1)
    radii = [inner if inner and i % 2 else outer for i in range(count)]
    turns = [start + 2 * numpy.pi * i / count for i in range(count)]
    return [(0.5 + radius * numpy.cos(turn), 0.5 + radius * numpy.sin(turn)) for radius, turn in zip(radii, turns)]


def heart():
    t = numpy.linspace(0, 2 * numpy.pi, 33)[:-1]
    x, y = 16 * numpy.sin(t) ** 3, 13 * numpy.cos(t) - 5 * numpy.cos(2 * t) - 2 * numpy.cos(3 * t) - numpy.cos(4 * t)
    return list(zip(0.5 + x / 36, 0.47 - y / 36))


def moon():
    outer, inner = numpy.linspace(0.65, 2 * numpy.pi - 0.65, 20), numpy.linspace(2 * numpy.pi - 1.05, 1.05, 20)
    return [*zip(0.5 + 0.45 * numpy.cos(outer), 0.5 + 0.45 * numpy.sin(outer)),
            *zip(0.62 + 0.32 * numpy.cos(inner), 0.5 + 0.32 * numpy.sin(inner))]


def house(c, color):
    c.box(color, 0.15, 0.45, 0.85, 0.95)
    c.polygon(darker(color), (0.05, 0.47), (0.5, 0.08), (0.95, 0.47))
    c.box(WOOD, 0.42, 0.65, 0.58, 0.95)
    c.box(GLASS, 0.22, 0.55, 0.36, 0.7)
    c.box(GLASS, 0.64, 0.55, 0.78, 0.7)


def tree(c, color):
    c.box(WOOD, 0.44, 0.6, 0.56, 0.97)
    for x, y, radius in ((0.5, 0.28, 0.25), (0.32, 0.45, 0.22), (0.68, 0.45, 0.22)):
        c.disc(color, x, y, radius)


def boat(c, color):
    c.box(DARK, 0.475, 0.06, 0.515, 0.7)
    c.polygon(PALE, (0.54, 0.1), (0.54, 0.64), (0.9, 0.64))
    c.polygon(darker(color, 0.85), (0.45, 0.16), (0.45, 0.64), (0.14, 0.64))
    c.polygon(color, (0.06, 0.69), (0.96, 0.69), (0.8, 0.92), (0.22, 0.92))


def car(c, color):
    c.polygon(color, (0.2, 0.52), (0.32, 0.3), (0.68, 0.3), (0.82, 0.52))
    c.polygon(GLASS, (0.28, 0.51), (0.36, 0.36), (0.48, 0.36), (0.48, 0.51))
    c.polygon(GLASS, (0.52, 0.51), (0.52, 0.36), (0.64, 0.36), (0.73, 0.51))
    c.box(color, 0.04, 0.5, 0.96, 0.72)
    for x in (0.25, 0.75):
        c.disc(DARK, x, 0.73, 0.12)
        c.disc(PALE, x, 0.73, 0.05)


def fish(c, color):
    c.polygon(darker(color), (0.68, 0.5), (0.96, 0.25), (0.96, 0.75))
    c.disc(color, 0.42, 0.5, 0.36, 0.24)
    c.disc(PALE, 0.24, 0.45, 0.06)
    c.disc(DARK, 0.23, 0.45, 0.03)


def cat(c, color):
    c.polygon(color, (0.14, 0.05), (0.14, 0.5), (0.48, 0.26))
    c.polygon(color, (0.86, 0.05), (0.86, 0.5), (0.52, 0.26))
    c.disc(color, 0.5, 0.55, 0.4, 0.36)
    eye = DARK if sum(color) > 1.2 else (0.7, 0.95, 0.4)
    for x in (0.34, 0.66):
        c.disc(eye, x, 0.48, 0.06, 0.08)
    c.polygon((0.95, 0.5, 0.55), (0.43, 0.62), (0.57, 0.62), (0.5, 0.71))


def flower(c, color):
    c.box(GRASS, 0.47, 0.5, 0.53, 0.98)
    c.polygon(GRASS, (0.5, 0.85), (0.75, 0.65), (0.7, 0.85))
    for x, y in wheel(5, 0.2):
        c.disc(color, x, y - 0.16, 0.14)
    c.disc((0.98, 0.8, 0.2) if color != COLORS["yellow"] else WOOD, 0.5, 0.34, 0.11)


def mushroom(c, color):
    c.polygon(PALE, (0.4, 0.5), (0.6, 0.5), (0.66, 0.95), (0.34, 0.95))
    top = numpy.linspace(numpy.pi, 2 * numpy.pi, 16)
    c.polygon(color, *zip(0.5 + 0.44 * numpy.cos(top), 0.56 + 0.46 * numpy.sin(top)))
    dots = PALE if color != COLORS["white"] else (0.85, 0.12, 0.12)
    for x, y in ((0.32, 0.4), (0.52, 0.26), (0.68, 0.44)):
        c.disc(dots, x, y, 0.06)


def kite(c, color):
    c.polygon(color, (0.5, 0.02), (0.8, 0.32), (0.5, 0.72), (0.2, 0.32))
    c.polygon(darker(color), (0.5, 0.02), (0.8, 0.32), (0.5, 0.32))
    c.polygon(darker(color), (0.5, 0.72), (0.2, 0.32), (0.5, 0.32))
    for x, y in ((0.5, 0.78), (0.43, 0.87), (0.5, 0.96)):
        c.disc(color, x, y, 0.05)


def cup(c, color):
    c.disc(color, 0.76, 0.5, 0.2)
    c.disc(c.behind(0.77, 0.5), 0.77, 0.5, 0.11)
    c.polygon(color, (0.12, 0.22), (0.72, 0.22), (0.66, 0.86), (0.18, 0.86))
    c.disc(darker(color), 0.42, 0.22, 0.3, 0.07)


def outline(corners):
    return lambda c, color: c.polygon(color, *corners)


THINGS = {
    "circle": lambda c, color: c.disc(color, 0.5, 0.5, 0.43),
    "square": outline([(0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88)]),
    "triangle": outline([(0.5, 0.1), (0.95, 0.87), (0.05, 0.87)]),
    "star": outline(wheel(5, 0.5, 0.2)), "heart": outline(heart()), "moon": outline(moon()),
    "house": house, "tree": tree, "boat": boat, "car": car, "fish": fish, "cat": cat, "flower": flower,
    "mushroom": mushroom, "kite": kite, "cup": cup}
