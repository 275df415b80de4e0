#!/usr/bin/env python3
"""Writes stories with the instructions that ask for them: one JSON object a line, the same for the same seed.

    python3 -m stories.generate --count 1000 --seed 1 --split train
    python3 -m stories.generate --split prompts              # the 200 held-out prompts
"""

import argparse
import json
import random
import re

from stories import grammar, lexicon
from stories.cast import RULES, Phrase, article, held_out_pairs, make_cast

PLOTS = sorted(name[5:] for name in RULES if name.startswith("plot:"))
# What an instruction may ask for, and how often it does.
TOPICS = {"pair": 38, "swapped": 7, "bare": 7, "the": 4, "his": 4, "clause": 15, "triple": 7, "friends": 7,
          "hero": 5, "object": 3, "name": 4, "named": 6, "place": 3, "objects": 3}


def fitting_plots(kind):
    """The plots that an object of this class can play its part in."""
    if kind in lexicon.ONLY_PLOTS:
        return lexicon.ONLY_PLOTS[kind]
    special = [plot for plot in lexicon.SPECIAL_PLOTS if plot != "feast" or kind != "food"]
    unfit = special + lexicon.UNFIT_PLOTS.get(kind, "").split()
    return [plot for plot in PLOTS if plot not in unfit]


def choose_topic(rng, cast, plot):
    """What the instruction asks for: (text, the words that the story must use)."""
    hero, friend, obj, extra = (cast[role] for role in ("hero", "friend", "obj", "extra"))
    if rng.random() < 0.12:
        hero.adjective = hero.trait
    if rng.random() < 0.08:
        obj.adjective = rng.choice(lexicon.COLORS)
    h, f, o, x = (part.form("plain", rng) for part in (hero, friend, obj, extra))
    both = [hero.noun, obj.noun]
    topics = {
        "pair": ([f"{h} and {o}"], both),
        "swapped": ([f"{o} and {h}"], both),
        "bare": ([f"{hero.noun} and {obj.noun}", f"{hero.noun}, {obj.noun}", f"{hero.noun} {obj.noun}"],
                 both),
        "the": ([f"the {hero.noun} and the {obj.noun}"], both),
        "his": ([f"{h} and {hero.form('his', rng)} {obj.noun}"], both),
        "place": ([f"{h} and {o} {cast['place'].text}"], both),
        "hero": ([h], [hero.noun]),
        "object": ([o], [obj.noun]),
        "name": ([hero.name, f"{hero.name} and {o}", f"{hero.name} the {hero.noun}"], [hero.name]),
        "named": ([f"{h} named {hero.name}", f"{h} named {hero.name} and {o}", f"{h} called {hero.name}"],
                  [hero.noun, hero.name]),
    }
    if plot != "alone":
        topics["triple"] = ([f"{h}, {f} and {o}", f"{h}, {f}, and {o}", f"{h} and {f} with {o}"],
                            [hero.noun, friend.noun, obj.noun])
        topics["friends"] = ([f"{h} and {f}"], [hero.noun, friend.noun])
    if plot == "trades":
        topics["objects"] = ([f"{o} and {x}"], [obj.noun, extra.noun])
    if f"clause-{plot}" in RULES:
        clause = grammar.Writer(RULES, cast, rng).write(rng.choice(RULES[f"clause-{plot}"]))
        topics["clause"] = ([clause], [cast[role].noun for role in ("hero", "friend", "obj", "extra")
                                       if re.search(rf"\b{cast[role].noun}\b", clause)])
    form = rng.choices(list(topics), [TOPICS[name] for name in topics])[0]
    if form in ("name", "named"):
        hero.named = True
    texts, words = topics[form]
    return rng.choice(texts), words


def make_story(rng):
    """One sample: {"prompt": instruction or "", "story": text, "words": those asked for}."""
    asked = rng.random() < 0.87
    cast = make_cast(rng, invent=asked)
    plot = rng.choice(fitting_plots(cast["obj"].kind))
    prompt, words = "", []
    if asked:
        writer = grammar.Writer(RULES, cast, rng)
        if rng.random() < 0.04:
            prompt = writer.write(rng.choice(RULES["ask-anything"]))
        else:
            text, words = choose_topic(rng, cast, plot)
            cast["topic"] = Phrase(text)
            prompt = writer.write(rng.choice(RULES["ask"]))
    story = grammar.Writer(RULES, cast, rng).write(rng.choice(RULES[f"plot:{plot}"]))
    if story.startswith("One "):  # the day has been named already
        story = re.sub(r"(?<=[.!?\"] )One (\w+ )?(day|morning|evening|night)", r"That \1\2", story, count=1)
    return {"prompt": prompt, "story": story.replace(" / ", "\n"), "words": words}


def make_tale(rng):
    """A sample of one breath: it asks to copy as many words as a story does, in a quarter of the text."""
    while True:
        cast = make_cast(rng, invent=True)
        text, words = choose_topic(rng, cast, plot="tale")
        cast["topic"] = Phrase(text)
        writer = grammar.Writer(RULES, cast, rng)
        prompt, tale = (writer.write(rng.choice(RULES[rule])) for rule in ("ask-tale", "tale"))
        if all(word.lower() in tale.lower() for word in words):
            return {"prompt": prompt, "story": tale, "words": words}


def stories(seed, split="train", make=make_story):
    """An endless stream of samples; the splits differ in their random numbers."""
    rng = random.Random(f"{split} {seed}")
    while True:
        yield make(rng)


def prompts(pairs):
    return [{"prompt": f"Write a story about {article(who)} and {article(what)}.", "words": [who, what]}
            for who, what in pairs]


def unseen_word_prompts(count=100):
    rng = random.Random("unseen words")
    return prompts([(rng.choice(lexicon.UNSEEN_CHARACTERS), rng.choice(lexicon.UNSEEN_OBJECTS))
                    for _ in range(count)])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--split", choices=["train", "validation", "prompts", "unseen"], default="train")
    args = parser.parse_args()
    if args.split == "prompts":
        samples = prompts(held_out_pairs())
    elif args.split == "unseen":
        samples = unseen_word_prompts()
    else:
        stream = stories(args.seed, args.split)
        samples = (next(stream) for _ in range(args.count))
    for sample in samples:
        print(json.dumps(sample))


if __name__ == "__main__":
    main()
