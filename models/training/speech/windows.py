"""What is trained: windows of sound, made of clean utterances, and the tokens to write, by Whisper's rules.

A window may begin anywhere in the 30 seconds of a real one, and end soon after the last word: what lies before and after it is left
out, which takes a fifth of the time.
"""

import json

import numpy

from speech import mel, rooms
from speech.speakers import RATE, resample
from speech.words import FIRST_TIME_C, END_C, PREVIOUS_C, SILENT_C, START_C, TEXTS, UNTIMED_C

POSITION = 320  # samples
POSITIONS = 1500
PAUSE = 0.6  # seconds: a longer one begins a new segment
LATEST_FIRST = 50  # the latest time that a window may begin with
LONGEST = 76  # tokens that are written in a window at most: the half of the context, less 4
NUMBER = {text[1:]: number for number, text in enumerate(TEXTS)}


class Corpus:
    def __init__(self, folder):
        self.index = json.loads((folder / "index.json").read_text())
        self.samples = numpy.memmap(folder / "samples.i16", "<i2", "r")
        self.lengths = numpy.array([entry["count"] for entry in self.index])
        self.order = numpy.argsort(self.lengths)
        self.sorted = self.lengths[self.order]

    def take(self, number):
        entry = self.index[number]
        samples = self.samples[entry["at"]:entry["at"] + entry["count"]].astype(numpy.float32) / 32768
        return samples, [NUMBER[word] for word in entry["words"]], entry["times"]

    def shorter(self, dice, most):
        """A number of an utterance of at most `most` samples, or None."""
        count = int(numpy.searchsorted(self.sorted, most))
        return int(self.order[dice.integers(0, count)]) if count else None


def compose(dice, corpus, positions, cut):
    """Utterances with silence between them: samples, ids of words, their times in samples; and with `cut`, when an utterance begins
    that the window does not hold to its end, or None."""
    sound = numpy.zeros(positions * POSITION, numpy.float32)
    words, times = [], []
    at = int(dice.choice([dice.uniform(0, 0.1), dice.uniform(0, 0.6), dice.uniform(0, 2)]) * RATE)
    while True:
        number = corpus.shorter(dice, min(len(sound) - at, 10 ** 6) / 1.15 - 160)
        if number is None or len(words) > LONGEST // 2:
            break
        samples, said, when = corpus.take(number)
        factor = dice.uniform(0.88, 1.13)  # another speed and another size of the speaker
        changed = resample(numpy.pad(samples, (0, -len(samples) % 64)), 64 * max(1, round(len(samples) * factor / 64)))
        changed = changed * 10 ** (dice.uniform(-3, 3) / 20)
        sound[at:at + len(changed)] += changed[:len(sound) - at]
        words += said
        times += [(at + begin * factor, at + end * factor) for begin, end in when]
        pause = dice.choice([0.03, 0.2, 0.6, 1.5, 3.0], p=[0.25, 0.3, 0.15, 0.2, 0.1]) * dice.uniform(0.5, 1.5)
        at += len(changed) + int(pause * RATE)
        if dice.random() < 0.1:
            break
    partial = None
    if cut and times and len(sound) - times[-1][1] > 2 * PAUSE * RATE:
        at = len(sound) - int(dice.uniform(0.15, 0.5) * RATE)
        samples, _, when = corpus.take(int(dice.integers(0, len(corpus.index))))
        if len(samples) > 1.2 * RATE:
            partial = at + when[0][0]
            sound[at:] += samples[:len(sound) - at]
    return sound, words, times, partial


def disturb(dice, corpus, sound, silent):
    """Through a room, with noise, at some loudness."""
    if not silent and dice.random() < 0.7:
        sound = rooms.room(dice, sound)
    level = numpy.sqrt((sound[numpy.abs(sound) > 0.01] ** 2).mean()) if not silent and numpy.abs(sound).max() > 0.02 else 0.1
    if silent or dice.random() < 0.8:
        below = dice.choice([dice.uniform(5, 20), dice.uniform(15, 40), dice.uniform(40, 70)])
        def other():
            return corpus.take(int(dice.integers(0, len(corpus.index))))[0]
        sound = sound + rooms.noise(dice, len(sound), other) * level * 10 ** (-below / 20)
    peak = numpy.abs(sound).max() + 1e-9
    sound = sound / peak * 10 ** (-dice.choice([dice.uniform(0, 12), dice.uniform(0, 45)]) / 20)
    if dice.random() < 0.05:
        sound = numpy.clip(sound * dice.uniform(1.5, 4), -1, 1)
    return numpy.round(sound * 32767) / 32767 if dice.random() < 0.7 else sound


