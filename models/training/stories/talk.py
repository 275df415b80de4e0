"""Conversations about stories: turns of a user and of the storyteller, with what is needed to judge an answer."""

import json
import random

from stories import grammar, plots, questions
from stories.cast import RULES, Casting, Phrase, introduce_again, take_back
from stories.grammar import capital
from stories.invention import invented_word
from stories.words import article, plural

TALK = {}
for name, lines in grammar.read_blocks(grammar.HERE / "talk.txt").items():
    TALK[name] = []
    for line in lines:
        weight, text = grammar.weighted(line)
        TALK[name] += [grammar.compiled(text.replace("\\n", "\n"))] * weight
PLOTS, HELD_OUT_PLOTS = list(plots.PLOTS.values()), list(plots.HELD_OUT_PLOTS.values())


class Talk:
    """A conversation in the making. `turns` are [role, text, what there is to check, or that it is "not learned"]."""

    def __init__(self, rng, held_out=False):
        """`held_out`: a set of what to take from the parts that training never sees: words, plots, questions."""
        self.rng, self.held_out = rng, held_out or set()
        self.casting = Casting(rng, "words" in self.held_out)
        self.turns, self.tools, self.short, self.story = [], [], False, None

    def say(self, name, /, **slots):
        """One way to say it."""
        held = name + "-held"
        name = held if "questions" in self.held_out and held in TALK else name
        writer = grammar.Writer(TALK, {key: Phrase(text) for key, text in slots.items()}, self.rng)
        return writer.text(self.rng.choice(TALK[name]))

    def system(self, text):
        self.turns.insert(0, ["system", text, None])

    def user(self, text):
        self.turns.append(["user", text, None])

    def answer(self, text, check=None):
        self.turns.append(["assistant", text, check])

    # Stories

    def tell(self, short=None, cast=None):
        rng = self.rng
        lines = rng.choice(HELD_OUT_PLOTS if "plots" in self.held_out else PLOTS)
        if short or short is None and rng.random() < 0.2:
            lines = plots.brief(lines)
        return plots.tell(rng, lines, self.casting, "plots" in self.held_out, cast, rng.choice((0.3, 0.45, 0.6)))

    def drill(self, low=2, high=5, kept=None):
        rng = self.rng
        return plots.drill(rng, self.casting, rng.randint(low, high), "plots" in self.held_out, rng.choice((0.3, 0.5, 0.7)), kept)

    def request(self, rule=None, invented=False):
        """(instruction, story, the words it must use): the story is what is asked for.

        `invented`: it may have words that are neither known nor asked for, which no teller should learn to make up.
        """
        rng = self.rng
        coined_share = 0
        if not invented:
            coined_share, self.casting.invent = self.casting.invent, 0
        if rule is None and rng.random() < 0.04:
            cast = self.casting.cast(rng.random() < 0.08)
            self.casting.part_names(cast, [])
            return self.say("ask-anything"), self.tell(False, cast), []
        while True:
            twins = rng.random() < 0.04
            cast = self.casting.cast(rng.random() < 0.1, twins)
            coined = self.casting.coin(cast, coined_share, twins)
            short = rng.random() < 0.15 if rule is None else rule == "ask-short"
            topic, words = topic_of_twins(rng, cast) if twins else topic_of(rng, cast)
            if not invented and not self.casting.clear(coined, topic, cast):
                continue
            take_back(coined, topic)
            if not invented:
                self.casting.part_names(cast, words)
            story = self.tell(short, cast)
            text = story.text.lower()
            if all(word.lower() in text for word in words):
                break
        return self.say(rule or "ask-short" if short else "ask", topic=topic), story, words

    def word(self):
        """One that a story might be about, or an invented one."""
        rng = self.rng
        if rng.random() < 0.5:
            return invented_word(rng)
        return (self.casting.thing() if rng.random() < 0.5 else self.casting.character()).noun

    # The questions about a story

    def ask(self, question):
        direct = self.rng.random() < 0.65
        return (self.say("direct", q=question.direct) if direct else self.say("embedded", e=question.embedded))

    def question(self, question, prefix=None):
        asked = self.ask(question)
        self.user(self.say("given", s=self.story.text, ask=asked) if prefix else asked)
        self.answer(question.short if self.short else question.answer, {"question": question})

    def ask_about(self, chosen, given=False):
        """Asks these questions, now and then with "Why?" after an answer. `given`: the story stands before the first."""
        for number, question in enumerate(chosen):
            self.question(question, given and number == 0)
            if self.rng.random() < 0.12:
                self.follow_up(question)

    def questions(self, count, unknown=0.2):
        self.all_questions = questions.of_story(self.story, self.casting, self.rng)
        return questions.choose(list(self.all_questions), self.rng, count, unknown)

    def follow_up(self, question):
        """ "Why?", of what the last answer told."""
        if question.event is None or question.key is None:
            return
        others = [other for other in self.all_questions if other.event is question.event
                  and other.kind in ("where", "when", "why") and other.kind != question.kind]
        if others:
            other = self.rng.choice(others)
            self.user(self.say("follow-up", q=other.kind))
            self.answer(other.short if self.short else other.answer, {"question": other})

    def more(self, asked="more"):
        self.user(self.say(asked))
        story = self.story
        already, story.parts, story.length = story.text, [], 0
        for event in story.events:
            event.span = None
        plots.follow(story, self.rng.choice(plots.SEQUELS))
        self.answer(story.text, {"more": True})
        story.rewrite(already + "\n" + story.text)

    def shorten(self):
        self.user(self.say("shorten"))
        self.answer(" ".join(capital(event.core()) + "." for event in self.story.events[:6]), {"shorten": True})

    def other_end(self):
        self.more("other-end")

    def retell(self):
        """A short story, and the same story with another character or another name in it."""
        rng = self.rng
        invent, self.casting.invent = self.casting.invent, 0
        cast = self.casting.cast()
        take_back(self.casting.coin(cast, invent), cast["hero"].noun)
        self.casting.part_names(cast, [])
        state = rng.getstate()
        first = self.tell(True, cast)
        self.story = first
        hero = cast["hero"]
        self.casting.invent = invent
        while True:
            other = self.casting.character([hero, cast["friend"], cast["third"]])
            if other.pronoun == hero.pronoun:
                break
        self.casting.invent = 0
        old_noun, old_name, slots = hero.noun, hero.name, {}
        if hero.named and rng.random() < 0.4:
            asked, hero.name = "rename", other.name
            slots = {"old": old_name, "new": other.name}
            word = other.name
        else:
            asked, hero.noun = "recast", other.noun
            slots = {"old": old_noun, "olda": article(old_noun), "new": article(other.noun)}
            word = other.noun
        introduce_again(cast)
        later = rng.getstate()
        rng.setstate(state)
        second = self.tell(True, cast)
        rng.setstate(later)
        self.user(self.say("ask-short", topic=article(old_noun)))
        self.answer(first.text)
        self.user(self.say(asked, **slots))
        self.answer(second.text, {"retold": word})

    def facts(self):
        """What JSON may tell of the story."""
        story = self.story
        places = (event.place() for event in story.events if event.where and event.verb.place != "to")
        people = [f"{person.name} the {person.noun}" if person.named else person.noun for person in story.characters()]
        return {"characters": people, "objects": [thing.noun for thing in story.things()],
                "place": story.lives or next(places, None)}

    def fields(self, content):
        """(names of the facts that are asked for, the same in words, or "" for all)"""
        rng, fields = self.rng, list(content)
        if rng.random() < 0.5:
            return fields, ""
        rng.shuffle(fields)
        fields = fields[:rng.choice((1, 2, 3))]
        return fields, fields[0] if len(fields) == 1 else ", ".join(fields[:-1]) + " and " + fields[-1]

    def as_json(self):
        content = self.facts()
        fields, named = self.fields(content)
        self.user(self.say("json", fields=named) if named else self.say("json-all"))
        self.answer_json({field: content[field] for field in fields})

    def answer_json(self, content):
        self.answer(json.dumps(content), {"json": content})

    # Around the stories

    def outside(self):
        self.user(self.say("outside-ask"))
        self.answer(self.say("outside"), {"outside": True})

    def setting(self):
        """Often no system message; else one that matters, or one that does not."""
        rng, draw = self.rng, self.rng.random()
        if draw < 0.2:
            self.system(self.say("system-plain"))
        elif draw < 0.3:
            self.short = True
            self.system(self.say("system-short"))
        elif draw < 0.33:
            self.system(self.say("system-long"))


