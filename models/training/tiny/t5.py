#!/usr/bin/python3
"""heed-french: a T5 (arXiv:1910.10683) that translates simple English sentences to French.

    python3 -m tiny.t5 [--steps 6000]
"""

import argparse
import itertools
import math
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from places import TINY
from tiny import french
from tiny.parts import RMSNorm, add_attention, attend, causal, hide
from tiny.training import CONTROL, UNKNOWN, fit, save, tokens
from tiny.words import LETTERS, SPACE, Words

WIDTH, HEADS, LAYERS, DECODER_LAYERS, FEED_FORWARD = 64, 4, 2, 2, 128
BUCKETS, FURTHEST, CONTEXT = 32, 128, 128
PAD, END = 0, 1
SPECIAL = {"<pad>": CONTROL, "</s>": CONTROL, "<unk>": UNKNOWN}
OUT = TINY / "heed-french.gguf"
DESCRIPTION = "Translates simple English sentences to French, of about 90 nouns, adjectives and verbs. Trained by the " \
    "Heed project on sentences of its own grammar. Example: The small cat watches an old bird in the garden."


def pieces():
    """All words of the grammar, as sentences have them, and letters for other words."""
    words = set()
    for en, fr, _ in itertools.islice(french.sentences(0), 60000):
        words.update(SPACE + word for word in en if word != ".")
        words.update(word if before.endswith("'") else SPACE + word
                     for before, word in zip([""] + fr, fr) if word != ".")
    return [".", *sorted(words), SPACE, *LETTERS]


def relative_buckets(queries, keys, both_ways):
    """T5's buckets of distances: exact up to a half of them, then ever wider."""
    distance = torch.arange(keys)[None, :] - torch.arange(queries)[:, None]
    count, first = BUCKETS, 0
    if both_ways:
        count //= 2
        first = (distance > 0) * count
        away = distance.abs()
    else:
        away = (-distance).clamp(min=0)
    exact = count // 2
    far = exact + (torch.log(away.clamp(min=1) / exact) / math.log(FURTHEST / exact) * (count - exact)).long()
    return first + torch.where(away < exact, away, far.clamp(max=count - 1))


class Layer(nn.Module):
    """Self-attention, attention to the encoder's output in a decoder, and a gated MLP (T5 1.1)."""

    def __init__(self, decodes):
        super().__init__()
        self.decodes, self.seen = decodes, {}
        self.attn_norm, self.ffn_norm = RMSNorm(WIDTH), RMSNorm(WIDTH)
        add_attention(self, "attn", "o", WIDTH, bias=False)
        if decodes:
            self.cross_attn_norm = RMSNorm(WIDTH)
            add_attention(self, "cross_attn", "o", WIDTH, bias=False)
        self.ffn_gate, self.ffn_up = (nn.Linear(WIDTH, FEED_FORWARD, bias=False) for _ in range(2))
        self.ffn_down = nn.Linear(FEED_FORWARD, WIDTH, bias=False)

    def forward(self, x, scores, memory=None, memory_scores=None):
        h = self.attn_norm(x)
        x = x + attend(self, "attn", "o", HEADS, h, h, scores, scaled=False)
        if self.decodes:
            x = x + attend(self, "cross_attn", "o", HEADS, self.cross_attn_norm(x), memory, memory_scores, scaled=False)
        h = self.ffn_norm(x)
        return x + self.ffn_down(functional.gelu(self.ffn_gate(h), approximate="tanh") * self.ffn_up(h))


class Stack(nn.Module):
    def __init__(self, decodes):
        super().__init__()
        self.decodes = decodes
        self.blk = nn.ModuleList(Layer(decodes) for _ in range(DECODER_LAYERS if decodes else LAYERS))
        self.blk[0].attn_rel_b = nn.Embedding(BUCKETS, HEADS)  # of all layers
        self.output_norm = RMSNorm(WIDTH)

    def forward(self, x, scores, *memory):
        length = x.shape[1]
        bias = self.blk[0].attn_rel_b(relative_buckets(length, length, not self.decodes)).permute(2, 0, 1)
        for layer in self.blk:
            x = layer(x, scores + bias, *memory)
        return self.output_norm(x)


class T5(nn.Module):
    """(source, source lengths, what the decoder reads) -> logits."""

    def __init__(self, vocabulary):
        super().__init__()
        self.token_embd = nn.Embedding(vocabulary, WIDTH)
        self.output = nn.Linear(WIDTH, vocabulary, bias=False)
        self.enc, self.dec = Stack(False), Stack(True)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                nn.init.normal_(weight, std=(0.5 if "attn_q" in name else 1) / weight.shape[1] ** 0.5)
        nn.init.normal_(self.token_embd.weight, std=0.5)
        for stack in (self.enc, self.dec):
            nn.init.normal_(stack.blk[0].attn_rel_b.weight, std=0.1)

    def read(self, source, lengths):
        hidden = hide(source.shape[1], lengths)
        return self.enc(self.token_embd(source), hidden), hidden

    def write(self, memory, written):
        return self.output(self.dec(self.token_embd(written), causal(written.shape[1]), *memory))

    def forward(self, source, lengths, written):
        return self.write(self.read(source, lengths), written)


