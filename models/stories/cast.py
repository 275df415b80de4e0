"""The cast of a story: characters, objects and a place, each in the forms that the grammar asks for."""

import random
import re

from stories import grammar, lexicon

CHARACTERS = lexicon.words(lexicon.CHARACTERS)
OBJECTS = lexicon.words(lexicon.OBJECTS)
MALE = """boy man king prince wizard father grandfather brother uncle fisherman milkman policeman cowboy duke
    emperor rooster peacock bull stag""".split()
FEMALE = """girl woman queen princess witch mother grandmother sister aunt maid duchess hen mermaid fairy
    cow""".split()
PRONOUNS = {"he": ("he", "him", "his", "himself"), "she": ("she", "her", "her", "herself")}
RULES = grammar.read_rules()
HELD_OUT_PAIRS = 200


def article(phrase):
    sounds_open = phrase[0] in "aeiou" and not re.match(r"uni|uku|use|one", phrase)
    return ("an " if sounds_open or re.match(r"hour|honest", phrase) else "a ") + phrase


class Thing:
    """An object of the story: a noun, and an adjective ("" for none) that the first mention decides."""

    def __init__(self, noun, kind):
        self.noun, self.kind, self.adjective = noun, kind, None

    def form(self, form, rng):
        if form == "ref":
            return self.noun
        if form == "one":
            return article(self.noun)
        if form == "a" and self.adjective is None:
            options = rng.choice(RULES[f"adj:{self.kind}"]).strip("{}").split("|")
            self.adjective = rng.choice(["", "", rng.choice(options), rng.choice(options + lexicon.COLORS)])
        return article(f"{self.adjective} {self.noun}" if self.adjective else self.noun)


class Character:
    """Somebody in the story. The first mention tells the kind, later ones repeat the name or the kind."""

    def __init__(self, noun, kind, rng, name=None, pronoun=None):
        self.noun, self.kind, self.adjective = noun, kind, None
        fixed = "he" if noun in MALE else "she" if noun in FEMALE else None
        self.pronoun = pronoun or fixed or rng.choice(["he", "she"])
        self.named = rng.random() < 0.7
        self.name = name or rng.choice(lexicon.NAMES[self.pronoun].split())
        self.trait = rng.choice(lexicon.TRAITS)

    def form(self, form, rng):
        if form in PRONOUNS["he"]:
            return PRONOUNS[self.pronoun][PRONOUNS["he"].index(form)]
        if form == "ref":
            return self.name if self.named and rng.random() < 0.75 else f"the {self.noun}"
        if form == "a":
            usual = ["", "", "little", "young", "old", "small", self.trait]
            adjective = self.adjective or rng.choice(usual)
            phrase = article(f"{adjective} {self.noun}" if adjective else self.noun)
            if not self.named:
                return phrase
            return f"{phrase} {rng.choice(['named', 'named', 'called'])} {self.name}"
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


ONSETS = """b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sc sh sl sm sn sp st str sw t
    th tr tw v w wh y z""".split()
RIMES = """a ab ack ad ag al am an ap ar ash at ax e eck ed een eer ell em en er est et i ib ick id iff ig ill
    im in ip it o ob ock od og ole om on oon op ot ow oy ub uck ud uff ug um un up ur ush ut""".split()
ENDINGS = """er le y o ing ket kin let bone box pot berry phone stick ter ton bell ball mer dle fish bird
    wood""".split()


def invented_word(rng):
    """A word that is in no dictionary, so that asked-for words must be copied letter by letter."""
    word = "".join(rng.choice(ONSETS) + rng.choice(RIMES) for _ in range(rng.choice([1, 2, 2])))
    return word + (rng.choice(ENDINGS) if rng.random() < 0.5 or len(word) < 4 else "")


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
    return {"hero": leading, "friend": helper, "obj": Thing(obj, obj_kind),
            "extra": Thing(extra, extra_kind), "place": Phrase(place)}
