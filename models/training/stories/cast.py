"""The cast of a story: characters and things, each in the forms that the grammar and the events ask for."""

import random
import re

from stories import grammar, lexicon
from stories.invention import invented_word
from stories.words import NUMBERS, article, plural

CHARACTERS = lexicon.words(lexicon.CHARACTERS)
OBJECTS = lexicon.words(lexicon.OBJECTS)
MALE = set("""boy man king prince wizard father grandfather brother uncle fisherman milkman policeman cowboy duke
    emperor rooster peacock bull stag""".split())
FEMALE = set("""girl woman queen princess witch mother grandmother sister aunt maid duchess hen mermaid fairy
    cow""".split())
PRONOUNS = {"he": {"he": "he", "him": "him", "his": "his", "himself": "himself"},
            "she": {"he": "she", "him": "her", "his": "her", "himself": "herself"}}
RULES = grammar.read_rules()
ADJECTIVES = {name[4:]: lines[0].strip("{}").split("|")
              for name, lines in grammar.read_blocks(grammar.HERE / "phrases.txt").items()
              if name.startswith("adj:")}
NAMES = {gender: text.split() for gender, text in lexicon.NAMES.items()}
PLACES = {kind: [part.strip() for part in text.split("|")] for kind, text in lexicon.PLACES.items()}
HELD_OUT_PAIRS = 200


class Thing:
    """An object of the story; the first mention decides the adjective ("" for none). `count` makes it plural."""

    def __init__(self, noun, kind, count=None):
        self.single, self.kind, self.count = noun, "many" if count else kind, count
        self.noun = plural(noun) if count else noun
        self.adjective, self.introduced = None, False

    def form(self, form, rng):
        if form == "ref":
            return self.noun
        if form == "one":
            return self.noun if self.count else article(self.noun)
        if form == "it":
            return "them" if self.count else "it"
        self.introduced = True
        if form == "a" and self.adjective is None:
            draw = rng.random()
            self.adjective = ("" if draw < 0.45 else rng.choice(lexicon.COLORS) if draw < 0.75
                              else rng.choice(ADJECTIVES[self.kind]))
        phrase = f"{self.adjective} {self.noun}" if self.adjective else self.noun
        return f"{self.count} {phrase}" if self.count else article(phrase)

    @property
    def key(self):
        return self.noun

    def final(self):
        """As an answer names it."""
        return f"the {self.noun}"

    def mention(self, rng):
        return f"the {self.noun}" if self.introduced else self.form("a", rng)


class Character:
    """Somebody in the story. The first mention tells the kind, later ones repeat the name or the kind."""

    def __init__(self, noun, kind, rng, name=None, pronoun=None):
        self.noun, self.kind, self.adjective = noun, kind, None
        fixed = "he" if noun in MALE else "she" if noun in FEMALE else None
        self.pronoun = fixed or pronoun or rng.choice(("he", "she"))
        self.named = rng.random() < 0.7
        self.steady = rng.random() < 0.7  # is always called by the name
        self.name = name or rng.choice(NAMES[self.pronoun])
        self.trait = rng.choice(lexicon.TRAITS)
        self.introduced = self.another = False  # another: of the hero's kind

    def form(self, form, rng):
        if form == "ref":
            if not self.introduced:
                return self.form("a", rng)
            return self.name if self.named and (self.steady or rng.random() < 0.6) else f"the {self.noun}"
        if form in PRONOUNS["he"]:
            return PRONOUNS[self.pronoun][form]
        if form == "a":
            self.introduced = True
            draw = rng.random()
            adjective = self.adjective or ("" if draw < 0.4 else self.trait if draw < 0.6
                                           else rng.choice(("little", "young", "old", "small")))
            phrase = f"{adjective} {self.noun}" if adjective else self.noun
            phrase = f"another {phrase}" if self.another else article(phrase)
            if not self.named:
                return phrase
            return f"{phrase} {'named' if rng.random() < 0.7 else 'called'} {self.name}"
        if form == "plain":
            self.introduced = True
            return article(f"{self.adjective} {self.noun}" if self.adjective else self.noun)
        if form == "name":
            self.named = True
            return self.name
        if form == "call":
            return self.name if self.named else rng.choice(("little ", "dear ", "my dear ", "")) + self.noun
        return {"noun": self.noun, "trait": self.trait}[form]

    @property
    def key(self):
        return self.name if self.named else self.noun

    def final(self):
        return self.name if self.named else f"the {self.noun}"

    def mention(self, rng):
        return self.form("ref", rng)


class Phrase:
    """A fixed piece of text in the cast: the place, the topic."""

    kind = "phrase"

    def __init__(self, text):
        self.text = text

    def form(self, form, rng):
        return self.text


def held_out_pairs():
    """The pairs (character, object) that no training story ever brings together.

    Nouns that the grammar itself mentions are left out: a story might use them without having been asked to.
    """
    mentioned = set(re.findall(r"\w+", (grammar.HERE / "phrases.txt").read_text().lower()))
    mentioned |= set(re.findall(r"\w+", (grammar.HERE / "plots.txt").read_text().lower()))
    characters, objects = ([word for word, _ in table if mentioned.isdisjoint(word.split())]
                           for table in (CHARACTERS, OBJECTS))
    rng = random.Random("held-out pairs")
    pairs = set()
    while len(pairs) < HELD_OUT_PAIRS:
        pairs.add((rng.choice(characters), rng.choice(objects)))
    return sorted(pairs)


HELD_OUT = set(held_out_pairs())


def may_meet(people, things):
    return not any((who.noun, what.single) in HELD_OUT for who in people for what in things)


