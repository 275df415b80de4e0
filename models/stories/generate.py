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

CHARACTERS = lexicon.words(lexicon.CHARACTERS)
OBJECTS = lexicon.words(lexicon.OBJECTS)
MALE, FEMALE = ("boy man king prince wizard father grandfather brother uncle fisherman milkman policeman cowboy duke "
                "emperor rooster peacock bull stag".split(),
                "girl woman queen princess witch mother grandmother sister aunt maid duchess hen mermaid fairy "
                "cow".split())
PRONOUNS = {"he": ("he", "him", "his", "himself"), "she": ("she", "her", "her", "herself")}
RULES = grammar.read_rules()
PLOTS = sorted(name[5:] for name in RULES if name.startswith("plot:"))
HELD_OUT_PAIRS = 200


def article(phrase):
    sounds_open = phrase[0] in "aeiou" and not re.match(r"uni|uku|use|one", phrase)
    return ("an " if sounds_open or re.match(r"hour|honest", phrase) else "a ") + phrase


class Thing:
    """An object of the story: its noun, and perhaps an adjective, which is told once."""

    def __init__(self, noun, kind, rng, adjective=None):
        self.noun, self.kind, self.adjective, self.rng = noun, kind, adjective, rng

    def form(self, form, rng):
        if form == "ref":
            return self.noun
        if form == "a" and self.adjective is None:
            options = grammar.CHOICE.search(rng.choice(RULES[f"adj:{self.kind}"]))[1].split("|")
            self.adjective = rng.choice(["", "", rng.choice(options), rng.choice(options + lexicon.COLORS)])
        return article(f"{self.adjective} {self.noun}" if self.adjective else self.noun)


class Character:
    """Somebody in the story. The first mention tells the kind, later ones repeat the name or the kind."""

    def __init__(self, noun, kind, rng, name=None, named=None, adjective=None, pronoun=None):
        self.noun, self.kind, self.adjective = noun, kind, adjective
        self.pronoun = pronoun or ("he" if noun in MALE else "she" if noun in FEMALE else rng.choice(["he", "she"]))
        self.named = rng.random() < 0.7 if named is None else named
        self.name = name or rng.choice(lexicon.NAMES[self.pronoun].split())
        self.trait = adjective or rng.choice(lexicon.TRAITS)

    def form(self, form, rng):
        if form in ("he", "him", "his", "himself"):
            return PRONOUNS[self.pronoun][("he", "him", "his", "himself").index(form)]
        if form == "ref":
            return self.name if self.named and rng.random() < 0.75 else f"the {self.noun}"
        if form == "a":
            adjective = self.adjective or rng.choice([None, None, "little", "young", "old", "small", self.trait])
            phrase = article(f"{adjective} {self.noun}" if adjective else self.noun)
            return f"{phrase} {rng.choice(['named', 'named', 'called'])} {self.name}" if self.named else phrase
        if form == "plain":
            return article(f"{self.adjective} {self.noun}" if self.adjective else self.noun)
        if form == "name":
            self.named = True
            return self.name
        if form == "call":
            return self.name if self.named else rng.choice(["little ", "dear ", "my dear ", ""]) + self.noun
        return {"noun": self.noun, "trait": self.trait}[form]


class Phrase:
    """A fixed piece of text in the cast: the place, the topic."""

    def __init__(self, text):
        self.text = text

    def form(self, form, rng):
        return self.text


def invented_word(rng):
    """A word that is in no dictionary, so that asked-for words must be copied letter by letter."""
    onset = "b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sc sh sl sm sn sp st str sw t th tr " \
            "tw v w wh y z".split()
    rime = "a ab ack ad ag al am an ap ar ash at ax e eck ed een eer ell em en er est et i ib ick id iff ig ill im " \
           "in ip it o ob ock od og ole om on oon op ot ow oy ub uck ud uff ug um un up ur ush ut".split()
    ending = "er le y o ing ket kin let bone box pot berry phone stick ter ton bell ball mer dle fish bird wood".split()
    word = "".join(rng.choice(onset) + rng.choice(rime) for _ in range(rng.choice([1, 2, 2])))
    return word + (rng.choice(ending) if rng.random() < 0.5 or len(word) < 4 else "")


