"""What happens to a sound on its way: rooms, microphones, noise."""

import numpy

RATE = 16000


def colored(dice, count, slope):
    """Noise whose power falls by f^-slope: 0 white, 1 pink, 2 brown."""
    spectrum = dice.normal(size=count // 2 + 1) + 1j * dice.normal(size=count // 2 + 1)
    frequencies = numpy.maximum(numpy.arange(count // 2 + 1), count * 40 / RATE)
    return numpy.fft.irfft(spectrum * frequencies ** (-slope / 2), count)


def hum(dice, count):
    """Mains and its harmonics."""
    base, time = dice.choice([50, 60]) * dice.uniform(0.99, 1.01), numpy.arange(count) / RATE
    return sum(numpy.sin(2 * numpy.pi * base * k * time + dice.uniform(0, 6.3)) * dice.uniform(0.1, 1) / k for k in range(1, 9))


def steps(dice, count):
    """Clicks and knocks, each a short burst."""
    sound = numpy.zeros(count)
    for _ in range(dice.integers(1, 6)):
        length = int(dice.integers(80, 1600))
        at = int(dice.integers(0, max(1, count - length)))
        burst = dice.normal(size=length) * numpy.exp(-numpy.arange(length) / (length / 6))
        sound[at:at + length] += burst[:count - at] * dice.uniform(0.2, 1)
    return sound


def babble(dice, count, say):
    """Several of `say()`'s sounds at once, each from some place on."""
    sound = numpy.zeros(count)
    for _ in range(dice.integers(3, 7)):
        other = say()
        sound += numpy.roll(numpy.resize(other, count), int(dice.integers(0, count))) * dice.uniform(0.4, 1)
    return sound


def noise(dice, count, say):
    """Of one or two kinds, with a power of 1."""
    kind = dice.integers(0, 8)
    if kind < 4:
        sound = colored(dice, count, [0.0, 1.0, 2.0, dice.uniform(0, 2)][kind])
    elif kind == 4:
        sound = hum(dice, count) + 0.3 * colored(dice, count, 1)
    elif kind == 5:
        sound = steps(dice, count) + 0.02 * colored(dice, count, 1)
    else:
        sound = babble(dice, count, say)
    if dice.random() < 0.2:  # it comes and goes
        sound = sound * (1 + 0.8 * numpy.sin(numpy.arange(count) * (6.3 * dice.uniform(0.2, 2) / RATE)))
    return sound / numpy.sqrt((sound ** 2).mean() + 1e-20)


def room(dice, samples):
    """Reflections that die away in 50 to 400 ms, and a microphone that favors some frequencies."""
    count = len(samples) + 3200
    size = 1 << (count - 1).bit_length()
    spectrum = numpy.fft.rfft(samples, size)
    if dice.random() < 0.5:
        tail = int(dice.uniform(0.05, 0.4) * RATE)
        answer = dice.normal(size=tail) * numpy.exp(-6.9 * numpy.arange(tail) / tail) * dice.uniform(0.02, 0.15)
        answer[0] = 1
        spectrum *= numpy.fft.rfft(answer, size)
    octaves = numpy.log2(numpy.maximum(numpy.arange(len(spectrum)), 1) / len(spectrum) * 8)
    curve = dice.uniform(-4, 4) * octaves / 3
    for _ in range(3):
        curve = curve + dice.uniform(-6, 6) * numpy.exp(-((octaves - dice.uniform(-5, 3)) / 0.8) ** 2)
    spectrum *= 10 ** (numpy.clip(curve, -20, 20) / 20)
    if dice.random() < 0.15:  # as on the telephone
        frequencies = numpy.arange(len(spectrum)) / len(spectrum) * 8000
        spectrum[(frequencies > dice.uniform(3400, 5000)) | (frequencies < dice.uniform(50, 300))] *= 0.003
    return numpy.fft.irfft(spectrum, size)[:len(samples)]
