"""Says many sequences of words, clean, into a folder: samples.i16 with all sounds one after another, and index.json.

    python3 -m speech.corpus --folder /tmp/words --count 16000
"""

import argparse
import json
import random
from pathlib import Path

import numpy

from speech.speakers import ACCENTS, FLITE, HELD_ACCENTS, HELD_FLITE, HELD_VARIANTS, Espeak, Flite, variants
from speech.words import WORDS

FLITE_SHARE = 0.12


def sequence(dice, longest=8):
    count = min(dice.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8]), longest)
    words = [dice.choice(WORDS) for _ in range(count)]
    if count > 1 and dice.random() < 0.1:  # a word twice
        place = dice.randrange(1, count)
        words[place] = words[place - 1]
    if dice.random() < 0.2:  # digits alone, as numbers are said
        words = [dice.choice(WORDS[:10]) for _ in range(count)]
    return words


def say(dice, espeak, flite, words, held=False):
    """A voice by chance: (voice, samples, times). `held`: one that is never trained."""
    if dice.random() < FLITE_SHARE:
        voice = dice.choice(HELD_FLITE if held else FLITE)
        stretch = dice.choice([0.8, 0.9, 1.0, 1.1, 1.25, 1.4])
        gaps = [dice.choice([0, 0, 400, 800, 1600, 3200]) if place else 0 for place in range(len(words))]
        return "flite " + voice, *flite.say(words, voice, stretch, gaps)
    if held:
        accent, variant = dice.choice(ACCENTS + HELD_ACCENTS), dice.choice(HELD_VARIANTS)
    else:
        accent, variant = dice.choice(ACCENTS), dice.choice(["", "", *variants()])
    voice = accent + ("+" + variant if variant else "")
    between = dice.choice([" ", " ", " ", ", ", " ... " if len(words) < 4 else " "])
    return voice, *espeak.say(words, voice, speed=dice.randint(110, 260), pitch=dice.randint(15, 85), span=dice.randint(20, 90),
                              gap=dice.choice([0, 0, 0, 2, 5, 10]), between=between)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--count", type=int, default=16000)
    parser.add_argument("--held", action="store_true", help="voices that are never trained")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    dice, espeak, flite = random.Random(arguments.seed), Espeak(), Flite()
    index, at, refused = [], 0, 0
    with open(arguments.folder / "samples.i16", "wb") as file:
        while len(index) < arguments.count:
            words = sequence(dice)
            try:
                voice, samples, times = say(dice, espeak, flite, words, arguments.held)
            except ValueError:
                refused += 1
                continue
            peak = numpy.abs(samples).max()
            file.write((samples / peak * 30000).astype("<i2").tobytes())
            index.append({"voice": voice, "words": words, "times": times, "at": at, "count": len(samples)})
            at += len(samples)
    (arguments.folder / "index.json").write_text(json.dumps(index))
    print(f"{len(index)} sounds of {at / 16000 / 3600:.1f} hours; {refused} refused")


if __name__ == "__main__":
    main()
