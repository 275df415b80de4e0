"""Speakers: the voices of espeak-ng, through its library, which tells where words begin; and of flite, word by word.

A speaker returns samples at 16 kHz and the begin and end of each word, in samples.
"""

import ctypes
import subprocess
import tempfile
import wave
from pathlib import Path

import numpy

RATE = 16000
SILENCE = -45  # dB below the loudest 10 ms: what is quieter is no part of a word

ACCENTS = "en en-us en-gb-scotland en-gb-x-rp en-gb-x-gbcwmd en-029 en-us-nyc".split()
HELD_ACCENTS = ["en-gb-x-gbclan"]
HELD_VARIANTS = "f4 m7 Andrea Denis klatt4 Michael steph2 john linda Alicia".split()
STRANGE_VARIANTS = ["Demonic", "Tweaky", "UniRobot", "fast", *(f"robosoft{number}" for number in ("", 2, 3, 4, 5, 6, 7, 8))]
FLITE, HELD_FLITE = ["slt", "rms", "kal16"], ["awb"]


def variants():
    """Names of variants that are trained."""
    names = sorted(path.name for path in Path("/usr/lib/x86_64-linux-gnu/espeak-ng-data/voices/!v").iterdir())
    return [name for name in names if name not in (*HELD_VARIANTS, *STRANGE_VARIANTS)]


def resample(samples, length):
    """Stretches or shrinks to `length` samples; what the new rate cannot hold is left out."""
    spectrum = numpy.fft.rfft(samples)
    kept = min(len(spectrum), length // 2 + 1)
    return numpy.fft.irfft(spectrum[:kept], length) * (length / len(samples))


def at_rate(samples, rate):
    """Samples of another rate at 16 kHz. Padded, so that the transform has small factors."""
    unit = {22050: 441, 16000: 1, 8000: 1}[rate]
    padded = numpy.pad(samples, (0, -len(samples) % (8 * unit)))
    if rate == RATE:
        return padded
    return resample(padded, len(padded) * RATE // rate)


def loudness(samples):
    """Of each 10 ms, in dB."""
    frames = samples[:len(samples) // 160 * 160].reshape(-1, 160)
    return 10 * numpy.log10((frames ** 2).mean(axis=1) + 1e-12)


def trimmed(samples, begins):
    """The begin and end of each word, without the silence around it."""
    level = loudness(samples)
    heard = numpy.flatnonzero(level > level.max() + SILENCE)
    times = []
    for begin, end in zip(begins, [*begins[1:], len(samples)]):
        inside = heard[(heard >= begin // 160) & (heard < -(-end // 160))]
        if not len(inside):
            raise ValueError("a word is silent")
        times.append((max(begin, int(inside[0]) * 160), min(end, (int(inside[-1]) + 1) * 160)))
    return times


class Event(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("unique", ctypes.c_uint), ("text_position", ctypes.c_int), ("length", ctypes.c_int),
                ("audio_position", ctypes.c_int), ("sample", ctypes.c_int), ("user", ctypes.c_void_p), ("id", ctypes.c_char * 8)]


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))
SYNCHRONOUS, NO_EXIT, UTF8, WORD_EVENT = 2, 0x8000, 1, 1
SPEED, PITCH, RANGE, GAP = 1, 3, 4, 7  # parameters


class Espeak:
    def __init__(self):
        self.library = ctypes.CDLL("libespeak-ng.so.1")
        self.rate = self.library.espeak_Initialize(SYNCHRONOUS, 0, None, NO_EXIT)
        self.callback = CALLBACK(self.take)  # as long as the library may call it
        self.library.espeak_SetSynthCallback(self.callback)
        self.pieces, self.begins = [], []

    def take(self, samples, count, events):
        if samples and count > 0:
            self.pieces.append(numpy.ctypeslib.as_array(samples, (count,)).copy())
        place = 0
        while events[place].type != 0:
            if events[place].type == WORD_EVENT:
                self.begins.append(events[place].audio_position)
            place += 1
        return 0

    def say(self, words, voice, speed=175, pitch=50, span=50, gap=0, between=" "):
        """Raises ValueError where the library joined two words, or said nothing of one."""
        if self.library.espeak_SetVoiceByName(voice.encode()) != 0:
            raise ValueError(f"no voice {voice}")
        for parameter, value in ((SPEED, speed), (PITCH, pitch), (RANGE, span), (GAP, gap)):
            self.library.espeak_SetParameter(parameter, value, 0)
        self.pieces, self.begins = [], []
        text = between.join(words).encode()
        self.library.espeak_Synth(text, len(text) + 1, 0, 0, 0, UTF8, None, None)
        if len(self.begins) != len(words):
            raise ValueError("words and times differ in number")
        samples = at_rate(numpy.concatenate(self.pieces) / 32768, self.rate)
        times = trimmed(samples, [min(begin * RATE // 1000, len(samples) - 1) for begin in self.begins])
        end = min(len(samples), times[-1][1] + 320)
        return samples[:end].astype(numpy.float32), times


class Flite:
    """Says single words, and keeps them."""

    def __init__(self):
        self.said = {}

    def word(self, word, voice, stretch):
        key = (word, voice, stretch)
        if key not in self.said:
            with tempfile.NamedTemporaryFile(suffix=".wav") as file:
                options = ["-voice", voice, "--setf", f"duration_stretch={stretch}", "-t", word, "-o", file.name]
                subprocess.run(["flite", *options], check=True)
                with wave.open(file.name) as sound:
                    rate, data = sound.getframerate(), sound.readframes(sound.getnframes())
            samples = at_rate(numpy.frombuffer(data, "<i2") / 32768, rate)
            (begin, end), = trimmed(samples, [0])
            self.said[key] = samples[max(0, begin - 160):end + 160].astype(numpy.float32)
        return self.said[key]

    def say(self, words, voice, stretch, gaps):
        """With gaps[i] samples of silence before word i."""
        pieces, times, length = [], [], 0
        for word, gap in zip(words, gaps):
            samples = self.word(word, voice, stretch)
            pieces += [numpy.zeros(gap, numpy.float32), samples]
            times.append((length + gap + 160, length + gap + len(samples) - 160))
            length += gap + len(samples)
        return numpy.concatenate(pieces), times