class Casting:
    """Chooses casts. `held_out` takes the words and names that training never sees, as often as it may.

    Of the others, some have nearly no invented words, some nearly no known ones.
    """

    INVENTED = (0.05, 0.05, 0.3, 0.9)

    def __init__(self, rng, held_out=False):
        self.rng, self.invent = rng, rng.choice(self.INVENTED)
        self.characters, self.objects, self.names = CHARACTERS, OBJECTS, NAMES
        if held_out:
            self.characters = [(word, "person") for word in lexicon.UNSEEN_CHARACTERS]
            self.objects = [(word, "thing") for word in lexicon.UNSEEN_OBJECTS]
            self.names = {gender: text.split() for gender, text in lexicon.UNSEEN_NAMES.items()}
            self.invent = 0

    def noun(self, table):
        word, kind = self.rng.choice(table)
        if self.invent and self.rng.random() < self.invent:
            word = invented_word(self.rng)
        return word, kind

    def character(self, others=(), kind=None):
        rng = self.rng
        while True:
            noun, kind = self.noun(self.characters)
            if noun not in [other.noun for other in others]:
                break
        fixed = "he" if noun in MALE else "she" if noun in FEMALE else None
        pronoun = fixed or rng.choice(("he", "she"))
        if others and not fixed and rng.random() < 0.7:  # so that a pronoun tells the two apart
            pronoun = "she" if others[0].pronoun == "he" else "he"
        while True:
            name = rng.choice(self.names[pronoun])
            if self.invent and rng.random() < self.invent:
                name = invented_word(rng).capitalize()
            if name not in [other.name for other in others]:
                return Character(noun, kind, rng, name, pronoun)

    def thing(self, others=(), kinds=None, count=False):
        rng = self.rng
        for _ in range(40):
            noun, kind = self.noun(self.objects)
            if kinds and kind not in kinds and kind != "thing":
                continue
            if noun not in [other.single for other in others] and kind not in ("sky", "place"):
                break
        return Thing(noun, kind, rng.choice(NUMBERS) if count else None)

    def coin(self, cast, share, twins=False):
        """Gives a share of the cast invented words, for a request to name. `take_back` undoes what it does not name."""
        rng, coined = self.rng, []

        def give(part, **words):
            if rng.random() < share:
                coined.append((part, {name: getattr(part, name) for name in words}))
                for name, word in words.items():
                    setattr(part, name, word)
        for role in () if twins else ("hero", "friend"):
            give(cast[role], noun=invented_word(rng))
        give(cast["hero"], name=invented_word(rng).capitalize())
        word = invented_word(rng)
        give(cast["obj"], single=word, noun=plural(word) if cast["obj"].count else word)
        return coined

    def clear(self, coined, topic, cast):
        """Whether a request tells who is somebody and what is a thing, if it has words that nobody knows: of "a fox and a blick", the
        blick is a thing. So a reader who knows neither word knows what the second is."""
        unknown = {part.noun for part, known in coined if "noun" in known and re.search(rf"\b{part.noun}\b", topic)}
        hero, friend, thing = (cast[role].noun for role in ("hero", "friend", "obj"))
        places = {noun: found.start() for noun in (hero, friend, thing) if (found := re.search(rf"\b{noun}\b", topic))}
        if friend in unknown and thing not in places:
            return False
        if thing in unknown and (hero not in places or places[hero] > places[thing]):
            return cast["hero"].name in topic
        return True

    def part_names(self, cast, asked):
        """Gives the cast of a story that is told names by their roles, but for those that are asked for: each has a third of all names.
        So the names of two differ, even where always the likeliest is written."""
        if self.names is not NAMES:
            return
        people = [cast[role] for role in ("hero", "friend", "third")]
        for turn, person in enumerate(people):
            if person.name not in asked:
                names = NAMES[person.pronoun][turn::len(people)]
                person.name = self.rng.choice([name for name in names if name not in asked])

    def cast(self, plural_object=False, twins=False, kept=None):
        """Hero, friend (of the same kind: twins), third character, two objects and a place; never a held-out pair.

        `kept`: parts of the cast of another story, which nobody has heard of yet in this one.
        """
        kept = dict(kept or {})
        introduce_again(kept)
        while True:
            hero = kept.get("hero") or self.character()
            friend = kept.get("friend") or self.character([hero])
            third = self.character([hero, friend])
            obj = kept.get("obj") or self.thing(count=plural_object)
            extra = self.thing([obj])
            if hero.noun != friend.noun and hero.name != friend.name and may_meet((hero, friend, third), (obj, extra)):
                break
            if len(kept) > 1:  # the two may not go together
                kept.popitem()
        if twins:
            friend.noun, friend.kind, friend.another = hero.noun, hero.kind, True
            for who in (hero, friend):
                who.named = who.steady = True
        place = Phrase(self.rng.choice(PLACES[hero.kind]))
        return {"hero": hero, "friend": friend, "third": third, "obj": obj, "extra": extra, "place": place}

    def several(self, cast):
        """A number of things, for a story with this cast; never a held-out pair."""
        while True:
            many = self.thing([cast["obj"], cast["extra"]], count=True)
            if may_meet((cast["hero"], cast["friend"], cast["third"]), (many,)):
                return many


def introduce_again(cast):
    """In another story, a part of the cast is new, and a thing may look different."""
    for part in cast.values():
        if part.kind != "phrase":
            part.introduced = False
            if isinstance(part, Thing):
                part.adjective = None


def take_back(coined, asked):
    """A teller makes up stories, not words: what the request does not name gets its known word again."""
    for part, known in coined:
        if not any(getattr(part, name) in asked for name in known):
            for name, word in known.items():
                setattr(part, name, word)
