"""The log-mel spectrogram that Whisper reads (arXiv:2212.04356), as Heed computes it: src/audio/mel.cpp."""

import numpy

BANDS, WINDOW, HOP, BINS = 40, 400, 160, 201


def scale(frequency):
    """Slaney's mel scale: linear below 1 kHz, logarithmic above."""
    frequency = numpy.asarray(frequency, float)
    above = 15 + 27 * numpy.log(numpy.maximum(frequency, 1000) / 1000) / numpy.log(6.4)
    return numpy.where(frequency < 1000, frequency * 3 / 200, above)


def unscale(mel):
    return numpy.where(mel < 15, mel * 200 / 3, 1000 * numpy.exp((mel - 15) * numpy.log(6.4) / 27))


def filters():
    """Triangles of equal area: BANDS x BINS."""
    edges = unscale(numpy.linspace(scale(0), scale(8000), BANDS + 2))
    bins = numpy.arange(BINS) * 40.0
    rising = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    area = (2 / (edges[2:] - edges[:-2]))[:, None]
    return (numpy.maximum(0, numpy.minimum(rising, falling)) * area).astype(numpy.float32)


FILTERS = filters()
HANN = (0.5 * (1 - numpy.cos(2 * numpy.pi * numpy.arange(WINDOW) / WINDOW))).astype(numpy.float32)


def log_mel(sounds, frames):
    """Rows of samples -> sounds x frames x BANDS; what is after a row's last sample is silence."""
    needed = (frames - 1) * HOP + WINDOW
    padded = numpy.concatenate([sounds[:, WINDOW // 2:0:-1], sounds], 1)
    padded = numpy.pad(padded, ((0, 0), (0, max(0, needed - padded.shape[1]))))[:, :needed]
    pieces = numpy.lib.stride_tricks.sliding_window_view(padded, WINDOW, axis=1)[:, ::HOP]
    spectrum = numpy.fft.rfft(pieces * HANN, axis=2)
    power = (spectrum.real ** 2 + spectrum.imag ** 2).astype(numpy.float32)
    values = numpy.log10(numpy.maximum(power @ FILTERS.T, 1e-10))
    loudest = values.max(axis=(1, 2), keepdims=True)
    return ((numpy.maximum(values, loudest - 8) + 4) / 4).astype(numpy.float32)