def topic_of(rng, cast):
    """What the instruction asks for: (text, the words that the story must use)."""
    hero, friend, obj, extra = (cast[role] for role in ("hero", "friend", "obj", "extra"))
    if rng.random() < 0.12:
        hero.adjective = hero.trait
    h, f = (article(f"{who.adjective} {who.noun}" if who.adjective else who.noun) for who in (hero, friend))
    o = obj.noun if obj.count else article(obj.noun)
    if obj.count and rng.random() < 0.5:
        o = f"{obj.count} {obj.noun}"
    his = hero.form("his", rng)
    both = [hero.noun, obj.noun]
    topics = [
        (38, [f"{h} and {o}"], both), (7, [f"{o} and {h}"], both),
        (7, [f"{hero.noun} and {obj.noun}", f"{hero.noun}, {obj.noun}", f"{hero.noun} {obj.noun}"], both),
        (4, [f"the {hero.noun} and the {obj.noun}"], both), (4, [f"{h} and {his} {obj.noun}"], both),
        (4, [f"{h} and {o} {cast['place'].text}"], both), (5, [h], [hero.noun]), (4, [o], [obj.noun]),
        (5, [f"{h} who has {o}", f"{h} with {o}", f"{h} that finds {o}"], both),
        (8, [f"{h}, {f} and {o}", f"{h}, {f}, and {o}", f"{h} and {f} with {o}"],
         [hero.noun, friend.noun, obj.noun]),
        (9, [f"{h} and {f}"], [hero.noun, friend.noun]),
        (5, [hero.name, f"{hero.name} and {o}", f"{hero.name} the {hero.noun}"], [hero.name]),
        (9, [f"{h} named {hero.name}", f"{h} named {hero.name} and {o}", f"{h} called {hero.name} and {o}",
             f"{h} called {hero.name}"], [hero.noun, hero.name])]
    _, texts, words = rng.choices(topics, [weight for weight, *_ in topics])[0]
    text = rng.choice(texts)
    if hero.name in words:
        hero.named = True
    if obj.noun in text and obj.noun not in words:
        words = words + [obj.noun]
    return text, words


