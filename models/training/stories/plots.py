"""Tells stories: from the plots of plots.txt, or of random events; a Story keeps the truth of what it tells."""

import re

from stories import grammar
from stories.cast import RULES
from stories.events import Event, Setting
from stories.invention import invented_verb
from stories.verbs import ALL_VERBS, COUNTABLE, KNOWN_VERBS, VERBS
from stories.words import position

EVENT = re.compile(r"! ([^=:]*?)((?: [abox]=\w+)+)(?: :: (.*))?$")


class Line:
    """A line of a plot: text, or an event that may have a text of its own."""

    def __init__(self, line):
        self.optional, line = line.startswith("? "), line.removeprefix("? ")
        self.paragraph, line = line.startswith("/ "), line.removeprefix("/ ")
        self.verb = self.roles = self.text = None
        if line.startswith("! "):
            verb, roles, text = EVENT.match(line).groups()
            self.verb = VERBS[verb]
            self.roles = dict(pair.split("=") for pair in roles.split())
            self.text = grammar.compiled(text) if text else None
        else:
            self.text = grammar.compiled(line)


def read_plots(path=grammar.HERE / "plots.txt"):
    plots, name = {}, None
    for line in path.read_text().splitlines():
        if line.startswith("plot:"):
            name = line[5:]
            plots[name] = []
        elif line and not line.startswith("#"):
            plots[name].append(Line(line))
    return plots


INVENTED_PLACES = 0.15  # of the places in a story in which words are invented at all
INVENTED_VERBS = 0.2  # of the verbs in such a story
ALL_PLOTS = read_plots()
SEQUELS = [lines for name, lines in ALL_PLOTS.items() if name.startswith("then-")]
PLOTS = {name: lines for name, lines in ALL_PLOTS.items() if name[-1] != "*" and not name.startswith("then-")}
HELD_OUT_PLOTS = {name: lines for name, lines in ALL_PLOTS.items() if name.endswith("*")}


class Story:
    """A text, the events in it with their places in the text, and what else it tells of its cast."""

    def __init__(self, rng, cast, held_out=False, detail=0.45, invent=0.0):
        self.rng, self.cast, self.detail = rng, cast, detail
        self.setting = Setting(rng, held_out, invent)
        self.writer = grammar.Writer(RULES, cast, rng)
        self.events, self.parts, self.length = [], [], 0
        self.last_agent = self.last_thing = None
        self.plot = None

    def add(self, text, paragraph=False):
        """(start, end) of `text` in the story."""
        if self.parts:
            self.parts.append("\n" if paragraph else " ")
            self.length += 1
        start = self.length
        self.parts.append(text)
        self.length += len(text)
        return start, self.length

    def happen(self, verb, roles, text=None, paragraph=False):
        rng = self.rng
        if text is not None:
            event = Event(verb, roles)
            event.span = self.add(grammar.capital(self.writer.text(text)), paragraph)
            for role in roles.values():
                if not role.introduced:
                    event.span = None
            if event.span is None:  # the text left somebody out
                return
        else:
            where = verb.place != "-" and (rng.random() < self.detail or verb.place == "to" and not verb.pieces)
            event = Event(verb, roles)
            if where:
                event.where = self.setting.place(verb.place == "to")
            if rng.random() < self.detail - 0.05:
                event.when = self.setting.time()
            if rng.random() < self.detail - 0.1 and roles["a"].introduced:
                event.why = self.setting.reason(verb.reasons, self.writer, roles["a"])
            event.span = self.add(event.tell(rng, self.last_agent, self.last_thing), paragraph)
        self.last_agent, self.last_thing = roles["a"], roles.get("o")
        self.events.append(event)

    def say(self, pieces, paragraph=False):
        self.last_agent = self.last_thing = None
        self.add(self.writer.text(pieces), paragraph)

    def any_verb(self, rng):
        """One that may happen in this story, or be asked about: where words are invented, now and then a verb that nobody knows."""
        if self.setting.invent and rng.random() < INVENTED_VERBS:
            return invented_verb(rng)
        return rng.choice(ALL_VERBS if self.setting.held_out else KNOWN_VERBS)

    def instead_of(self, verb, rng):
        """The verb of a plot, or one that nobody knows."""
        if self.setting.invent and verb.pieces and rng.random() < INVENTED_VERBS:
            return invented_verb(rng, verb.frame)
        return verb

    def finish(self):
        self.text = "".join(self.parts)
        return self

    def rewrite(self, text):
        """This is the story's text from now on, and what follows is added to it. Where it tells its events is no longer known."""
        self.text, self.parts, self.length = text, [text], len(text)
        for event in self.events:
            event.span = None

    @property
    def lives(self):
        return self.cast["place"].text if "begin" in self.writer.written else None

    def mentioned(self, *roles):
        """Those of these parts that the story tells of, in the order in which it does."""
        parts = [self.cast[role] for role in roles if role in self.cast and self.cast[role].introduced]
        text = self.text
        return sorted(parts, key=lambda part: position(text, part.key))

    def characters(self):
        return self.mentioned("hero", "friend", "third")

    def things(self):
        return self.mentioned("obj", "extra", "many")

    def owners(self):
        """{thing: who has it at the end}, where the events tell."""
        owners = {}
        for event in self.events:
            if event.verb.effect is not None and "o" in event.roles:
                owners[event.roles["o"]] = event.roles.get(event.verb.effect)
        return owners


