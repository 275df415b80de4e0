#!/usr/bin/env python3
"""Held-out questions whose answer is a word that stands once in the story, with another word that could stand there: for experiments
that change what the model has read of that word.

    python3 -m stories.sources --count 300        # JSON: [{"question": the user's turn, "place": where in it the word is, ...}, ...]
    python3 -m stories.sources --count 200 --all  # held-out questions of any kind, 200 in each of five settings, and what answers them
"""

import argparse
import json
import random
import re

from . import talk


def found(text, word):
    return [match.start() for match in re.finditer(rf"\b{re.escape(word)}\b", text)]


def question_of(conversation, number, question):
    """(the user's turn, the place of the answer's word in it), or None where that is not one word that stands there once."""
    if number != 1 or question.key is None or question.span is None or " " in question.key:
        return None
    role, text, *_ = conversation.turns[0]
    places = found(text, question.key)
    if role != "user" or len(places) != 1 or len(found(question.answer, question.key)) != 1:
        return None
    return text, places[0]


def alike(word, other):
    """Whether one may stand in the place of the other: both are names, or take the same article."""
    return word[0].isupper() == other[0].isupper() and (word[0] in "aeiou") == (other[0] in "aeiou")


def sources(count, seed="sources"):
    rng, questions = random.Random(f"held-out {seed}"), []
    while len(questions) < count:
        conversation = talk.given(rng, {"words"}, False, 1)
        for number, (role, _, check) in enumerate(conversation.turns):
            if role != "assistant" or not check or "question" not in check:
                continue
            question = check["question"]
            asked = question_of(conversation, number, question)
            if asked:
                questions.append({"question": asked[0], "place": asked[1], "word": question.key, "kind": question.kind})
    words = {}
    for one in questions:
        words.setdefault(one["kind"], []).append(one["word"])
    for one in questions:
        others = [word for word in words[one["kind"]] if word not in one["question"] and alike(word, one["word"])]
        one["others"] = rng.sample(sorted(set(others)), min(12, len(set(others))))
    return questions


SETTINGS = {
    "given stories, known plots": lambda rng: talk.given(rng, {"words"}, False),
    "in ways to ask that it never saw": lambda rng: talk.given(rng, {"words", "forms"}, False),
    "about plots it never saw": lambda rng: talk.given(rng, {"words", "plots"}, False),
    "its own stories": lambda rng: talk.asked(rng, {"words"}),
    "a second story": lambda rng: talk.second(rng, {"words"}),
}


def all_questions(count):
    """[{"turns": up to the question, "key": what the answer must have, None where the story does not tell}, ...]"""
    return [
        {"turns": [{"role": role, "content": text} for role, text, *_ in conversation.turns[:number]], "key": check["question"].key}
        for name, make in SETTINGS.items()
        for conversation, number, check in talk.checked_turns(make, name, count, lambda check: "question" in check)
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="questions")
    parser.add_argument("--all", action="store_true", help="questions of any kind")
    args = parser.parse_args()
    print(json.dumps(all_questions(args.count) if args.all else sources(args.count)))


if __name__ == "__main__":
    main()
