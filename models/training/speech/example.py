"""Writes the sound that shows what the model hears, and when its words are said, in voices that were never trained.

    python3 -m speech.example        # ../tiny/examples/words.wav and words.json
"""

import json
import wave
from pathlib import Path

import numpy

from speech.speakers import RATE, Espeak

FOLDER = Path(__file__).parents[2] / "tiny/examples"
SAID = [
    ("en-us+Andrea", "hello yes no"),
    ("en-gb-x-rp+Michael", "stop go left right up down"),
    ("en+f4", "red on blue"),
    ("en+f4", "off green"),
    ("en-us+steph2", "zero one two three four five six seven eight nine"),
]
PAUSE = 0.6  # seconds after each


def say(espeak, words, voice):
    """The library sometimes reports a word too many, and not the next time."""
    for _ in range(9):
        try:
            return espeak.say(words, voice, speed=150, gap=5)
        except ValueError:
            pass
    raise ValueError(f"{voice} does not say {words}")


def main():
    espeak, pieces, words, length = Espeak(), [], [], 0.4
    pieces.append(numpy.zeros(int(length * RATE)))
    for voice, text in SAID:
        said = text.split()
        samples, times = say(espeak, said, voice)
        words += [{"text": word, "start": round(length + begin / RATE, 3), "end": round(length + end / RATE, 3)}
                  for word, (begin, end) in zip(said, times)]
        pieces += [samples / numpy.abs(samples).max() * 0.7, numpy.zeros(int(PAUSE * RATE))]
        length += len(samples) / RATE + PAUSE
    noise = numpy.random.default_rng(1).normal(size=sum(map(len, pieces))) * 0.002  # what a quiet room has
    with wave.open(str(FOLDER / "words.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(RATE)
        file.writeframes(numpy.round((numpy.concatenate(pieces) + noise) * 127 + 128).clip(0, 255).astype("u1").tobytes())
    (FOLDER / "words.json").write_text("[\n" + ",\n".join("  " + json.dumps(word) for word in words) + "\n]\n")
    print(f"{len(words)} words in {length:.1f} s")


if __name__ == "__main__":
    main()