def topic_of_twins(rng, cast):
    hero, friend, obj = cast["hero"], cast["friend"], cast["obj"]
    many = rng.choice(("two ", "two ", "")) + plural(hero.noun)
    texts = [(many, []), (f"{many} named {hero.name} and {friend.name}", [hero.name, friend.name]),
             (f"{many} and {obj.form('one', rng)}", [obj.noun])]
    text, words = rng.choice(texts)
    return text, [hero.noun, "another", *words]


# Kinds of conversation

def given(rng, held_out=None, drill=None, count=None):
    """A story of the user's, and questions about it."""
    talk = Talk(rng, held_out)
    talk.setting()
    drill = rng.random() < 0.6 if drill is None else drill
    talk.story = talk.drill() if drill else talk.tell()
    chosen = talk.questions(count or rng.randint(2, 9))
    alone = rng.random() < 0.15
    if alone:
        talk.user(talk.say("given-alone", s=talk.story.text))
        talk.answer(talk.say("heard"))
    talk.ask_about(chosen, given=not alone)
    if rng.random() < 0.25 and (alone or chosen):
        talk.as_json()
    return talk


def asked(rng, held_out=None, rule=None):
    """A story of the teller's, and what follows."""
    talk = Talk(rng, held_out)
    talk.setting()
    request, talk.story, words = talk.request(rule)
    talk.user(request)
    talk.answer(talk.story.text, {"words": words})
    for _ in range(rng.choice((0, 1, 2, 3, 4, 5))):
        draw = rng.random()
        if draw < 0.62:
            talk.ask_about(talk.questions(1))
        elif draw < 0.72:
            talk.as_json()
        elif draw < 0.79:
            talk.shorten()
        elif draw < 0.86:
            talk.more()
        elif draw < 0.9:
            talk.other_end()
        elif draw < 0.95:
            talk.outside()
        else:
            talk.user(talk.say("thanks"))
            talk.answer(talk.say("thanks-back"))
    return talk


def recalled(rng, held_out=None):
    """A story in the teller's turn, of words that it would not make up, and questions about it."""
    talk = Talk(rng, held_out)
    talk.setting()
    request, talk.story, _ = talk.request(rng.choice((None, "ask-short")), invented=True)
    talk.user(request)
    talk.answer(talk.story.text, {"not learned": True})
    talk.ask_about(talk.questions(rng.randint(2, 5)))
    if rng.random() < 0.3:
        talk.as_json()
    return talk


def second(rng, held_out=None):
    """A story of the teller's or of the user's, then one of the user's that keeps some of its cast, and is asked about."""
    talk = Talk(rng, held_out)
    talk.setting()
    invent = talk.casting.invent
    if rng.random() < 0.5:
        request, talk.story, words = talk.request("ask-short")
        talk.user(request)
        talk.answer(talk.story.text, {"words": words})
        talk.casting.invent = invent
    else:
        talk.story = talk.drill()
        for question in talk.questions(1):
            talk.question(question, True)
            talk.turns[-1][2] = None  # those about the other story are to be judged
    told = {role: part for role, part in talk.story.cast.items() if role in ("hero", "friend", "obj") and part.introduced}
    if "friend" in told and told["friend"].another:  # only where there is a first
        del told["friend"]
    kept = rng.sample(list(told), min(len(told), rng.choice((1, 1, 2))))
    talk.story = talk.drill(kept={role: told[role] for role in kept})
    talk.ask_about(talk.questions(rng.randint(2, 4)), given=True)
    if rng.random() < 0.3:
        talk.as_json()
    return talk