def segments(words, times):
    """Cuts at pauses: lists of (word, begin, end), the times in positions."""
    cut = []
    for word, (begin, end) in zip(words, times):
        if not cut or begin - last > PAUSE * RATE or len(cut[-1]) >= 12:
            cut.append([])
        cut[-1].append((word, begin / POSITION, end / POSITION))
        last = end
    return cut


def past(dice):
    """What may have been said before."""
    tokens, time = [], 0
    for _ in range(dice.integers(1, 6)):
        begin = time + int(dice.integers(0, 100))
        time = begin + int(dice.integers(20, 200))
        words = [int(dice.integers(1, len(TEXTS))) for _ in range(dice.integers(1, 8))]
        if time < POSITIONS and dice.random() < 0.9:
            words = [FIRST_TIME_C + begin, *words, FIRST_TIME_C + time]
        tokens += words
    return tokens[-79:]


def written(dice, words, times, offset, partial):
    """(tokens to read, tokens to write or -1, place of each read token in the sound or None): times are from `offset` on."""
    read = [PREVIOUS_C, *past(dice)] if dice.random() < 0.3 else []
    write, places = [-1] * len(read), [None] * len(read)
    if not words:  # nobody speaks: the first token says so
        return [*read, START_C, FIRST_TIME_C], [*write, SILENT_C, END_C], [*places, None, None]
    timed = dice.random() < 0.6
    tokens, heard = [START_C], [None]
    if not timed:
        tokens.append(UNTIMED_C)
        heard.append((0.0, times[0][0] / POSITION))
    for number, segment in enumerate(segments(words, times)):
        if timed:
            begin = round(segment[0][1]) + offset
            tokens.append(FIRST_TIME_C + (min(begin, LATEST_FIRST) if number == 0 else begin))
            heard.append(None)
        for word, begin, end in segment:
            tokens.append(word)
            heard.append((begin, end))
        if timed:
            tokens.append(FIRST_TIME_C + min(round(segment[-1][2]) + offset, POSITIONS))
            heard.append(None)
    if timed and partial is not None:  # the next window writes that
        tokens.append(FIRST_TIME_C + min(round(partial / POSITION) + offset, POSITIONS))
        heard.append(None)
    if len(tokens) > LONGEST:
        tokens, heard, more = tokens[:LONGEST], heard[:LONGEST], [tokens[LONGEST]]
    else:
        more = [END_C]
    targets = [*tokens[1:], *more]
    if not timed:
        targets[0] = -1  # it is told, not asked
    return [*read, *tokens], [*write, *targets], [*places, *heard]


def batch(dice, corpus, rows, positions):
    """A batch of windows of `positions`: dictionary of arrays."""
    sounds, offsets, written_rows, labels = [], [], [], numpy.zeros((rows, positions), numpy.int64)
    for row in range(rows):
        chance = dice.random()
        offset = 0 if chance < 0.5 else POSITIONS - positions if chance > 0.95 else int(dice.integers(0, POSITIONS - positions + 1))
        sound, words, times, partial = numpy.zeros(positions * POSITION, numpy.float32), [], [], None
        if dice.random() > 0.04:
            sound, words, times, partial = compose(dice, corpus, positions, offset + positions == POSITIONS)
        sounds.append(disturb(dice, corpus, sound, not words))
        if dice.random() < 0.5 and times and partial is None:  # it ends soon, and silence follows
            end = int(times[-1][1] + dice.uniform(0.02, 0.5) * RATE)
            sounds[-1][end:] = 0
        offsets.append(offset)
        written_rows.append(written(dice, words, times, offset, partial))
        for word, (begin, end) in zip(words, times):
            labels[row, round(begin / POSITION):round(end / POSITION) + 1] = word
    length = max(len(read) for read, _, _ in written_rows)
    tokens, targets = numpy.full((rows, length), END_C), numpy.full((rows, length), -1)
    looks = numpy.zeros((rows, length, 2), numpy.float32)  # begin and end; both 0: anywhere
    for row, (read, write, places) in enumerate(written_rows):
        tokens[row, :len(read)], targets[row, :len(write)] = read, write
        for place, look in enumerate(places):
            if look:
                looks[row, place] = look
    return {"mel": mel.log_mel(numpy.stack(sounds).astype(numpy.float32), 2 * positions), "offsets": numpy.array(offsets),
            "tokens": tokens, "targets": targets, "looks": looks, "labels": labels}
