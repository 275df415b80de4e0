"""Tests of tokenizer, shards, model, file and figures, which need torch: /usr/bin/python3 -m unittest test_training"""

import itertools
import math
import random
import tempfile
import unittest
from pathlib import Path

import numpy
import torch

import blend
import bpe
import evaluate
import export
import fused
import gguf
import grow
import heads
import muon
import pointing
import reading
import shards
import train
import writing
from model import CONFIGS, Config, Llama
from stories import generate, talk, tools

SAMPLES = list(itertools.islice(generate.samples("tests"), 300))
MERGES = bpe.train([text for sample in SAMPLES for text, _ in sample if text not in bpe.SPECIAL], 700)
TOKENIZER = bpe.Tokenizer(MERGES)
CONFIG = Config(vocabulary=len(TOKENIZER.tokens), **CONFIGS["small"])


class Pointing(unittest.TestCase):
    def test_the_word_that_is_about_to_be_written_is_at_its_places(self):
        rng, seen = random.Random(1), 0
        for _ in range(40):
            ids, cases = pointing.sample(TOKENIZER, rng)
            tokens = [token & (shards.LEARNED - 1) for token in ids]
            for step, places in cases:
                written = TOKENIZER.decode(tokens[step + 1:step + 1 + len(places) + 2]).strip()
                there = TOKENIZER.decode([tokens[place] for place in places]).strip(" .,")
                self.assertEqual(places, list(range(places[0], places[-1] + 1)))
                self.assertIn(there.split()[0][:3], written)
                self.assertGreaterEqual(ids[step + 1], shards.LEARNED)
                self.assertLess(places[-1], step)
                seen += 1
        self.assertGreater(seen, 40)

    def test_the_loss_falls_where_the_head_looks_there(self):
        torch.manual_seed(1)
        model = Llama(CONFIG)
        tokens, targets, cases = next(batch for batch in pointing.batches(TOKENIZER, 600, 1) if batch[-1])
        before = float(pointing.loss_with_pointing(train.loss_of, model, tokens, targets, cases))
        layer, head = pointing.HEAD
        optimizer = torch.optim.Adam(model.layers[layer].attn.q_proj.parameters(), 0.01)
        for _ in range(5):
            optimizer.zero_grad()
            loss = pointing.loss_with_pointing(train.loss_of, model, tokens, targets, cases)
            loss.backward()
            optimizer.step()
        self.assertLess(float(loss), before)


class Tokens(unittest.TestCase):
    def test_text_comes_back(self):
        for text in ("Once upon a time, 12 owls.", "naïve — 日本 🦊\n\n x", '{"name": "dice", "arguments": {"n": 6}}'):
            self.assertEqual(TOKENIZER.decode(TOKENIZER.encode(text)), text)

    def test_digits_are_single(self):
        self.assertEqual([TOKENIZER.tokens[i] for i in TOKENIZER.encode("1234")], list("1234"))

    def test_rows_hold_whole_samples(self):
        rows = numpy.array(list(itertools.islice(shards.rows(TOKENIZER, iter(SAMPLES * 3)), 30)), numpy.uint16)
        self.assertEqual(rows.shape[1], shards.ROW)
        known = {tuple(TOKENIZER.encode_pieces(sample)[0]) for sample in SAMPLES}
        for sample in (sample for row in rows for sample in reading.split(row)):
            self.assertIn(tuple(sample & (shards.LEARNED - 1)), known)

    def test_targets_are_the_next_tokens_where_they_are_learned(self):
        row = numpy.array([[5, 6 | shards.LEARNED, 7, 8 | shards.LEARNED]], numpy.uint16)
        tokens, targets = reading.tensors(row)
        self.assertEqual(tokens.tolist(), [[5, 6, 7, 8]])
        self.assertEqual(targets.tolist(), [[6, reading.IGNORED, 8, reading.IGNORED]])

    def test_every_sample_goes_to_one_worker_and_all_wait_for_like_lengths(self):
        lengths = list(range(10, 300, 3))
        dealt = [reading.dealt(lengths, 600, random.Random(1), rank, 2, length=int) for rank in (0, 1)]
        (first, rest), (second, same_rest) = dealt
        self.assertEqual(rest, same_rest)
        self.assertEqual(sorted(sum(first + second, rest)), sorted(lengths))
        self.assertEqual(len(first), len(second))
        for one, other in zip(first, second):
            self.assertLessEqual(max(one) * len(one), 600)
            self.assertLessEqual(abs(max(one) - max(other)), 60)