def retold(rng, held_out=None):
    talk = Talk(rng, held_out)
    talk.retell()
    return talk


def small(rng, held_out=None):
    """Greetings, names, and what the teller cannot do."""
    talk = Talk(rng, held_out)
    draw, named = rng.random(), None
    if draw < 0.5:
        name = talk.casting.character().name
        named = invented_word(rng).capitalize() if rng.random() < 0.3 and not talk.held_out else name
        talk.system(talk.say("system-name", name=named))
    elif draw < 0.7:
        talk.setting()
    turns = rng.choice((1, 2, 2, 3)) + len(talk.turns)
    while len(talk.turns) < turns:
        draw = rng.random()
        if draw < 0.15:
            talk.user(talk.say("hello"))
            talk.answer(talk.say("hello-back"))
        elif draw < 0.5:
            talk.user(talk.say("who-are-you"))
            talk.answer(f"My name is {named}." if named else "I am a storyteller, and I have no name.",
                        {"key": named or "storyteller"})
        elif draw < 0.65:
            name = talk.casting.character().name
            talk.user(talk.say("my-name", name=name))
            talk.answer(talk.say("nice-name", name=name), {"key": name})
            if rng.random() < 0.7:
                talk.user(talk.say("ask-my-name"))
                talk.answer(f"Your name is {name}.", {"key": name})
        elif draw < 0.75:
            talk.user(talk.say("what-can-you"))
            talk.answer(talk.say("what-i-can"))
        elif draw < 0.8:
            story = talk.drill()
            for question in questions.choose(questions.of_story(story, talk.casting, rng), rng, 1, 0):
                if not any(role == "user" for role, *_ in talk.turns):
                    talk.user(talk.ask(question))
                    talk.answer(talk.say("no-story"))
        elif draw < 0.95:
            talk.outside()
        else:
            talk.user(talk.say("bye"))
            talk.answer(talk.say("bye-back"))
    return talk


def repeated(rng, held_out=None):
    """Words or sentences said again: nothing but copying. A list of words may be wanted as JSON, where no space stands before them."""
    talk = Talk(rng, held_out)
    for _ in range(rng.choice((1, 1, 2))):
        if rng.random() < 0.4:
            text = talk.drill(1, 4).text
        else:
            words = [talk.word() for _ in range(rng.randint(1, 14))]
            if rng.random() < 0.6:
                talk.user(talk.say("repeat-json", s=rng.choice((", ", " and ", ", the ")).join(words)))
                talk.answer(json.dumps(words), {"listed": words})
                continue
            text = rng.choice((" ", ", ")).join(words)
        talk.user(talk.say("repeat", s=text))
        talk.answer(text, {"repeat": text})
    return talk


def read_out(rng, held_out=None):
    """Words said plainly that stand in JSON, or at the beginnings of lines: without a space before them, they have other tokens there.
    So have the results of tools."""
    talk = Talk(rng, held_out)
    for _ in range(rng.choice((1, 2, 2, 3))):
        words = [talk.word() for _ in range(rng.choice((1, 1, 2, 3, 5, 8)))]
        keys = [f"{talk.word()} {number}" if number else talk.word() for number in range(len(words))]
        shown = rng.choice((json.dumps(words), "\n".join(words), json.dumps(dict(zip(keys, words)))))
        talk.user(talk.say("read-out", s=shown))
        talk.answer(talk.say("read-words", s=questions.listed(words)), {"read": words})
    return talk


def continued(rng, held_out=None):
    """The beginning of a story is given, and the storyteller finishes it."""
    talk = Talk(rng, held_out)
    talk.setting()
    talk.casting.invent = 0
    cast = talk.casting.cast()
    talk.casting.part_names(cast, [cast["hero"].name])
    talk.story = talk.tell(False, cast)
    cut = rng.choice(talk.story.events[:2]).span[1]
    talk.user(talk.say("finish", s=talk.story.text[:cut]))
    talk.answer(talk.story.text[cut:].strip())
    if rng.random() < 0.5:
        talk.turns[-1][1] = talk.story.text  # the whole of it
        talk.turns[-2][1] = talk.say("finish-whole", s=talk.story.text[:cut])
    for question in talk.questions(rng.choice((0, 0, 1))):
        talk.question(question)
    return talk


def checked_turns(make, seed, count, wanted):
    """[(talk, number of the turn to be written, what there is to check)] of held-out conversations."""
    rng, found = random.Random(f"held-out {seed}"), []
    while len(found) < count:
        conversation = make(rng)
        for number, (role, _, check) in enumerate(conversation.turns):
            if role == "assistant" and check and wanted(check) and len(found) < count:
                found.append((conversation, number, check))
    return found
