"""Questions about a story, with the answers that its events give and where in the text they stand."""

from stories.events import Event
from stories.grammar import capital
from stories.lexicon import COLORS
from stories.verbs import related
from stories.words import article

METALS = {"brass", "golden", "silver"}  # of a thing that is called so, the color is left alone
UNKNOWN = "The story does not tell"


class Question:
    """`direct` asks ("where did Tom go"), `embedded` follows "tell me" ("where Tom went"); both without a mark.

    `key` is the part of the answer that decides whether it is right (None: the story does not tell), `span` the
    characters of the story that tell it.
    """

    def __init__(self, kind, direct, embedded, answer, short, key, span=None):
        self.kind, self.direct, self.embedded = kind, direct, embedded
        self.answer, self.short, self.key, self.span = answer, short, key, span
        self.event = None


def told(kind, direct, embedded, answer, short, key, span):
    return Question(kind, direct, embedded, capital(answer) + ".", capital(short) + ".", key, span)


def not_told(kind, direct, embedded):
    return Question(kind, direct, embedded, f"{UNKNOWN} {embedded}.", UNKNOWN + ".", None)


def of_event(event, rng):
    """The questions that one event answers, and those that it leaves open."""
    verb, roles, who, span = event.verb, event.roles, event.who, event.span
    past, base = event.predicate(), event.predicate(past=False)
    core = event.core()
    goes = verb.place == "to" and not verb.pieces
    agent = roles["a"]
    if not goes:
        asked = past
        if event.where and rng.random() < 0.2:
            asked = f"{past} {event.place()}"
        yield told("who", f"who {asked}", f"who {asked}", core, who, agent.key, span)
    if event.when and rng.random() < 0.5:
        yield told("do", f"what did {who} do {event.when}", f"what {who} did {event.when}", core, core, past, span)
    if "o" in roles:
        thing = roles["o"]
        asked_base, asked_past = event.predicate(False, "o"), event.predicate(True, "o")
        yield told("what", f"what did {who} {asked_base}", f"what {who} {asked_past}", core, thing.final(),
                   thing.key, span)
        if thing.count:
            rest = "" if verb.roles == "o" else event.predicate(False, "o")[len(verb.base):]
            yield told("how many", f"how many {thing.noun} did {who} {verb.base}{rest}",
                       f"how many {thing.noun} {who} {verb.past}{rest}",
                       core.replace(f"the {thing.noun}", f"{thing.count} {thing.noun}"), thing.count, thing.count,
                       None)
    if "b" in roles:
        other = roles["b"]
        yield told("whom", f"who did {who} {event.predicate(False, 'b')}", f"who {who} {event.predicate(True, 'b')}",
                   core, other.final(), other.key, span)
    place = f"{who} {verb.past}" if goes else f"{who} {past}"
    for kind, detail in (("where", event.where), ("when", event.when), ("why", event.why)):
        direct, embedded = f"{kind} did {who} {base}", f"{kind} {place}"
        if kind == "where" and detail:
            answer = core if goes else f"{core} {event.place()}"
            yield told(kind, direct, embedded, answer, event.place(), event.where[1], span)
        elif detail and kind == "when":
            yield told(kind, direct, embedded, f"{core} {detail}", detail, detail, span)
        elif detail:
            yield told(kind, direct, embedded, f"{core} because {detail}", f"because {detail}", detail, span)
        elif verb.place != "-" or kind != "where":
            yield not_told(kind, direct, embedded)


def listed(parts):
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else parts[0]


def of_truth(story, rng):
    """Yes and no: what happened, and the same with another in it."""
    people = story.characters()
    cores = {event.core() for event in story.events}
    for event in rng.sample(story.events, min(2, len(story.events))):
        who, base = event.who, event.predicate(False)
        if event.verb.place == "to" and not event.verb.pieces:
            continue
        yield told("yes or no", f"did {who} {base}", f"whether {who} {event.predicate()}", f"yes, {event.core()}",
                   "yes", "Yes", event.span)
        others = [person for person in people if person not in event.roles.values()]
        if others:
            other = rng.choice(others).final()
            if f"{other} {event.predicate()}" not in cores:
                yield told("yes or no", f"did {other} {base}", f"whether {other} {event.predicate()}",
                           f"no, {event.core()}", "no", "No", event.span)