def tell(rng, lines, casting, held_out=False, cast=None, detail=0.45):
    """A story of one plot."""
    cast = cast or casting.cast(rng.random() < 0.08)
    story = Story(rng, cast, held_out, detail, INVENTED_PLACES if casting.invent else 0)
    if "many" not in cast and any(line.roles and "many" in line.roles.values() for line in lines):
        cast["many"] = casting.several(cast)
    return follow(story, lines)


def brief(lines):
    """The lines of a plot without which it would not be the same story."""
    return [line for line in lines if line.verb and not line.optional]


def follow(story, lines):
    """The story goes on along these lines."""
    rng, cast = story.rng, story.cast
    for line in lines:
        if line.optional and rng.random() < 0.5:
            continue
        if line.verb:
            roles = {role: cast[name] for role, name in line.roles.items()}
            text = line.text if line.text and rng.random() < 0.5 else None
            story.happen(line.verb if text else story.instead_of(line.verb, rng), roles, text, line.paragraph)
        else:
            story.say(line.text, line.paragraph)
    return story.finish()


def drill(rng, casting, count, held_out=False, detail=0.45, kept=None, cast=None):
    """A few random events: all of a story's facts in a tenth of its words. `kept`: whom and what it shares with another story."""
    cast = cast or casting.cast(kept=kept)
    story = Story(rng, cast, held_out, detail, INVENTED_PLACES if casting.invent else 0)
    people, things = [cast["hero"], cast["friend"], cast["third"]], [cast["obj"], cast["extra"]]
    done = set()
    while len(story.events) < count:
        verb = story.any_verb(rng)
        others = rng.sample(people[:rng.choice((1, 2, 2, 3)) if "b" not in verb.roles else rng.choice((2, 3))], 1)
        agent = others[0]
        roles = {"a": agent}
        if "b" in verb.roles:
            roles["b"] = rng.choice([person for person in people[:3] if person is not agent])
        if "x" in verb.roles:
            roles["o"], roles["x"] = rng.sample(things, 2)
        elif "o" in verb.roles:
            if verb.base in COUNTABLE and "many" not in cast and rng.random() < 0.3:
                cast["many"] = casting.several(cast)
                roles["o"] = cast["many"]
            else:
                roles["o"] = rng.choice(things)
        signature = (verb.base, *(id(role) for role in roles.values() if role is not agent))
        if signature in done or (verb.base, id(agent), "b" in roles) in done:
            continue
        done |= {signature, (verb.base, id(agent), "b" in roles)}
        story.happen(verb, roles)
    return story.finish()