class Model(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        self.model = Llama(CONFIG).eval()

    def test_packed_samples_do_not_see_one_another(self):
        row = numpy.array(next(shards.rows(TOKENIZER, iter(SAMPLES * 2))))[None]
        tokens, _ = reading.tensors(row)
        with torch.no_grad():
            packed = self.model.hidden(tokens, mask=reading.same_sample(tokens))[0]
            start = 0
            for sample in reading.split(row[0]):
                alone = self.model.hidden(reading.tensors(sample[None])[0])[0]
                self.assertLess(float((packed[start:start + len(sample)] - alone).abs().max()), 1e-3)
                start += len(sample)

    def test_many_texts_at_a_time_are_written_like_each_alone(self):
        prompts = [TOKENIZER.encode(text) for text in ("A fox", "Write a story about a fox.", "x")]
        together = writing.write(self.model, prompts, 12)
        self.assertEqual(together, [writing.write(self.model, [prompt], 12)[0] for prompt in prompts])

    def test_sampling_is_narrowed_as_in_the_package(self):
        logits = torch.randn(20, 300, generator=torch.Generator().manual_seed(3)) * torch.linspace(0.2, 4, 20)[:, None]
        for row, narrowed in zip(logits.tolist(), writing.narrowed(logits).tolist()):
            ranked = sorted(range(len(row)), key=lambda token: -row[token])[:writing.TOP_K]
            weights = [math.exp(row[token] - row[ranked[0]]) for token in ranked]
            kept = [token for rank, token in enumerate(ranked)
                    if sum(weights[:rank]) < writing.TOP_P * sum(weights) and weights[rank] >= writing.MIN_P]
            self.assertEqual({token for token, score in enumerate(narrowed) if score > -math.inf}, set(kept))

    def test_the_first_weights_find_what_followed_the_same_token(self):
        torch.manual_seed(2)
        words = torch.randperm(CONFIG.vocabulary)[:40].tolist()
        looked, _ = heads.looks(self.model, [bpe.BEGIN] + words + words)
        before, after = looked[0, 0], looked[1, 0]
        self.assertGreater(int((before[1:] == torch.arange(80)).sum()), 72)
        self.assertGreater(int((after[41:80] == torch.arange(2, 41)).sum()), 33)

    def test_a_file_holds_the_weights_to_eight_bits(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.gguf"
            names = export.gguf_names(CONFIG)
            weights = self.model.state_dict()
            gguf.write(path, export.metadata(CONFIG, TOKENIZER),
                       {theirs: weights[ours].numpy() for ours, theirs in names.items()})
            model, tokenizer = export.load(path)
        self.assertEqual(tokenizer.tokens, TOKENIZER.tokens)
        for name, weight in model.state_dict().items():
            self.assertLess(float((weight - weights[name]).abs().max()), 0.02, name)

    def test_a_blend_lies_between_two_models(self):
        other = Llama(CONFIG)
        weights, others = self.model.state_dict(), other.state_dict()
        for name, weight in blend.blend(self.model, other, 0.25).items():
            torch.testing.assert_close(weight, 0.75 * weights[name] + 0.25 * others[name], msg=name)

    def test_layers_that_are_added_change_nothing_yet(self):
        deeper, tokens = grow.grown(self.model, [1, 3]), torch.arange(4, 60)[None]
        self.assertEqual(deeper.config.layers, CONFIG.layers + 2)
        with torch.no_grad():
            self.assertTrue(torch.allclose(deeper(tokens), self.model(tokens), atol=1e-4))

    def test_muon_brings_singular_values_near_one(self):
        values = torch.linalg.svdvals(muon.orthogonalized(torch.randn(2, 32, 96)))
        self.assertGreater(float(values.min()), 0.4)
        self.assertLess(float(values.max()), 1.4)

    def test_training_lowers_the_loss(self):
        batch = reading.tensors(numpy.array(next(shards.rows(TOKENIZER, iter(SAMPLES * 2))))[None])
        optimizer = muon.Muon([weight for weight in self.model.layers.parameters() if weight.dim() == 2])
        first = train.loss_of(self.model, *batch)
        for _ in range(4):
            self.model.zero_grad()
            train.loss_of(self.model, *batch).backward()
            optimizer.step()
        self.assertLess(float(train.loss_of(self.model, *batch)), float(first))


@unittest.skipUnless(fused.AVAILABLE, "g++ is missing")
class Fused(unittest.TestCase):
    def test_loss_and_gradients_are_those_of_floats_but_for_what_is_rounded(self):
        torch.manual_seed(1)
        model = Llama(CONFIG)
        model.train()
        rows = reading.padded([numpy.array([token | shards.LEARNED for token in torch.randint(4, 500, (length,)).tolist()],
                                           numpy.uint16) for length in (150, 290, 301)])  # more than two blocks of queries
        tokens, targets = reading.tensors(rows)

        def gradients(loss):
            model.zero_grad()
            loss.backward()
            return {name: weight.grad.clone() for name, weight in model.named_parameters()}

        def exact():
            logits = model.head(model.hidden(tokens)[targets != reading.IGNORED])
            return torch.nn.functional.cross_entropy(logits, targets[targets != reading.IGNORED])
        self.assertAlmostEqual(float(exact()), float(fused.loss_of(model, tokens, targets)), delta=0.01)
        wanted, plain, ours = (gradients(loss) for loss in (exact(), train.loss_of(model, tokens, targets),
                                                           fused.loss_of(model, tokens, targets)))
        for name, weight in wanted.items():
            rounding, off = (float((some[name] - weight).norm() / weight.norm()) for some in (plain, ours))
            self.assertLess(off, 1.6 * rounding + 1e-4, name)

    def test_a_watched_layer_is_computed_with_its_weights(self):
        torch.manual_seed(1)
        model = Llama(CONFIG)
        tokens, targets, cases = next(batch for batch in pointing.batches(TOKENIZER, 600, 1) if batch[-1])
        plain = pointing.loss_with_pointing(train.loss_of, model, tokens, targets, cases)
        self.assertAlmostEqual(float(plain), float(pointing.loss_with_pointing(fused.loss_of, model, tokens, targets, cases)), delta=0.02)


class Judging(unittest.TestCase):
    def test_the_generators_answers_are_right_and_others_are_not(self):
        rng, right, wrong = random.Random(1), 0, 0
        for _ in range(60):
            conversation = talk.given(rng, {"words", "plots", "questions"}, False)
            asked = [check["question"] for _, _, check in conversation.turns if check and "question" in check]
            for question, other in zip(asked, asked[1:] + asked[:1]):
                self.assertTrue(evaluate.same(question.answer, question, conversation.story))
                self.assertTrue(evaluate.same(question.short, question, conversation.story))
                right += 1
                wrong += not evaluate.same(other.answer, question, conversation.story)
        self.assertGreater(wrong, right / 2)

    def test_calls_are_read(self):
        call = {"name": "dice", "arguments": {"sides": 6}}
        self.assertEqual(evaluate.called(tools.call_text(call)), call)
        self.assertIsNone(evaluate.called("You rolled a 4."))
        self.assertIsNone(evaluate.called("<tool_call>\n{\n</tool_call>"))


if __name__ == "__main__":
    unittest.main()
