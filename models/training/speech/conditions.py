"""Says words with held-out voices, as they are, in rooms and with noise, for evaluate.mjs: samples.i16 and index.json.

    python3 -m speech.conditions --folder /tmp/words/judged --count 160
"""

import argparse
import json
import random
from pathlib import Path

import numpy

from speech import rooms
from speech.corpus import say, sequence
from speech.speakers import RATE, Espeak, Flite

BEFORE, AFTER = 0.3, 0.5  # seconds of silence around the words
NOISES = {"noise 20 dB below": 20, "noise 10 dB below": 10, "noise 5 dB below": 5}


def level(sound):
    """The power of what is no pause."""
    return (sound[numpy.abs(sound) > 0.01] ** 2).mean()


def louder(sound):
    return sound / numpy.abs(sound).max() * 0.7


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--count", type=int, default=160, help="sequences of words, each of them once in each condition")
    parser.add_argument("--seed", type=int, default=1234)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    dice, chance = random.Random(arguments.seed), numpy.random.default_rng(arguments.seed)
    espeak, flite, index, at = Espeak(), Flite(), [], 0
    with open(arguments.folder / "samples.i16", "wb") as file:

        def add(condition, voice, words, times, sound):
            nonlocal at
            file.write(numpy.round(louder(sound) * 32767).astype("<i2").tobytes())
            index.append({"condition": condition, "voice": voice, "words": words, "times": times, "at": at, "count": len(sound)})
            at += len(sound)

        said = []
        while len(said) < arguments.count:
            words = sequence(dice)
            try:
                said.append((words, *say(dice, espeak, flite, words, held=True)))
            except ValueError:  # its times are not known
                continue
        other = lambda: said[int(chance.integers(0, len(said)))][2]
        for words, voice, samples, times in said:
            clean = louder(numpy.concatenate([numpy.zeros(int(BEFORE * RATE)), samples, numpy.zeros(int(AFTER * RATE))]))
            times = [(float((begin / RATE) + BEFORE), float((end / RATE) + BEFORE)) for begin, end in times]
            add("clean", voice, words, times, clean)
            add("rooms and microphones", voice, words, times, rooms.room(chance, clean))
            for name, below in NOISES.items():
                noise = rooms.noise(chance, len(clean), other) * numpy.sqrt(level(clean) * 10 ** (-below / 10))
                add(name, voice, words, times, clean + noise)
        for number in range(arguments.count // 4):  # nobody speaks
            count = int(chance.uniform(1, 8) * RATE)
            add("nothing but noise", "none", [], [], rooms.noise(chance, count, lambda: rooms.colored(chance, RATE, 1)))
    (arguments.folder / "index.json").write_text(json.dumps(index))
    print(f"{len(index)} sounds of {at / RATE / 60:.0f} minutes")


if __name__ == "__main__":
    main()