def of_order(story, rng):
    """What came first, last, next, and before."""
    events = story.events
    if 2 <= len(events) <= 5 and len({event.core() for event in events}) == len(events):
        first, *rest = (event.core() for event in events)
        answer = ". ".join([f"first, {first}", *(f"Then {core}" for core in rest)])
        asked = rng.choice(("in what order did things happen", "what happened in what order"))
        yield told("sequence", asked, asked.replace("did things happen", "things happened"), answer, answer, answer,
                   None)
    if len(events) < 2:
        return
    first, last = events[0], events[-1]
    for at, event in (("first", first), ("last", last)):
        for direct, embedded in ((f"what happened {at}", f"what happened {at}"),):
            yield told("order", direct, embedded, event.core(), event.core(), event.predicate(), event.span)
    index = rng.randrange(len(events) - 1)
    one, two = events[index], events[index + 1]
    if sum(event.core() == one.core() for event in events) == 1 and one.core() != two.core():
        yield told("order", f"what happened after {one.core()}", f"what happened after {one.core()}", two.core(),
                   two.core(), two.predicate(), two.span)
        yield told("order", f"what happened before {two.core()}", f"what happened before {two.core()}", one.core(),
                   one.core(), one.predicate(), one.span)
    early, late = sorted(rng.sample(range(len(events)), 2))
    one, two = events[early], events[late]
    if one.core() != two.core():
        pair = [one.core(), two.core()]
        rng.shuffle(pair)
        text = f"what came first, {pair[0]} or {pair[1]}"
        yield told("order", text, text, f"{one.core()} first", f"{one.core()} first", one.predicate(), one.span)


def of_cast(story, rng):
    """Names, kinds, homes, colors, owners."""
    text = story.text
    for character in story.characters():
        if f"named {character.name}" in text or f"called {character.name}" in text:
            start = text.index(character.name)
            if character.named:
                noun = character.noun
                asked, embedded = rng.choice((
                    (f"what was {character.name}", f"what {character.name} was"),
                    (f"what is {character.name}", f"what {character.name} is"),
                    (f"who is {character.name}", f"who {character.name} is"),
                    (f"who was {character.name}", f"who {character.name} was")))
                yield told("kind", asked, embedded,
                           f"{character.name} was {article(noun)}", article(noun), noun, None)
                if sum(other.noun == noun for other in story.characters()) == 1:
                    asked, embedded = rng.choice((
                        (f"what was the {noun}'s name", f"what the {noun}'s name was"),
                        (f"what is the {noun}'s name", f"what the {noun}'s name is"),
                        (f"what was the name of the {noun}", f"what the name of the {noun} was"),
                        (f"what was the {noun} called", f"what the {noun} was called"),
                        (f"what is the {noun} called", f"what the {noun} is called")))
                    yield told("name", asked, embedded,
                               f"the {noun}'s name was {character.name}", character.name, character.name,
                               (start, start + len(character.name)))
        elif not character.named:
            yield not_told("name", f"what was the {character.noun}'s name", f"what the {character.noun}'s name was")
    hero, friend = story.cast["hero"], story.cast["friend"]
    if story.lives:
        yield told("lives", f"where did {hero.final()} live", f"where {hero.final()} lived",
                   f"{hero.final()} lived {story.lives}", story.lives, story.lives,
                   (text.index(story.lives), text.index(story.lives) + len(story.lives)))
    if friend.introduced and friend.final() not in ("the " + hero.noun,):
        if f"{friend.final()} lived" not in text and "lived next door" not in text:
            yield not_told("lives", f"where did {friend.final()} live", f"where {friend.final()} lived")
    for thing in story.things():
        be = "were" if thing.count else "was"
        color = rng.choice(("color", "color", "colour"))
        direct, embedded = f"what {color} {be} the {thing.noun}", f"what {color} the {thing.noun} {be}"
        if thing.adjective in COLORS:
            yield told("color", direct, embedded, f"the {thing.noun} {be} {thing.adjective}", thing.adjective,
                       thing.adjective, None)
        elif not thing.adjective or thing.adjective not in METALS:
            yield not_told("color", direct, embedded)
    for thing, owner in story.owners().items():
        if owner is not None:
            have = f"has the {thing.noun}"
            asked = f"who {have}" + rng.choice((" at the end", " at the end", " now", " in the end"))
            yield told("owner", asked, asked,
                       f"{owner.final()} {have} at the end", owner.final(), owner.key, None)
    people = [character.final() for character in story.characters()]
    if 1 < len(people):
        asked, embedded = rng.choice((("who is in the story", "who is in the story"),
                                      ("who is in it", "who is in it"),
                                      ("who are the characters", "who the characters are")))
        yield told("people", asked, embedded, f"{listed(people)} are in the story", listed(people), listed(people),
                   None)
    if story.lives:
        asked = rng.choice(("who is the story about", "who is it about"))
        yield told("about", asked, asked, f"the story is about {hero.final()}", hero.final(), hero.key, None)


