"""python3 -m unittest speech.test_speech, in models/training"""

import unittest

import numpy
import torch

from speech import mel, q5, train, windows
from speech.words import COMPACT, END, FIRST_TIME, FIRST_TIME_C, TEXTS, VOCABULARY


class Speech(unittest.TestCase):
    def test_blocks_hold_what_rounding_gives(self):
        weights = torch.randn(3, 64)
        packed = numpy.frombuffer(q5.pack(weights), q5.BLOCK)
        low = numpy.concatenate([packed["low"] & 15, packed["low"] >> 4], 1)
        quants = low + 16 * ((packed["high"][:, None] >> numpy.arange(32)) & 1)
        stored = (quants.astype(numpy.float32) - 16) * packed["scale"].astype(numpy.float32)[:, None]
        self.assertTrue(numpy.array_equal(stored.reshape(3, 64), q5.rounded(weights).numpy()))
        self.assertLess(float((q5.rounded(weights) - weights).abs().max()), 0.15)

    def test_compact_tokens(self):
        self.assertEqual(COMPACT[END], len(TEXTS))
        self.assertEqual(COMPACT[VOCABULARY - 1] - COMPACT[FIRST_TIME], 1500)

    def test_a_pause_begins_a_segment(self):
        second = 16000
        cut = windows.segments([1, 2, 3], [(0, second // 2), (second, second * 1.5), (second * 3, second * 4)])
        self.assertEqual([[word for word, _, _ in segment] for segment in cut], [[1, 2], [3]])

    def test_times_are_written_from_the_offset_on(self):
        dice = numpy.random.default_rng(3)
        times = [(16000, 32000)]
        for _ in range(20):
            read, write, _ = windows.written(dice, [5], times, 100, None)
            if FIRST_TIME_C + 200 in write:  # 2 s + 2 s; the first time is 1 s at most
                self.assertIn(FIRST_TIME_C + 50, write)
                self.assertEqual(len(read), len(write))
                return
        self.fail("no window with times")

    def test_word_errors(self):
        self.assertEqual(train.errors([1, 2, 3], [1, 3]), 1)
        self.assertEqual(train.errors([1, 2, 3], [4, 2, 3, 3]), 2)
        self.assertEqual(train.errors([], [1]), 1)

    def test_silence_is_the_floor_of_a_tone(self):
        tone = numpy.sin(numpy.arange(16000) * 0.3).astype(numpy.float32)[None]
        spectrogram = mel.log_mel(tone, 200)[0]
        self.assertTrue((spectrogram[150:] == spectrogram.min()).all())
        self.assertAlmostEqual(float(spectrogram.max() - spectrogram.min()), 2, places=5)


if __name__ == "__main__":
    unittest.main()
