#!/usr/bin/env python3
"""Writes samples of the training text, the same for the same seed, to be looked at.

    python3 -m stories.generate --count 10 --seed 1 --early
"""

import argparse
import itertools
import json
import random
import re

from stories import chat
from stories.everyday import WORDINGS, everyday
from stories.grammar import HERE
from stories.newcomer import newcomer
from stories.opening import OPENINGS, opening
from stories.talk import Talk, asked, continued, given, read_out, recalled, repeated, retold, second, small
from stories.tool_talk import with_tools

BEGIN, END = "<|begin|>", "<|end|>"


def plain(rng, short=False):
    """A story without a conversation: the instruction, a line break, the story; now and then only the story."""
    talk = Talk(rng)
    if rng.random() < 0.15:
        talk.casting.invent = 0
        return [(talk.tell(short).text, True), (END, True)]
    request, story, _ = talk.request("ask-short" if short else None)
    return [(request, False), ("\n" + story.text, True), (END, True)]


def conversation(make, **options):
    def sample(rng):
        talk = make(rng, **options)
        return chat.render(talk.turns, talk.tools)
    return sample


TOOL_TURNS = (2, 3, 4, 5)  # that share the reading of the definitions

# The number of samples of each kind. Early samples are short, with much to find and copy.
EARLY = [(40, conversation(given, drill=True)), (16, conversation(asked, rule="ask-short")),
         (8, lambda rng: plain(rng, short=True)), (10, conversation(with_tools)), (4, conversation(small)),
         (6, conversation(retold)), (20, conversation(repeated))]
LATE = [(50, conversation(given, drill=True)), (55, conversation(given, drill=False)), (30, conversation(asked)),
        (14, conversation(recalled)), (55, conversation(second)), (10, plain), (1, lambda rng: plain(rng, short=True)),
        (300, conversation(with_tools, turns=TOOL_TURNS, used=0.42)), (24, conversation(small)), (24, conversation(retold)),
        (60, conversation(repeated)), (27, conversation(read_out)), (1, conversation(continued)), (200, conversation(newcomer)),
        (210, conversation(everyday)), (80, conversation(opening))]


def of_trials():
    """The sentences of the trials, but for short ones: "Who found it?"."""
    trials = json.loads((HERE / "trials.json").read_text())
    sentences = [part for trial in trials for asked, *_ in trial["turns"] for part in re.split(r"(?<=[.!?]) ", asked)]
    return [text for text in sentences if len(text.split()) > 6]


def plainly(text):
    """What was typed, without case and marks if it is more than two words."""
    return " ".join(re.findall(r"[\w']+|[^\w\s]", text.lower().rstrip(".!? "))) if len(text.split()) > 2 else text


def kept_wordings():
    """What nobody asks in training: the half of the lists of requests and of first messages that is kept for evaluation."""
    lists = [rows["kept"] for rows in WORDINGS["tools"].values()] + [WORDINGS[name]["kept"] for name in ("wrong", "unserved", "stories")]
    asked = [row if isinstance(row, str) else row[0] for rows in lists for row in rows]
    return {plainly(text) for text in asked + [row[1] for row in OPENINGS["kept"] if len(row) == 2]}


def samples(seed, early=False):
    """An endless stream of samples: lists of (text or control token, whether it is to be learned). None has a sentence of the
    trials, or a kept wording."""
    rng = random.Random(f"train {seed}")
    weights, makers = zip(*(EARLY if early else LATE))
    kept_out, kept = re.compile("|".join(map(re.escape, of_trials()))), kept_wordings()
    while True:
        sample = rng.choices(makers, weights)[0](rng)
        asked = {plainly(text.removeprefix("user\n")) for text, _ in sample if text.startswith("user\n")}
        if not kept_out.search("".join(text for text, _ in sample)) and not asked & kept:
            yield [(BEGIN, False)] + sample


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--early", action="store_true")
    args = parser.parse_args()
    for sample in itertools.islice(samples(args.seed, args.early), args.count):
        print("".join(text for text, _ in sample) + "\n" + "-" * 80)


if __name__ == "__main__":
    main()
