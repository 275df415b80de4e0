"""Teaches a head where answers stand: conversations in which it is known, and a loss for the head's attention.

Shapes: B samples, T tokens. A case is (sample, step, places): at `step` the answer's word is about to be written, and the story has
it at `places`.
"""

import random

import torch

import heads
from reading import dealt, padded, tensors
from shards import LEARNED, ROW
from stories import chat, talk
from stories.invention import use_pieces

HEAD = (3, 3)  # layer and head, from 0: the one that did it best without being taught, of those in the middle
EVERY = 4  # one of so many steps has such samples
WEIGHT = 0.3  # of the head's loss, relative to that of the words
SORTED = 64  # samples a worker that are sorted by length before they are cut into batches


def sample(tokenizer, rng):
    """(ids with the mark of those to be learned, [(step, places)]) of a conversation about a given story."""
    conversation = talk.given(rng, drill=rng.random() < 0.5)
    pieces = [("<|begin|>", False)] + chat.render(conversation.turns, conversation.tools)
    ids, learned, text, spans = heads.places(tokenizer, pieces)
    told, written, cases = text.index(conversation.story.text), 0, []
    for role, answer, check in conversation.turns:
        if role == "assistant":
            written = text.index("assistant\n" + answer, written) + len("assistant\n")
            question = check and check.get("question")
            case = question and heads.case(spans, conversation.story.text, told, question, answer, written)
            if case:
                cases.append(case)
    return [token | LEARNED if own else token for token, own in zip(ids, learned)], cases


def batches(tokenizer, budget, seed, rank=0, workers=1):
    """(tokens, targets, cases), of about `budget` tokens, without end."""
    use_pieces(tokenizer.tokens)
    rng, pool = random.Random(f"pointing {seed}"), []
    while True:
        pool += [made for made in (sample(tokenizer, rng) for _ in range(SORTED * workers)) if len(made[0]) <= ROW]
        groups, pool = dealt(pool, budget, rng, rank, workers, length=lambda made: len(made[0]))
        for group in groups:
            rows = padded([ids for ids, _ in group])
            yield *tensors(rows), [(number, *case) for number, (_, cases) in enumerate(group) for case in cases]


def loss_with_pointing(loss, model, tokens, targets, cases):
    """`loss` of the words, and how far the head is from looking at the answers: negative log of its weights there, in nats."""
    layer, head = HEAD
    attention = model.layers[layer].attn
    attention.watch = []
    words = loss(model, tokens, targets)
    weights, = attention.watch
    attention.watch = None
    shares = torch.stack([weights[number, head, step, places].float().sum() for number, step, places in cases])
    return words - WEIGHT * (shares + 1e-4).log().mean()
