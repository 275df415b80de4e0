#!/usr/bin/python3
"""What the attention heads look at: does the largest weight lie where it would have to?

    python3 heads.py ../heed-stories.gguf        # writes ../heed-stories.heads.json: the heads that the page shows

A head is called by (layer, head), both from 0.
"""

import argparse
import json
import random
import re
from pathlib import Path

import torch

import export
from bpe import BEGIN
from stories import chat, talk

ANSWER, PREVIOUS, REPEATED, SENTENCE = "answer", "previous", "repeated", "sentence"
EXAMPLE_TOKENS = 60


def places(tokenizer, pieces):
    """(ids, which of them are learned, text, [(start, end) of each token in it])"""
    ids, learned = tokenizer.encode_pieces(pieces)
    text, spans = "".join(piece for piece, _ in pieces), []
    position = 0
    for token in ids:
        length = len(tokenizer.decode([token]).encode()) or len(tokenizer.tokens[token])
        spans.append((position, position + length))
        position += length
    assert position == len(text.encode()), text
    return ids, learned, text, spans


def case(spans, story, told, question, answer, written):
    """(the step before the answer's word is written, the places of that word in the story), or None where that is not known.

    `spans` are those of the tokens of a text in which `story` begins at `told` and `answer` at `written`.
    """
    if question.key is None or question.span is None:
        return None
    start, end = question.span
    word = rf"\b{re.escape(question.key)}\b"
    evidence, key = re.search(word, story[start:end]), re.search(word, answer)
    if not evidence or not key:
        return None

    def covering(first):
        return [index for index, (a, b) in enumerate(spans) if a < first + len(question.key) and b > first]
    return covering(written + key.start())[0] - 1, covering(told + start + evidence.start())


def cases(tokenizer, talks):
    """[(ids, step, places)] of those questions of which it is known where the answer stands."""
    found = []
    for conversation, turn, question in talks:
        turns = conversation.turns[:turn] + [["assistant", question.answer]]
        ids, _, text, spans = places(tokenizer, [("<|begin|>", False)] + chat.render(turns, conversation.tools))
        story = conversation.story.text
        known = case(spans, story, text.index(story), question, question.answer, text.rindex(question.answer))
        if known and len(ids) <= 1000:
            found.append((ids, *known))
    return found


@torch.no_grad()
def looks(model, ids):
    """(place, weight), each layers x heads x T: each head's largest weight at each step, and where it lies."""
    for layer in model.layers:
        layer.attn.watch = []
    model.hidden(torch.tensor([ids]))
    weight, place = torch.stack([layer.attn.watch[0][0] for layer in model.layers]).max(-1)
    for layer in model.layers:
        layer.attn.watch = None
    return place, weight


def best(hits):
    """The head with the most."""
    return divmod(int(hits.argmax()), hits.shape[1])


def answer_head(model, tokenizer, talks):
    """The head whose largest weight most often lies on the answer's word in the story, just before that is written: chosen on
    one half of the questions, measured on the other."""
    found = cases(tokenizer, talks)
    hits, counts = torch.zeros(2, model.config.layers, model.config.heads), [0, 0]
    for number, (ids, step, wanted) in enumerate(found):
        place, _ = looks(model, ids)
        hits[number % 2] += torch.isin(place[..., step], torch.tensor(wanted))
        counts[number % 2] += 1
    layer, head = best(hits[0])
    return {"kind": ANSWER, "layer": layer, "head": head, "score": float(hits[1][layer, head]) / max(1, counts[1]),
            "cases": counts[1]}


def old_kinds(ids, place, stop):
    """{kind: (steps where a head of this kind has something to look at, where it looks there: layers x heads x steps)}"""
    tokens, now = torch.tensor(ids), torch.arange(len(ids))
    again = torch.tensor([token in ids[:index] for index, token in enumerate(ids)])
    ended = (tokens == stop).cumsum(0) - (tokens == stop).long() > 0
    return {PREVIOUS: (now > 0, place == now - 1),
            REPEATED: (again, (tokens[(place - 1).clamp(0)] == tokens) & (place > 0) & (place < now)),
            SENTENCE: (ended, (tokens[place] == stop) & (place < now))}


def old_heads(model, tokenizer, texts):
    """The heads for the token before, for what followed the same token before, and for the ends of earlier sentences, each with
    the text and the token where it shows best."""
    kinds = (PREVIOUS, REPEATED, SENTENCE)
    hits, steps = {kind: torch.zeros(model.config.layers, model.config.heads) for kind in kinds}, dict.fromkeys(kinds, 0)
    looked = []
    for text in texts:
        ids = [BEGIN] + tokenizer.encode(text)
        place, weight = looks(model, ids)
        found = old_kinds(ids, place, tokenizer.ids["."])
        looked.append((text, ids, weight, found))
        for kind, (at, right) in found.items():
            hits[kind] += (right & at).sum(-1)
            steps[kind] += int(at.sum())
    for kind in kinds:
        layer, head = best(hits[kind])
        shown = [(float(weight[layer, head, step]), text, step) for text, ids, weight, found in looked
                 if len(ids) <= EXAMPLE_TOKENS for at, right in [found[kind]]
                 for step in range(len(ids) // 2, len(ids)) if at[step] and right[layer, head, step]
                 and tokenizer.decode([ids[step]]).strip().isalpha()]
        example = dict(zip(("text", "token"), max(shown)[1:])) if shown else {}
        yield {"kind": kind, "layer": layer, "head": head, "score": float(hits[kind][layer, head]) / max(1, steps[kind]),
               "cases": steps[kind], **example}


def held_out_texts(count):
    """Stories of plots that training never sees, in known words, which are easier to look at."""
    rng, texts = random.Random("held-out plots"), []
    for _ in range(count):
        teller = talk.Talk(rng, {"plots"})
        teller.casting.invent = 0
        texts.append(teller.tell(True).text)
    return texts


def measure(model, tokenizer, questions):
    """The head that finds answers, and those of three old kinds."""
    asked = talk.checked_turns(lambda rng: talk.given(rng, {"words"}, False), "heads", questions, lambda check: "question" in check)
    heads = [answer_head(model, tokenizer, [(conversation, turn, check["question"]) for conversation, turn, check in asked]),
             *old_heads(model, tokenizer, held_out_texts(questions))]
    return [{**head, "score": round(head["score"], 4)} for head in heads]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--count", type=int, default=400, help="questions, and texts")
    args = parser.parse_args()
    lines = ",\n  ".join(json.dumps(head) for head in measure(*export.load(args.model), args.count))
    args.model.with_suffix(".heads.json").write_text(f"[\n  {lines}\n]\n")


if __name__ == "__main__":
    main()
