"""What the attention heads look at: does the largest weight lie where it would have to?

A head is called by (layer, head), both from 0.
"""

import re

import torch

from stories import chat

PREVIOUS, SAME, AFTER_SAME, STOP = "the token before", "the same token before", "what followed the same token", \
    "the end of a sentence"


def places(tokenizer, pieces):
    """(ids, text, [(start, end) of each token in it])"""
    ids, _ = tokenizer.encode_pieces(pieces)
    text, spans = "".join(piece for piece, _ in pieces), []
    position = 0
    for token in ids:
        length = len(tokenizer.decode([token]).encode()) or len(tokenizer.tokens[token])
        spans.append((position, position + length))
        position += length
    assert position == len(text.encode()), text
    return ids, text, spans


def cases(tokenizer, talks):
    """[(ids, the step before the answer's word is written, the tokens of that word in the story's evidence)]"""
    found = []
    for talk, turn, question in talks:
        if question.key is None or question.span is None:
            continue
        start, end = question.span
        evidence = re.search(rf"\b{re.escape(question.key)}\b", talk.story.text[start:end])
        answer = re.search(rf"\b{re.escape(question.key)}\b", question.answer)
        if not evidence or not answer:
            continue
        pieces = [("<|begin|>", False)] + chat.render(talk.turns[:turn] + [["assistant", question.answer]], talk.tools)
        ids, text, spans = places(tokenizer, pieces)
        if len(ids) > 1000 or not text.isascii():
            continue
        told = text.index(talk.story.text) + start + evidence.start()
        written = text.rindex(question.answer) + answer.start()

        def covering(first, last):
            return [index for index, (a, b) in enumerate(spans) if a < last and b > first]
        wanted = covering(told, told + len(question.key))
        step = covering(written, written + len(question.key))[0] - 1
        found.append((ids, step, wanted))
    return found


@torch.no_grad()
def looks(model, ids):
    """layers x heads x T: where each head's largest weight lies at each step."""
    for layer in model.layers:
        layer.attn.watch = []
    model.hidden(torch.tensor([ids]))
    largest = torch.stack([layer.attn.watch[0][0].argmax(-1) for layer in model.layers])
    for layer in model.layers:
        layer.attn.watch = None
    return largest


def measure(model, tokenizer, talks):
    """The head that finds answers, chosen on one half and measured on the other; and the heads of four old kinds."""
    found = cases(tokenizer, talks)
    shape = (model.config.layers, model.config.heads)
    halves, counts = [torch.zeros(shape), torch.zeros(shape)], [0, 0]
    kinds, steps = {kind: torch.zeros(shape) for kind in (PREVIOUS, SAME, AFTER_SAME, STOP)}, dict.fromkeys(
        (PREVIOUS, SAME, AFTER_SAME, STOP), 0)
    stop = tokenizer.ids["."]
    for number, (ids, step, wanted) in enumerate(found):
        largest = looks(model, ids)
        half = number % 2
        counts[half] += 1
        halves[half] += torch.isin(largest[..., step], torch.tensor(wanted))
        if number >= 60:
            continue
        tokens = torch.tensor(ids)
        now = torch.arange(len(ids))
        before = [index for index in range(1, len(ids)) if ids[index] in ids[:index]]
        looked = largest[..., before]
        kinds[PREVIOUS] += (largest[..., 1:] == now[1:] - 1).sum(-1)
        kinds[SAME] += ((tokens[looked] == tokens[before]) & (looked != now[before])).sum(-1)
        kinds[AFTER_SAME] += ((tokens[(looked - 1).clamp(0)] == tokens[before]) & (looked > 0)).sum(-1)
        kinds[STOP] += (tokens[largest[..., 1:]] == stop).sum(-1)
        steps[PREVIOUS] += len(ids) - 1
        steps[STOP] += len(ids) - 1
        steps[SAME] += len(before)
        steps[AFTER_SAME] += len(before)
    best = divmod(int(halves[0].argmax()), model.config.heads)
    figures = {"finds the answer": {"head": best, "score": round(float(halves[1][best]) / max(1, counts[1]), 4),
                                    "cases": counts[1]}}
    for kind, hits in kinds.items():
        head = divmod(int(hits.argmax()), model.config.heads)
        figures[kind] = {"head": head, "score": round(float(hits[head]) / max(1, steps[kind]), 4)}
    return figures
