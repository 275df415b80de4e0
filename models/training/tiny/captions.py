"""What is in a scene, in words; and byte-pair encoding (arXiv:1508.07909) that has a token for each of these words."""

import collections
import random
import re
import string

from tiny.scenes import any_scene

PLACES = {
    "plain": ("", "", "on plain paper"), "sea": ("on the sea", "on the water"), "grass": ("on the grass", "in a meadow"),
    "night": ("at night", "under the stars"), "snow": ("in the snow",), "sand": ("on the beach", "on the sand")}
BEGINNINGS = ("", "", "a drawing of ", "a picture of ")
NUMBERS = {1: "a", 2: "two", 3: "three"}
WORD_END = "</w>"
BEGIN, END = "<|startoftext|>", "<|endoftext|>"


def plural(thing):
    return thing if thing == "fish" else thing + "s"


def caption(scene, rng):
    """One of the ways to say it; all of them say the same of color, number and place."""
    thing = scene.thing if scene.count == 1 else plural(scene.thing)
    number = "an" if scene.count == 1 and scene.color[0] in "aeiou" else NUMBERS[scene.count]
    what, where = f"{number} {scene.color} {thing}", rng.choice(PLACES[scene.place])
    return f"{rng.choice(BEGINNINGS)}{what} {where}".strip()


def all_words():
    """The words of many captions, and how many times each is there."""
    rng = random.Random(0)
    return collections.Counter(word for _ in range(8000) for word in caption(any_scene(rng), rng).split())


class BytePairs:
    """CLIP's kind of vocabulary: the last piece of a word ends in </w>."""

    def __init__(self):
        self.merges = []
        counts = {tuple(word[:-1]) + (word[-1] + WORD_END,): count for word, count in sorted(all_words().items())}
        while any(len(word) > 1 for word in counts):
            pairs = collections.Counter()
            for word, count in counts.items():
                for pair in zip(word, word[1:]):
                    pairs[pair] += count
            best = max(pairs, key=lambda pair: (pairs[pair], pair))
            self.merges.append(best)
            counts = {merged(word, best): count for word, count in counts.items()}
        letters = string.ascii_lowercase + ".,'"
        self.texts = [*letters, *(letter + WORD_END for letter in letters),
                      *dict.fromkeys(left + right for left, right in self.merges), BEGIN, END]
        self.ids = {text: i for i, text in enumerate(self.texts)}
        self.known = {}

    def encode(self, text):
        return [self.ids[BEGIN], *(i for word in re.findall(r"[a-z]+|[.,']", text.lower()) for i in self.of_word(word)),
                self.ids[END]]

    def of_word(self, word):
        if word not in self.known:
            parts = tuple(word[:-1]) + (word[-1] + WORD_END,)
            for pair in self.merges:
                parts = merged(parts, pair)
            self.known[word] = [self.ids[part] for part in parts]
        return self.known[word]


def merged(word, pair):
    """A word's pieces, with each such pair of neighbors as one."""
    out, i = [], 0
    while i < len(word):
        is_pair = word[i:i + 2] == pair
        out.append("".join(pair) if is_pair else word[i])
        i += 2 if is_pair else 1
    return tuple(out)
