#!/usr/bin/python3
"""heed-questions: a Gemma 3 (arXiv:2503.19786) of two files, a vision tower and a decoder that answers questions about its pictures.

    python3 -m tiny.gemma --folder FOLDER [--further 1]     FOLDER keeps the drawings, and the training where it stopped

Its tower begins as heed-pictures. Shapes: B pictures, T tokens (those of a picture's patches among them), H heads.
"""

import argparse
import math
import random
from collections import Counter, namedtuple
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

import gguf
from places import TINY
from tiny import groups, questions
from tiny.parts import Eyes, RMSNorm
from tiny.scenes import kept
from tiny.training import CONTROL, UNKNOWN, begin_as, fit, save, tokens
from tiny.vit import DEVIATION, MEAN, prepared
from tiny.vit import OUT as BEGIN
from tiny.words import SPACE, Words

PATCH, EYES_WIDTH, EYES_HEADS, EYES_LAYERS = 8, 64, 4, 3
WIDTH, HEADS, LAYERS, FEED_FORWARD, CONTEXT = 64, 2, 3, 192, 512
EPSILON, THETA = 1e-6, 10000.0
BATCH, ASKED, MOST_MOVED = 16, 4, 5
HARDER = ("place", "beside", "left or right", "is there", "description")
GUIDANCE, NAMING = 0.2, 0.1  # the weights of the losses about boxes
SPECIAL = {"<pad>": CONTROL, "</s>": CONTROL, "<s>": CONTROL, "<unk>": UNKNOWN, "<start_of_image>": CONTROL,
           "<end_of_image>": CONTROL, "<answer>": CONTROL}