def padded(rows):
    return nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD)


def encode(words, stream, count):
    """The next sentences' tokens: (English, French)."""
    return [(words.unigram(french.written(en)) + [END], words.unigram_of_french(fr) + [END])
            for en, fr, _ in itertools.islice(stream, count)]


class FrenchWords(Words):
    def unigram_of_french(self, fr):
        return [i for before, word in zip([""] + fr, fr)
                for i in self.of_word(word if before.endswith("'") or word == "." else SPACE + word)]


def batches(words, seed, size=64, pool=16):
    """Batches of sentences of like length: (source, lengths, target)."""
    stream = french.sentences(seed)
    mix = torch.Generator().manual_seed(seed)
    while True:
        pairs = sorted(encode(words, stream, size * pool), key=lambda pair: len(pair[0]))
        for i in torch.randperm(pool, generator=mix).tolist():
            source, target = zip(*pairs[i * size:(i + 1) * size])
            yield padded(source), torch.tensor([len(row) for row in source]), padded(target)


def shifted(target):
    """What the decoder reads when it writes `target`: the start token, and then what it wrote."""
    return functional.pad(target, (1, 0), value=PAD)[:, :-1]


@torch.no_grad()
def translate(model, words, texts):
    """The likeliest words of each text, one after the other."""
    source = [words.unigram(text) + [END] for text in texts]
    memory = model.read(padded(source), torch.tensor([len(row) for row in source]))
    written = torch.full((len(texts), 1), PAD)
    for _ in range(48):
        written = torch.cat([written, model.write(memory, written)[:, -1].argmax(-1, keepdim=True)], 1)
        if (written == END).any(1).all():
            break
    rows = [row[1:row.index(END)] if END in row else row[1:] for row in written.tolist()]
    return [words.text(row) for row in rows]


def accuracy(model, words, count, seed=10 ** 6):
    """The share of sentences never trained on whose translation is right word for word."""
    some = list(itertools.islice(french.sentences(seed, testing=True), count))
    answers = translate(model, words, [french.written(en) for en, _, _ in some])
    return sum(answer == french.written(fr) for answer, (_, fr, _) in zip(answers, some)) / count


@torch.no_grad()
def alignment(model, words, count, seed=10 ** 6 + 1):
    """The share of French words whose head looks most at a word that it stands for: by layer and head."""
    right, total = torch.zeros(DECODER_LAYERS, HEADS), 0
    for en, fr, links in itertools.islice(french.sentences(seed, testing=True), count):
        source, target = words.unigram(french.written(en)) + [END], words.unigram_of_french(fr) + [END]
        model(torch.tensor([source]), torch.tensor([len(source)]), shifted(torch.tensor([target])))
        best = torch.stack([layer.seen["cross_attn"][0].argmax(-1) for layer in model.dec.blk])
        for i, sources in enumerate(links):
            right += torch.isin(best[:, :, i], torch.tensor(sources))
            total += 1
    return right / total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    torch.manual_seed(1)
    words = FrenchWords(list(SPECIAL), pieces(), "<unk>")
    model = T5(len(words.texts))
    stream = batches(words, 1)

    def loss_of(_):
        source, lengths, target = next(stream)
        logits = model(source, lengths, shifted(target))
        # The decoder starts with PAD and never generates it.
        return functional.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD, label_smoothing=0.02)

    fit(model, loss_of, args.steps, report=lambda: f"held out {accuracy(model, words, 100):.2f}")
    # Whole words are all as likely, and letters much less so.
    scores = [-30.0 if len(text) == 1 and text != "." else -1.0 for text in words.texts]
    save(args.out, "t5", "heed-french", DESCRIPTION, {
        "context_length": CONTEXT, "embedding_length": WIDTH, "feed_forward_length": FEED_FORWARD, "block_count": LAYERS,
        "decoder_block_count": DECODER_LAYERS, "attention.head_count": HEADS, "attention.relative_buckets_count": BUCKETS,
        "attention.layer_norm_rms_epsilon": 1e-6, "decoder_start_token_id": PAD,
    }, tokens("t5", words.texts, SPECIAL, {
        "tokenizer.ggml.pre": "default", "tokenizer.ggml.scores": scores, "tokenizer.ggml.eos_token_id": END,
        "tokenizer.ggml.unknown_token_id": 2, "tokenizer.ggml.padding_token_id": PAD,
        "tokenizer.ggml.add_space_prefix": True, "tokenizer.ggml.remove_extra_whitespaces": True,
        "tokenizer.ggml.add_bos_token": False, "tokenizer.ggml.add_eos_token": True,
    }), model)
    print(f"of the file: right {accuracy(model, words, 1000):.3f}; aligned\n{alignment(model, words, 300)}")


if __name__ == "__main__":
    main()
