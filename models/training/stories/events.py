"""Events: what happens in a story, as a sentence of it, as an answer, and as the questions it answers."""

from stories import grammar
from stories.invention import invented_word
from stories.verbs import (HELD_OUT_PLACES, HELD_OUT_REASONS, NEAR_WORDS, NO_GOAL, OPEN_REASONS, PLACE_ADJECTIVES, PLACES,
                           REASON_WORDS, REASONS, TIMES)

COMPILED_REASONS = {text: grammar.compiled(text) for texts in [*REASONS.values(), HELD_OUT_REASONS, OPEN_REASONS]
                    for text in texts}


class Blank:
    """A word of an open reason, drawn anew wherever it stands; now and then one that nobody knows."""

    kind = "phrase"

    def __init__(self, words, invent):
        self.words, self.invent = words, invent

    def form(self, form, rng):
        return invented_word(rng) if rng.random() < self.invent else rng.choice(self.words).replace("~", " ")


class Setting:
    """Where, when and why things happen in one story; no place or time serves twice."""

    def __init__(self, rng, held_out=False, invent=0.0):
        self.rng, self.invent, self.held_out, self.used = rng, invent, held_out, set()
        self.blanks = {name: Blank(words, invent) for name, words in REASON_WORDS.items()}
        self.times = rng.choice(TIMES)
        self.clock = rng.randrange(0, max(1, len(self.times) - 3))

    def place(self, goal=False):
        """(preposition, noun phrase); a goal is somewhere to go."""
        rng = self.rng
        while True:
            preposition, noun = rng.choice(HELD_OUT_PLACES if self.held_out else PLACES)
            if self.invent and rng.random() < self.invent:
                preposition, noun = rng.choice(NEAR_WORDS), invented_word(rng)
            if noun not in self.used and not (goal and noun in NO_GOAL):
                break
        self.used.add(noun)
        return preposition, f"the {rng.choice(PLACE_ADJECTIVES)} {noun}" if rng.random() < 0.3 else f"the {noun}"

    def time(self):
        """The next time, or None where the day is over."""
        if self.clock >= len(self.times):
            return None
        time = self.times[self.clock]
        self.clock += self.rng.choice((1, 1, 2))
        return time

    def reason(self, kind, writer, agent):
        if self.held_out:
            kind, texts = "held-out", HELD_OUT_REASONS
        elif self.invent and self.rng.random() < 0.5:
            texts = OPEN_REASONS
            writer.cast |= self.blanks
        else:
            texts = REASONS[kind]
        for _ in range(5):
            text = self.rng.choice(texts)
            if text not in self.used:
                break
        self.used.add(text)
        writer.cast["a"] = agent
        return writer.text(COMPILED_REASONS[text])


class Event:
    """`roles` maps a, b, o, x to the cast; where, when and why are None where the story does not tell them."""

    def __init__(self, verb, roles, where=None, when=None, why=None):
        self.verb, self.roles, self.where, self.when, self.why = verb, roles, where, when, why
        self.span = None

    def objects(self, name, skip=None):
        """The frame filled in by `name`; without role `skip`, whose preposition stays ("to")."""
        out = []
        for piece in self.verb.pieces:
            if piece[0] != "[":
                out.append(piece)
            elif piece[1] != skip:
                out.append(name(self.roles[piece[1]]))
        return " ".join(out)

    def predicate(self, past=True, skip=None):
        """ "found the kite", "give the kite to"."""
        rest = self.objects(lambda role: role.final(), skip)
        head = self.verb.past if past else self.verb.base
        return f"{head} {rest}" if rest else head

    @property
    def who(self):
        return self.roles["a"].final()

    def core(self):
        text = f"{self.who} {self.predicate()}"
        return f"{text} to {self.where[1]}" if self.verb.place == "to" and not self.verb.pieces and self.where else text

    def place(self):
        preposition, noun = self.where
        return f"to {noun}" if self.verb.place == "to" else f"{preposition} {noun}"

    def tell(self, rng, last_agent, last_thing):
        """The sentence of the story; pronouns only for whom and what the last sentence was about."""
        agent = self.roles["a"]
        if agent is last_agent and agent.introduced and rng.random() < 0.4:
            who = agent.form("he", rng)
        else:
            who = agent.mention(rng)

        def name(role):
            if role is last_thing and role is self.roles.get("o") and rng.random() < 0.25:
                return role.form("it", rng)
            return role.mention(rng)
        parts = [who, self.verb.past]
        rest = self.objects(name)
        if rest:
            parts.append(rest)
        if self.where:
            parts.append(self.place())
        draw = rng.random()
        if self.when:
            if draw < 0.6:
                parts[0] = f"{self.when}{',' if rng.random() < 0.7 else ''} {parts[0]}"
            else:
                parts.append(self.when)
        elif last_agent and draw < 0.25:
            parts[0] = rng.choice(("then ", "soon ", "after that, ", "so ", "and then ", "later, ")) + parts[0]
        if self.why:
            if not self.when and draw > 0.85:
                parts[0] = f"because {self.why}, {parts[0]}"
            else:
                parts.append(f"because {self.why}")
        return grammar.capital(" ".join(parts)) + "."