def held_out_pairs():
    """The pairs (character, object) that no training story ever brings together.

    Nouns that the grammar itself mentions are left out: a story might use them without having been asked to.
    """
    mentioned = set(re.findall(r"\w+", " ".join(text for name in RULES for text in RULES[name]).lower()))
    characters, objects = ([word for word, _ in table if mentioned.isdisjoint(word.split())]
                           for table in (CHARACTERS, OBJECTS))
    rng = random.Random("held-out pairs")
    pairs = set()
    while len(pairs) < HELD_OUT_PAIRS:
        pairs.add((rng.choice(characters), rng.choice(objects)))
    return sorted(pairs)


HELD_OUT = set(held_out_pairs())


def make_cast(rng, invent):
    """Hero, friend, object, extra object and place; never a held-out pair."""
    while True:
        (hero, hero_kind), (friend, friend_kind) = rng.sample(CHARACTERS, 2)
        (obj, obj_kind), (extra, extra_kind) = rng.sample(OBJECTS, 2)
        if not any((who, what) in HELD_OUT for who in (hero, friend) for what in (obj, extra)):
            break
    if invent:
        hero = invented_word(rng) if rng.random() < 0.08 else hero
        friend = invented_word(rng) if rng.random() < 0.04 else friend
        if rng.random() < 0.15 and obj_kind not in lexicon.ONLY_PLOTS:
            obj, obj_kind = invented_word(rng), rng.choice(["thing", "thing", "thing", obj_kind])
    name = invented_word(rng).capitalize() if invent and rng.random() < 0.06 else None
    leading = Character(hero, hero_kind, rng, name=name)
    other = rng.choice(["he", "she", {"he": "she", "she": "he"}[leading.pronoun]])
    helper = Character(friend, friend_kind, rng, pronoun=None if friend in MALE + FEMALE else other)
    while helper.name == leading.name:
        helper.name = rng.choice(lexicon.NAMES[helper.pronoun].split())
    place = rng.choice([part.strip() for part in lexicon.PLACES[hero_kind].split("|")])
    return {"hero": leading, "friend": helper, "obj": Thing(obj, obj_kind, rng),
            "extra": Thing(extra, extra_kind, rng), "place": Phrase(place)}


def fitting_plots(kind):
    """The plots that an object of this class can play its part in."""
    if kind in lexicon.ONLY_PLOTS:
        return lexicon.ONLY_PLOTS[kind]
    special = [plot for plot in lexicon.SPECIAL_PLOTS if plot != "feast" or kind != "food"]
    unfit = special + lexicon.UNFIT_PLOTS.get(kind, "").split()
    return [plot for plot in PLOTS if plot not in unfit]


TOPICS = {"pair": 38, "swapped": 7, "bare": 7, "the": 4, "his": 4, "clause": 15, "triple": 7, "friends": 7, "hero": 5,
          "object": 3, "name": 4, "named": 6, "place": 3, "objects": 3}


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
        "bare": ([f"{hero.noun} and {obj.noun}", f"{hero.noun}, {obj.noun}", f"{hero.noun} {obj.noun}"], both),
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


def stories(seed, split="train"):
    """An endless stream of samples; the splits differ in their random numbers."""
    rng = random.Random(f"{split} {seed}")
    while True:
        yield make_story(rng)


def prompts(pairs):
    return [{"prompt": f"Write a story about {article(who)} and {article(what)}.", "words": [who, what]}
            for who, what in pairs]


def unseen_word_prompts(count=100):
    rng = random.Random("unseen words")
    return prompts([(rng.choice(lexicon.UNSEEN_CHARACTERS), rng.choice(lexicon.UNSEEN_OBJECTS)) for _ in range(count)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
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