def of_nobody(story, casting, rng):
    """Questions about what the story does not mention: other people, other things, other deeds."""
    people, things = story.characters(), story.things()
    bases = {event.verb.base for event in story.events}
    for _ in range(3):
        verb = story.any_verb(rng)
        if related(verb.base, bases) or f" {verb.past} " in story.text or verb.place == "to" and not verb.pieces:
            continue
        stranger = casting.character(people)
        gadget = casting.thing(things)
        gadget.introduced = stranger.introduced = True
        cast = {"a": rng.choice(people + [stranger]), "o": rng.choice(things + [gadget]), "x": gadget}
        others = [person for person in people + [stranger] if person is not cast["a"]]
        cast["b"] = rng.choice(others)
        kind = rng.choice(["who", "who", "where", "when", "why"] + ["what"] * ("o" in verb.roles))
        if kind == "who" and things:
            cast["o"] = rng.choice(things)  # one that the story has: "who found the lantern", where somebody only lost it
        event = Event(verb, {role: cast[role] for role in "a" + verb.roles})
        if kind == "who":
            yield not_told(kind, f"who {event.predicate()}", f"who {event.predicate()}")
        elif kind == "what":
            yield not_told(kind, f"what did {event.who} {event.predicate(False, 'o')}",
                           f"what {event.who} {event.predicate(True, 'o')}")
        else:
            yield not_told(kind, f"{kind} did {event.who} {event.predicate(False)}",
                           f"{kind} {event.who} {event.predicate()}")


def of_story(story, casting, rng):
    """All questions about a story that have one right answer, in no order."""
    found = []
    for event in story.events:
        for question in of_event(event, rng):
            question.event = event
            found.append(question)
    found += [*of_order(story, rng), *of_truth(story, rng), *of_cast(story, rng), *of_nobody(story, casting, rng)]
    keys, doubtful = {}, set()
    for question in found:
        if keys.setdefault(question.direct, question.key) != question.key:
            doubtful.add(question.direct)
    return [question for question in found if question.direct not in doubtful]


def choose(questions, rng, count, unknown=0.2):
    """`count` questions of many kinds; a share of them the story does not answer."""
    known, open_ones = {}, []
    for question in questions:
        if question.key is None:
            open_ones.append(question)
        else:
            known.setdefault(question.kind, []).append(question)
    chosen = []
    for _ in range(count):
        if open_ones and rng.random() < unknown or not known:
            if open_ones:
                chosen.append(open_ones.pop(rng.randrange(len(open_ones))))
            continue
        kind = rng.choice(list(known))
        pool = known[kind]
        chosen.append(pool.pop(rng.randrange(len(pool))))
        if not pool:
            del known[kind]
    return chosen