PAD, END, BEGIN_TEXT, UNKNOWN_WORD, BEGIN_IMAGE, END_IMAGE, ANSWER = range(len(SPECIAL))
ROWS = (groups.SIDE // PATCH) ** 2
PREFIX = [BEGIN_TEXT, BEGIN_IMAGE, *[PAD] * ROWS, END_IMAGE]
IMAGE = slice(2, 2 + ROWS)
TEMPLATE = "{{ bos_token }}{% for message in messages %}{{ message.content }}" \
    "{{ eos_token if message.role == 'assistant' else '<answer>' }}{% endfor %}"
OUT, SEEING = (TINY / f"{before}heed-questions.gguf" for before in ("", "mmproj-"))
DESCRIPTION = "Answers questions about small drawings of two or three things, with mmproj-heed-questions.gguf. Trained by the Heed " \
    "project on its own drawings. Example: What is on the left?"


class Seeing(nn.Module):
    """The projector file: B 3 S S -> B ROWS WIDTH."""

    def __init__(self):
        super().__init__()
        self.v = Eyes(groups.SIDE, PATCH, EYES_WIDTH, EYES_LAYERS, EYES_HEADS, lambda x: functional.gelu(x, approximate="tanh"),
                      bias=True, pre_norm=False, class_token=False)
        self.mm = nn.Module()
        self.mm.soft_emb_norm, self.mm.input_projection = RMSNorm(EYES_WIDTH, EPSILON), nn.Module()
        self.mm.input_projection.weight = nn.Parameter(torch.randn(EYES_WIDTH, WIDTH) / EYES_WIDTH ** 0.5)

    def forward(self, pictures):
        return self.mm.soft_emb_norm(self.v(pictures)) @ self.mm.input_projection.weight

    @torch.no_grad()
    def begin_as(self, path):
        """Takes the weights of a ViT, whose patches may have another number of pixels."""
        state = self.state_dict()
        for name, array in gguf.read(path)[1].items():
            weight = torch.tensor(array)
            if name == "v.patch_embd.weight":
                share = weight.shape[-1] ** 2 / PATCH ** 2
                weight = share * functional.interpolate(weight, (PATCH, PATCH), mode="bilinear")
            if name == "v.position_embd.weight":
                weight = weight.view(-1, EYES_WIDTH)[-ROWS:]
            if name in state:
                state[name].copy_(weight.view_as(state[name]))


def rotated(x, turns):
    """RoPE (arXiv:2104.09864) of x, B H T D; turns: cosines and sines, B 1 T D/2. Pair i is of values i and i + D/2."""
    (cosines, sines), (left, right) = turns, x.chunk(2, -1)
    return torch.cat([left * cosines - right * sines, right * cosines + left * sines], -1)


def turns_at(positions):
    width = WIDTH // HEADS
    angles = positions[:, None, :, None] * THETA ** (-torch.arange(0, width, 2) / width)
    return angles.cos(), angles.sin()


class Layer(nn.Module):
    """Norms before and after attention and MLP, and of each head's queries and keys; the MLP is gated."""

    def __init__(self):
        super().__init__()
        for name in ("attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"):
            self.add_module(name, RMSNorm(WIDTH, EPSILON))
        self.attn_q_norm, self.attn_k_norm = (RMSNorm(WIDTH // HEADS, EPSILON) for _ in range(2))
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            self.add_module(name, nn.Linear(WIDTH, WIDTH, bias=False))
        self.ffn_gate, self.ffn_up = (nn.Linear(WIDTH, FEED_FORWARD, bias=False) for _ in range(2))
        self.ffn_down = nn.Linear(FEED_FORWARD, WIDTH, bias=False)
        self.initialize()

    @torch.no_grad()
    def initialize(self):
        """A token begins by attending to those like it, and by copying them (arXiv:2305.09828)."""
        for part in (self.attn_q, self.attn_v):
            nn.init.normal_(part.weight, std=WIDTH ** -0.5)
        self.attn_k.weight.copy_(self.attn_q.weight)
        self.attn_output.weight.copy_(self.attn_v.weight.T)
        for norm, gain in ((self.attn_q_norm, 1.4), (self.attn_k_norm, 1.4), (self.post_attention_norm, 0.5), (self.post_ffw_norm, 0.5)):
            nn.init.constant_(norm.weight, gain)

    def attend(self, x, turns, scores):
        q, k, v = (part(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in (self.attn_q, self.attn_k, self.attn_v))
        q, k = rotated(self.attn_q_norm(q) / math.sqrt(q.shape[-1]), turns), rotated(self.attn_k_norm(k), turns)
        self.seen = (q @ k.transpose(-1, -2) + scores).softmax(-1)
        return self.attn_output((self.seen @ v).transpose(1, 2).flatten(-2))

    def forward(self, x, turns, scores):
        x = x + self.post_attention_norm(self.attend(self.attn_norm(x), turns, scores))
        h = self.ffn_norm(x)
        h = self.ffn_down(functional.gelu(self.ffn_gate(h), approximate="tanh") * self.ffn_up(h))
        return x + self.post_ffw_norm(h)


class Decoder(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.token_embd = nn.Embedding(vocabulary, WIDTH)
        self.blk, self.output_norm = nn.ModuleList(Layer() for _ in range(LAYERS)), RMSNorm(WIDTH, EPSILON)
        nn.init.normal_(self.token_embd.weight, std=WIDTH ** -0.5)

    def forward(self, ids, rows, positions, scores):
        """Logits, B T V. The rows of a picture take the place of its tokens, without the scale of embeddings."""
        x = self.token_embd(ids) * WIDTH ** 0.5
        x = torch.cat([x[:, :IMAGE.start], rows, x[:, IMAGE.stop:]], 1)
        turns = turns_at(positions)
        for layer in self.blk:
            x = layer(x, turns, scores)
        return functional.linear(self.output_norm(x), self.token_embd.weight)


class Pair(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.seeing, self.text = Seeing(), Decoder(vocabulary)

    def forward(self, rows, batch):
        return self.text(batch.ids, rows, batch.positions, batch.scores)


# ids, positions, targets, and the things that these name (-1: none), B T; scores, B 1 T T; for each answer (row, first target, end,
# kind of question).
Batch = namedtuple("Batch", "ids positions targets named scores answers")


def ask(group, rng, kinds):
    """Some questions about a group: (kind, question, answer)."""
    return [(kind, *questions.KINDS[kind](group, rng)) for kind in kinds]


def some_kinds(rng, further):
    """What is asked about a picture: further on, all the harder questions, and another."""
    if further:
        return [*HARDER, rng.choice([kind for kind in questions.KINDS if kind not in HARDER])]
    return [*rng.sample(list(questions.KINDS)[:-1], ASKED), "description"]


def spelled(words, answer):
    """The tokens of an answer, and the thing that each names."""
    pairs = [(i, thing) for text, thing in answer for i in ([words.ids[","]] if text == "," else words.unigram(text))]
    return [*(i for i, _ in pairs), words.ids["."], END], [*(-1 if thing is None else thing for _, thing in pairs), -1, -1]


def written(words, asked, conversation):
    """(ids, positions, targets, named, texts, answers) after a picture. The questions follow each other, or each is alone with it."""
    ids, positions = list(PREFIX), list(range(len(PREFIX)))
    targets, named, texts, answers = [-1] * len(PREFIX), [-1] * len(PREFIX), [0] * len(PREFIX), []
    for number, (kind, question, answer) in enumerate(asked, 1):
        before, (after, things) = [*words.unigram(question), ANSWER], spelled(words, answer)
        first, length = len(ids) + len(before) - 1, len(before) + len(after)
        answers.append((first, first + len(after), kind))
        position = len(ids) if conversation else len(PREFIX)
        positions += range(position, position + length)
        ids += before + after
        targets += [-1] * (len(before) - 1) + after + [-1]
        named += [-1] * (len(before) - 1) + things + [-1]
        texts += [1 if conversation else number] * length
    return ids, positions, targets, named, texts, answers


def batched(words, several, conversations):
    """A batch of the questions about several pictures."""
    rows = [written(words, asked, conversation) for asked, conversation in zip(several, conversations)]
    padded = lambda part, value: nn.utils.rnn.pad_sequence(
        [torch.tensor(row[part]) for row in rows], batch_first=True, padding_value=value)
    ids, positions, targets, named, texts = (padded(part, value) for part, value in enumerate((PAD, 0, -1, -1, -1)))
    length = ids.shape[1]
    seen = torch.ones(length, length, dtype=torch.bool).tril()
    seen[IMAGE, IMAGE] = True
    seen = seen & ((texts[:, :, None] == texts[:, None]) | (texts == 0)[:, None])
    scores = torch.zeros(seen.shape).masked_fill(~seen, -torch.inf)[:, None]
    answers = [(row, *answer) for row, (*_, of_row) in enumerate(rows) for answer in of_row]
    return Batch(ids, positions, targets, named, scores, answers)


def varied(pictures, mirrored, moved):
    """Some of a batch mirrored, all moved by so many pixels, x and y, and brighter or darker each."""
    pictures = torch.where(torch.tensor(mirrored)[:, None, None, None], pictures.flip(3), pictures)
    x, y = (MOST_MOVED - by for by in moved)
    pictures = functional.pad(pictures, (MOST_MOVED,) * 4, mode="replicate")[:, :, y:y + groups.SIDE, x:x + groups.SIDE]
    return pictures * (1 + 0.1 * torch.randn(len(pictures), 1, 1, 1)) + 0.06 * torch.randn(len(pictures), 3, 1, 1)


def patches_of(boxes, mirrored, moved):
    """Which patches have their middle in a thing's box: B 3 ROWS. The first thing is the one on the left."""
    side = groups.SIDE // PATCH
    middles = (torch.arange(side) + 0.5) / side
    inside = torch.zeros(len(boxes), 3, side, side)
    for of_picture, some, turned in zip(inside, boxes, mirrored):
        for of_thing, (left, top, right, bottom) in zip(of_picture, some[::-1] if turned else some):
            left, right = (1 - right, 1 - left) if turned else (left, right)
            x, y = middles - moved[0] / groups.SIDE, middles - moved[1] / groups.SIDE
            of_thing.copy_(((top <= y) & (y <= bottom))[:, None] & ((left <= x) & (x <= right)))
    return inside.flatten(2)


def astray(seen, named, inside):
    """How far the attention of a layer, B H T T, is from the things that are being named: minus the log of the share on them."""
    row, token = torch.nonzero(named >= 0, as_tuple=True)
    on_patches = seen[row, :, token, IMAGE].mean(1)
    return -(on_patches * inside[row, named[row, token]]).sum(-1).clamp(min=1e-4).log().mean()


def unnamed(rows, text, words, several, inside):
    """How far a picture's rows within a box are from the embeddings of the thing's color, kind and place."""
    picture, thing, patch = torch.nonzero(inside, as_tuple=True)
    likeness = rows[picture, patch] @ text.token_embd.weight.T * WIDTH ** 0.5 / 2
    loss = 0.0
    for part, choices in enumerate((groups.PAINTS, list(groups.THINGS), ["left", "middle", "right"])):
        own = torch.tensor([words.ids[SPACE + choice] for choice in choices])
        right = [[choices.index(names[part]) for names in of] + [0] * (3 - len(of)) for of in several]
        loss = loss + functional.cross_entropy(likeness[:, own], torch.tensor(right)[picture, thing])
    return loss


@torch.no_grad()
def shares_right(model, words, drawn, count, seed=0):
    """The share of questions, by kind, of whose answers every word is the likeliest."""
    rng, right, total = random.Random(seed), Counter(), Counter()
    for start in range(0, count, 100):
        these = range(start, min(start + 100, count))
        batch = batched(words, [ask(drawn[0][i], rng, questions.KINDS) for i in these], [False] * len(these))
        same = model(model.seeing(prepared(drawn[1][these.start:these.stop])), batch).argmax(-1) == batch.targets
        for row, first, end, kind in batch.answers:
            right[kind] += bool(same[row, first:end].all())
            total[kind] += 1
    return {kind: round(right[kind] / total[kind], 4) for kind in total}


def write(model, words):
    # Whole words are all as likely, and letters much less so.
    scores = [-30.0 if text in questions.LETTERS else -1.0 for text in words.texts]
    save(OUT, "gemma3", "heed-questions", DESCRIPTION, {
        "context_length": CONTEXT, "embedding_length": WIDTH, "feed_forward_length": FEED_FORWARD, "block_count": LAYERS,
        "attention.head_count": HEADS, "attention.head_count_kv": HEADS, "attention.key_length": WIDTH // HEADS,
        "attention.value_length": WIDTH // HEADS, "attention.layer_norm_rms_epsilon": EPSILON,
        "attention.sliding_window": CONTEXT, "rope.freq_base": THETA,
    }, tokens("t5", words.texts, SPECIAL, {
        "tokenizer.ggml.pre": "default", "tokenizer.ggml.scores": scores, "tokenizer.ggml.bos_token_id": BEGIN_TEXT,
        "tokenizer.ggml.eos_token_id": END, "tokenizer.ggml.unknown_token_id": UNKNOWN_WORD,
        "tokenizer.ggml.padding_token_id": PAD, "tokenizer.ggml.add_space_prefix": True,
        "tokenizer.ggml.remove_extra_whitespaces": True, "tokenizer.ggml.add_bos_token": True,
        "tokenizer.ggml.add_eos_token": False, "tokenizer.chat_template": TEMPLATE,
    }), model.text)
    save(SEEING, "clip", "heed-questions", DESCRIPTION, {
        "has_vision_encoder": True, "projector_type": "gemma3", "use_gelu": True,
        **{f"vision.{key}": value for key, value in {
            "image_size": groups.SIDE, "patch_size": PATCH, "embedding_length": EYES_WIDTH, "block_count": EYES_LAYERS,
            "feed_forward_length": 2 * EYES_WIDTH, "attention.head_count": EYES_HEADS, "attention.layer_norm_epsilon": 1e-5,
            "projection_dim": WIDTH, "projector.scale_factor": 1, "image_mean": [MEAN] * 3, "image_std": [DEVIATION] * 3}.items()},
    }, {}, model.seeing, plain=("position_embd.weight", "input_projection.weight"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--peak", type=float, default=2e-3, help="the learning rate at its highest")
    parser.add_argument("--further", type=int, default=0, help="goes on from the files, for the first time, the second, ...")
    args = parser.parse_args()
    torch.manual_seed(1)
    drawn, pictures, boxes = kept(args.folder, "groups", groups.some, count=24000, seed=1)
    held = kept(args.folder, "held-out-groups", groups.some, count=1000, seed=2, testing=True)
    words = Words(list(SPECIAL), questions.pieces(), "<unk>")
    model = Pair(len(words.texts))
    if args.further:
        begin_as(model.seeing, SEEING)
        begin_as(model.text, OUT)
    else:
        model.seeing.begin_as(BEGIN)

    def loss_of(step):
        torch.manual_seed(step + 10 ** 6 * args.further)
        rng = random.Random(step + 10 ** 6 * args.further)
        begins = not args.further and step < args.steps // 4  # with the tower alone, which takes little time
        chosen = rng.sample(range(len(drawn)), 2 * BATCH if begins else BATCH)
        mirrored = [rng.random() < 0.5 for _ in chosen]
        moved = [rng.randint(-MOST_MOVED, MOST_MOVED) for _ in "xy"]
        of = [drawn[i].mirrored() if turned else drawn[i] for i, turned in zip(chosen, mirrored)]
        rows = model.seeing(varied(prepared(pictures[chosen]), mirrored, moved))
        inside = patches_of([boxes[i] for i in chosen], mirrored, moved)
        naming = NAMING * unnamed(rows, model.text, words, [questions.names(group) for group in of], inside)
        if begins:
            return naming
        batch = batched(words, [ask(group, rng, some_kinds(rng, args.further)) for group in of], [rng.random() < 0.3 for _ in of])
        logits = model(rows, batch)
        return functional.cross_entropy(logits.flatten(0, 1), batch.targets.flatten(), ignore_index=-1) \
            + GUIDANCE * astray(model.text.blk[-1].seen, batch.named, inside) + naming

    fit(model, loss_of, args.steps, peak=args.peak, checkpoint=args.folder / f"gemma-{args.further}.checkpoint",
        report=lambda: f"held out {shares_right(model, words, held, 50)}")
    write(model, words)
    print("of the files:", shares_right(model, words, held, len(held[0])))


if __name__ == "__main__":
    main()
