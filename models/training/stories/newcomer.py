"""Conversations as newcomers have them: several stories, pronouns, "how do you know", small talk, other names, places and things,
rules in the system message, tools that nobody needs."""

import re
from copy import copy

from stories import lexicon, plots
from stories.cast import Character, Phrase, may_meet, take_back
from stories.grammar import capital
from stories.invention import invented_word
from stories.talk import Talk, topic_of
from stories.tool_talk import offered, use
from stories.words import article, plural

MOST_CHARACTERS = 3300  # of a conversation: with more it may not fit into the context
COUNTS = ("one sentence", "two sentences", "three sentences", "four sentences", "five sentences")
DIGITS = ("1 sentence", "2 sentences", "3 sentences", "4 sentences", "5 sentences")
ORDINALS = ("first", "second", "third", "fourth")
BEGINNINGS = ("Once upon a time", "Long ago", "Listen", "Dear children", "In the old days", "A long time ago", "Many years ago",
              "Now hear this", "One day", "It was like this", "In a far country", "As my mother told me", "Not long ago")
ENDINGS = ("The end.", "Good night.", "Sleep well!", "That is all.", "And that was that.", "Now it is your turn.",
           "So it was.", "What a day!", "This story is true.", "Goodbye!", "Fine.")
PLACES = [word.replace("_", " ") for word in lexicon.OBJECTS["place"].split()] + """city town forest desert mountains sea moon sky
    market palace park street station airport harbor theater restaurant hotel office factory kitchen cellar attic classroom
    jungle swamp valley ocean river village mine volcano kingdom hospital tent ruins bookshop stable""".split()


def in_place(rng):
    """(where, whereto): "in a castle", "a castle"."""
    noun = invented_word(rng) if rng.random() < 0.3 else rng.choice(PLACES)
    many = noun in ("mountains", "ruins")
    goal = f"the {noun}" if many or rng.random() < 0.45 else article(noun)
    preposition = "on" if noun in ("moon", "sea") else rng.choice(("in", "in", "in", "at", "near"))
    return f"{preposition} {goal}", goal


def other_name(text, character, new):
    """The text with another name for a character, or with one if it had none; None where that is not possible."""
    if re.search(rf"\b{new}\b", text):
        return None
    if character.named:
        return re.sub(rf"\b{character.name}\b", new, text)
    changed, count = re.subn(rf"\b([Aa]n?|[Aa]nother) ((?:\w+ )?{character.noun})\b(?! named| called)", rf"\1 \2 named {new}", text,
                             count=1)
    return changed if count else None


def other_noun(text, old, new):
    """The text with another word for somebody or something; None where that is not possible."""
    if re.search(rf"\b{new}\b|\b{plural(old)}\b", text, re.IGNORECASE):
        return None

    def with_article(match):
        phrase = article((match[2] or "") + new)
        return capital(phrase) if match[1][0] == "A" else phrase
    text = re.sub(rf"\b([Aa]n?) ((?:\w+ )?){old}\b", with_article, text)
    text = re.sub(rf"\b{old}\b", new, text)
    return re.sub(rf"\b{capital(old)}\b", capital(new), text)


def introduced_otherwise(text, character, rng):
    """The text of a user who says "Tom the baker" or "Tom, a baker," where the generator says "a baker named Tom"."""
    form = rng.choice((f"{character.name} the {character.noun}", f"{character.name}, {article(character.noun)},"))
    return re.sub(rf"\b[Aa]n? (?:\w+ )?{character.noun} (?:named|called) {character.name}\b(?![.,])", form, text, count=1)


class Visit(Talk):
    def __init__(self, rng):
        super().__init__(rng)
        self.rules, self.told, self.own = {}, [], []  # told: all stories; own: the teller's among them
        self.greeted = False

    def size(self):
        return sum(len(text) for _, text, _ in self.turns) + sum(len(str(tool)) for tool in self.tools)

    def back(self, name, **slots):
        """A reply of small talk, which names the user if the system message says so."""
        text = self.say(name, **slots)
        if "user" in self.rules:
            text = re.sub(r"[.!?]", lambda mark: f", {self.rules['user']}{mark[0]}", text, count=1)
        self.answer(text, {"small": True})

    def name(self):
        return invented_word(self.rng).capitalize() if self.rng.random() < 0.4 else self.casting.character().name

    # The system message

    def manner(self):
        rng, lines = self.rng, []
        for rule in rng.sample(("name", "name", "count", "count", "short", "long", "begin", "end", "user", "place", "hero", "word", "word",
                                "brief", "plain"), rng.choice((1, 1, 2))):
            lengths = {"count", "short", "long", "begin", "place"}  # of which one is enough
            if rule in self.rules or rule in lengths and lengths & self.rules.keys():
                continue
            if rule == "name":
                self.rules["name"] = self.name()
                lines.append(self.say("give-name", name=self.rules["name"]))
            elif rule == "count":
                self.rules["count"] = rng.randint(2, 5)
                lines.append(self.say("rule-count", count=self.count(self.rules["count"])))
            elif rule in ("short", "long"):
                self.rules[rule] = True
                lines.append(self.say(f"rule-{rule}"))
            elif rule in ("begin", "end"):
                words = rng.choice(BEGINNINGS if rule == "begin" else ENDINGS)
                if rng.random() < 0.25:
                    words = " ".join(invented_word(rng) for _ in range(rng.choice((1, 2)))).capitalize() + "." * (rule == "end")
                self.rules[rule] = words
                lines.append(self.say(f"rule-{rule}", p=words))
            elif rule == "user":
                self.rules["user"] = self.name()
                lines.append(self.say("rule-user", name=self.rules["user"]))
            elif rule == "place":
                self.rules["place"], _ = in_place(rng)
                lines.append(self.say("rule-place", place=self.rules["place"]))
            elif rule == "hero":
                hero = self.casting.character()
                hero.name, hero.named = self.name(), True
                self.rules["hero"] = hero
                lines.append(self.say("rule-hero", topic=f"{article(hero.noun)} {rng.choice(('named', 'called'))} {hero.name}"))
            elif rule in ("word", "brief"):
                self.short = True
                lines.append(self.say("rule-word" if rule == "word" else "system-short"))
            else:
                lines.append(self.say("system-plain"))
        if lines:
            self.system(rng.choice((" ", " ", "\n")).join(lines))

    def count(self, number):
        return self.rng.choice((COUNTS, COUNTS, DIGITS))[number - 1]

    # Stories

    def wish(self, cast):
        """(request, words that the story must use, what else it asks for) of a wish with names, places or a length, or None."""
        rng = self.rng
        hero, friend, obj = cast["hero"], cast["friend"], cast["obj"]
        h, f, o = article(hero.noun), article(friend.noun), obj.noun if obj.count else article(obj.noun)
        draw, called = rng.random(), rng.choice(("named", "called"))
        if draw < 0.5:
            for person in (hero, friend):
                person.name = self.name()
            if hero.name == friend.name:
                return None
            hero.named = True
        if draw < 0.22:
            friend.named = True
            both = [hero.noun, hero.name, friend.noun, friend.name]
            topic, words = rng.choice((
                (f"{h} {called} {hero.name} and {f} {called} {friend.name}", both),
                (f"{h} {called} {hero.name} and {f} {called} {friend.name}", both),
                (f"{hero.name} and {friend.name}", [hero.name, friend.name]),
                (f"{hero.name} the {hero.noun} and {friend.name} the {friend.noun}", both),
                (f"{hero.name}, {h}, and {hero.form('his', rng)} {friend.noun} {friend.name}", both),
                (f"{h} {called} {hero.name}, {f} {called} {friend.name} and {o}", [*both, obj.noun])))
            return self.ask_for(topic), words, {}
        if draw < 0.34:
            topic, words = rng.choice(((f"{h} {called} {hero.name} and {o}", [hero.noun, hero.name, obj.noun]),
                                       (f"{hero.name} the {hero.noun} and {o}", [hero.noun, hero.name, obj.noun]),
                                       (f"{h} {called} {hero.name}", [hero.noun, hero.name])))
            return self.ask_for(topic), words, {}
        forms = {"n": hero.noun, "name": hero.name, "his": hero.form("his", rng), "him": hero.form("him", rng)}
        if draw < 0.4:
            return self.say("own-pet", **forms), [hero.noun, hero.name], {}
        if draw < 0.44:
            return self.say("own-name", name=hero.name, topic=f), [hero.name, friend.noun], {}
        if draw < 0.5:
            return self.say("should-be", topic=h, **forms), [hero.noun, hero.name], {}
        topic, words = f"{h} and {o}", [hero.noun, obj.noun]
        if draw < 0.68 and "place" not in self.rules:
            place, _ = in_place(rng)
            text = self.say("story-in", topic=topic, place=place)
            return text, (words if hero.noun in text else []) + [place], {"place": place}
        if {"count", "short", "long", "begin", "place"} & self.rules.keys():
            return None
        if draw < 0.82:
            number = rng.randint(1, 5)
            return self.say("in-sentences", topic=topic, count=self.count(number)), words, {"count": number}
        kind = rng.choice(("short", "long"))
        return self.say("very-short" if kind == "short" else "long-story", topic=topic), words, {kind: True}

    def ask_for(self, topic):
        first = not self.told
        return self.say("ask" if first or self.rng.random() < 0.3 else "another", topic=topic)

    def own_story(self, kind=None):
        """Somebody asks for a story. `kind`: a wish, a topic, anything, or another story about the same hero."""
        rng = self.rng
        kind = kind or rng.choices(("topic", "wish", "anything", "same"), (45, 32, 13, 10 if self.own else 0))[0]
        share, self.casting.invent = self.casting.invent, 0
        while True:
            fixed = self.own[-1].cast["hero"] if kind == "same" else None
            if "hero" in self.rules:
                fixed = copy(self.rules["hero"])  # someone who is renamed in one story keeps the name in the next
            cast = self.casting.cast(rng.random() < 0.06, kept={"hero": fixed} if fixed else None)
            wished, words, asked = None, [], {}
            if fixed:
                fixed.named = fixed.named or "hero" in self.rules
                words = [fixed.noun]
                if "hero" in self.rules:
                    thing = cast["obj"].noun if cast["obj"].count else article(cast["obj"].noun)
                    wished = self.ask_for(thing) if rng.random() < 0.6 else None
                    words = [fixed.noun, fixed.name] + ([cast["obj"].noun] if wished else [])
                    wished = wished or self.say("another-anything" if self.told else "anything-first")
                else:
                    wished = self.say("same-hero", n=fixed.noun, him=fixed.form("him", rng))
                    words += [fixed.name] if fixed.named else []
            elif kind == "wish":
                coined = self.casting.coin(cast, share)
                made = self.wish(cast)
                if made is None:
                    continue
                wished, words, asked = made
                take_back(coined, " ".join([wished, *words]))
            elif kind == "anything":
                wished = self.say("another-anything" if self.told else "anything-first")
            else:
                coined = self.casting.coin(cast, share)
                topic, words = topic_of(rng, cast)
                if not self.casting.clear(coined, topic, cast):
                    continue
                take_back(coined, topic)
                wished = self.ask_for(topic)
            if not may_meet((cast["hero"], cast["friend"], cast["third"]), (cast["obj"], cast["extra"])):
                continue
            self.casting.part_names(cast, words + ([fixed.name] if fixed else []))
            story = self.story_by({**self.rules, **asked}, cast)
            if story and all(re.search(rf"\b{re.escape(word)}\b", story.text) for word in words):
                break
        self.casting.invent = share
        before = f"{self.say('before-request')} " if rng.random() < 0.25 else ""
        self.user(before + wished)
        # Stories are most of the training text, and most of their loss is chance, so every second plain one is not trained on but
        # only read.
        plain = not asked and not self.rules and bool(self.told)
        self.answer(story.text, {"words": words, "story": True, **({"not learned": True} if plain and rng.random() < 0.5 else {})})
        self.story = story
        self.told.append(story)
        self.own.append(story)

    def story_by(self, rules, cast):
        """A story that keeps to these rules, or None for another try."""
        rng = self.rng
        if "place" in rules:
            cast["place"] = Phrase(rules["place"])
        if "count" in rules:
            story = plots.drill(rng, self.casting, rules["count"], cast=cast, detail=0.3)
        elif "short" in rules:
            story = plots.drill(rng, self.casting, rng.randint(2, 4), cast=cast, detail=0.3)
        elif "begin" in rules or "place" not in rules and "long" not in rules and rng.random() < 0.45:
            story = self.tell(True, cast)
            if len(re.findall(r"[.!?]", story.text)) < 4:
                return None
        else:
            story = self.tell(False, cast)
        if "long" in rules:
            story = plots.follow(story, rng.choice(plots.SEQUELS))
            if len(re.findall(r"[.!?]", story.text)) < 11:
                return None
        if "place" in rules and rules["place"] not in story.text:
            return None
        if "begin" in rules:
            if not re.match(r"An? ", story.text):
                return None
            story.rewrite(f"{rules['begin']}, {story.text[0].lower()}{story.text[1:]}")
        if "end" in rules:
            story.rewrite(f"{story.text} {rules['end']}")
        return story

    def given_story(self):
        """One of the user's, with a question, or with none."""
        rng = self.rng
        self.story = story = self.drill(2, 4)
        for character in story.characters():
            if character.named and rng.random() < 0.35:
                story.rewrite(introduced_otherwise(story.text, character, rng))
        self.told.append(story)
        draw = rng.random()
        if draw < 0.12:
            self.user(self.say("given-alone", s=story.text))
            self.answer(self.say("heard"))
            self.questions(1)
        elif draw < 0.24:
            self.as_json(given=True)
        elif draw < 0.34:
            self.user(self.say("shorten-given", s=story.text))
            self.answer(" ".join(capital(event.core()) + "." for event in story.events[:rng.choice((2, 2, 3))]))
        elif draw < 0.46:
            self.change(given=True)
        else:
            block = "given-next" if len(self.told) > 1 else "given"
            for question in self.questions(1):
                self.user(self.say(block, s=story.text, ask=self.ask(question)))
                self.reply(question)

    def begun_story(self):
        """The user begins, the teller goes on."""
        rng = self.rng
        cast = self.casting.cast()
        self.casting.part_names(cast, [cast["hero"].name])
        story = plots.drill(rng, self.casting, rng.randint(1, 2), cast=cast)
        begun = len(story.text)
        text = story.text
        plots.follow(story, rng.choice(plots.SEQUELS))
        if not story.cast["hero"].introduced:
            return
        self.user(self.say("finish", s=text))
        self.answer(story.text[begun:].strip())
        self.story = story
        self.told.append(story)

    # Questions

    def reply(self, question):
        self.answer(question.short if self.short else question.answer, {"question": question})
        self.last = question

    def ask_one(self):
        questions = self.questions(1)
        for question in questions:
            self.user(self.ask(question))
            self.reply(question)
            self.after(question)

    def after(self, question):
        """What may follow an answer."""
        rng, draw = self.rng, self.rng.random()
        if question.key is None:
            if draw < 0.7:
                self.why_untold()
        elif draw < 0.4:
            self.pronoun(question)
        elif draw < 0.55:
            self.user(self.say("know"))
            self.answer(self.say("know-told", a=question.answer))
        elif draw < 0.65:
            self.follow_up(question)

    def why_untold(self):
        """ "Why?" and "How do you know?" after what is not told."""
        rng, said = self.rng, set()
        for _ in range(rng.choice((1, 1, 2))):
            block = rng.choice(("why-untold", "know"))
            while True:
                text = self.say(f"{block}-back" if block == "why-untold" else "know-untold")
                if text not in said:
                    break
            said.add(text)
            self.user(self.say(block))
            self.answer(text)

    def pronoun(self, question):
        """Another question about the same event, with pronouns for whom and what the answer named."""
        rng, event = self.rng, question.event
        if event is None:
            return
        agent, thing = event.roles["a"], event.roles.get("o")
        others = [other for other in self.all_questions if other.event is event and other.direct != question.direct
                  and other.kind in ("who", "what", "whom", "where", "when", "why") and other.kind != question.kind]
        rng.shuffle(others)
        for other in others[:rng.choice((1, 1, 2))]:
            asked = other.direct
            if other.kind != "who":
                asked = asked.replace(f"did {event.who} ", f"did {agent.form('he', rng)} ", 1)
            if thing is not None and other.kind != "what":
                asked = re.sub(rf"{re.escape(thing.final())}(?!\w)", thing.form("it", rng), asked, count=1)
            if asked == other.direct:
                continue
            self.user(self.say("direct", q=asked) if rng.random() < 0.5 else capital(asked) + "?")
            self.reply(other)

    def trait(self):
        """What no story tells."""
        people = self.story.characters()
        if people:
            who = self.rng.choice(people)
            self.user(self.say("trait-of", n=self.rng.choice((who.final(), f"the {who.noun}"))))
            self.answer(self.say("trait-of-back"))
            if self.rng.random() < 0.6:
                self.why_untold()

    def about_cast(self):
        """Names and kinds, asked for with pronouns."""
        rng, story = self.rng, self.story
        people = [person for person in story.characters() if person.named
                  and re.search(rf"\b{person.name}\b", story.text)]
        if not people:
            return
        if len(people) == 2 and rng.random() < 0.4:
            self.user(self.say("names-both"))
            self.answer(f"Their names are {people[0].name} and {people[1].name}.")
            return
        person = story.cast["hero"] if story.cast["hero"] in people and rng.random() < 0.7 else rng.choice(people)
        forms = {form: person.form(form, rng) for form in ("he", "his")}
        if len(people) > 1 or rng.random() < 0.5:  # so that it is clear who is meant
            self.user(self.say("direct", q=f"who is {person.name}") if rng.random() < 0.5 else f"Who is {person.name}?")
            self.answer(f"{person.name} was {article(person.noun)}.")
            if rng.random() < 0.4:
                self.user(self.say("its-name", **forms))
                self.answer(f"{capital(forms['his'])} name is {person.name}.")
            return
        self.user(self.say("its-name", **forms))
        self.answer(f"The {person.noun}'s name was {person.name}.")
        if rng.random() < 0.5:
            self.user(self.say("what-is", **forms))
            self.answer(f"{person.name} was {article(person.noun)}.")

    def some_told(self):
        """The number of one of the stories so far that has an ordinal."""
        return self.rng.randrange(min(len(self.told), len(ORDINALS)))

    def about_which(self):
        """What one of several stories was about."""
        number = self.some_told()
        story = self.told[number]
        parts = [f"the {person.noun}" for person in story.characters()[:1]] + [thing.final() for thing in story.things()[:1]]
        self.user(self.say("which-story", o=ORDINALS[number], number=str(number + 1)))
        asked = self.turns[-1][1]
        if "first" in asked and number:
            story = self.told[0]
            parts = [f"the {person.noun}" for person in story.characters()[:1]] + [thing.final() for thing in story.things()[:1]]
            number = 0
        self.answer(f"The {ORDINALS[number]} story was about {' and '.join(parts)}.")

    # Changes

    def change(self, given=False):
        """The last story again, with another name, character, thing or place."""
        rng, story = self.rng, self.story
        people, things = story.characters(), [thing for thing in story.things() if not thing.count]
        kinds = [kind for kind, fits in (("rename", people), ("recast", people), ("thing", things), ("move", True), ("both", people))
                 if fits]
        kind = rng.choices(kinds, [{"rename": 40, "recast": 20, "thing": 12, "move": 26, "both": 8}[kind] for kind in kinds])[0]
        text = asked = None
        if kind == "move":
            place, goal = in_place(rng)
            old = story.lives or next((f"{event.where[0]} {event.where[1]}" for event in story.events
                                       if event.where and event.verb.place != "to"), None)
            if place not in story.text:
                if old and old in story.text:
                    text = story.text.replace(old, place)
                    for event in story.events:
                        if event.where and f"{event.where[0]} {event.where[1]}" == old:
                            event.where = tuple(place.split(" ", 1))
                    if story.lives:
                        story.cast = {**story.cast, "place": Phrase(place)}  # other stories may have this place, too
                else:
                    text = f"It happened {place}. {story.text}"
                asked = self.say("move", place=place, goal=goal)
        elif kind == "rename":
            person, new = rng.choice(people[:2]), self.name()
            if sum(other.noun == person.noun for other in people) == 1:
                text = other_name(story.text, person, new)
            if text:
                forms = {"n": person.noun, "new": new, "he": person.form("he", rng), "him": person.form("him", rng),
                         "his": person.form("his", rng)}
                asked = self.say("rename", old=person.name, new=new) if person.named and rng.random() < 0.25 \
                    else self.say("rename-the", **forms)
                if not re.search(rf"\b({person.noun}|{person.name})\b", asked) and person is not people[0]:
                    return  # a pronoun means the hero
                person.name, person.named = new, True
        else:
            part = rng.choice(things if kind == "thing" else people[:2])
            for _ in range(20):
                other = self.casting.thing(things) if kind == "thing" else self.casting.character(people)
                if kind == "thing" or other.pronoun == part.pronoun:
                    break
            else:
                return
            old, new = part.noun, other.noun
            places = " ".join([story.lives or "", *(event.where[1] for event in story.events if event.where)])
            if re.search(rf"\b{old}\b", places):
                return  # "at a city" is no thing
            text = other_noun(story.text, old, new)
            cast = [other if each is part else each for each in story.cast.values()]
            if text and may_meet([each for each in cast if isinstance(each, Character)],
                                 [each for each in cast if hasattr(each, "single")]):
                slots = {"old": old, "olda": article(old), "new": article(new)}
                if kind == "both":
                    name = self.name()
                    asked = self.say("recast-named", name=name, **slots)
                    text = other_name(text, part, name) if part.named else None
                    if text is None:
                        return
                    part.name = name
                else:
                    asked = self.say("recast-the", **slots)
                part.noun = new
                if kind == "thing":
                    part.single = new
            else:
                text = None
        if not text:
            return
        if given:
            self.user(self.say("tell-again", s=story.text, change=asked))
        else:
            self.user(asked)
        story.rewrite(text)
        self.answer(text, {"changed": kind})
        if kind == "move" and rng.random() < 0.3:
            self.user(self.say("where-set"))
            self.answer(f"It happens {place}.")
        elif kind == "rename" and rng.random() < 0.3:
            self.about_cast()

    def shorten(self):
        rng, events = self.rng, self.story.events
        if rng.random() < 0.5 or not events:
            if rng.random() < 0.5:
                super().shorten()
                return
            self.user(self.say("shorten-again"))
            number = min(len(events), rng.choice((2, 3)))
        else:
            number = rng.randint(1, min(4, len(events)))
            self.user(self.say("shorten-to", count=self.count(number)))
        kept = sorted(rng.sample(range(1, len(events)), number - 1)) if number > 1 else []
        self.answer(" ".join(capital(events[index].core()) + "." for index in [0, *kept]), {"shorten": True})

    def longer(self):
        story = self.story
        if len(story.text) > 420 or story not in self.own:
            return
        self.user(self.say("longer"))
        plots.follow(story, self.rng.choice(plots.SEQUELS))
        self.answer(story.text, {"longer": True})

    def as_json(self, given=False):
        """JSON of the last story, or of the one that is asked for."""
        rng, last = self.rng, self.story
        which = self.some_told() if len(self.told) > 1 and rng.random() < 0.5 and not given else None
        self.story = last if which is None else self.told[which]
        content = self.facts()
        fields, named = self.fields(content)
        slots = {"which": ORDINALS[which]} if which is not None else {}
        if given:
            self.user(self.say("json-given", s=last.text, fields=named or "characters, objects and place"))
        elif named:
            self.user(self.say("json-of" if slots else "json", fields=named, **slots))
        else:
            self.user(self.say("json-all-of" if slots else "json-all", **slots))
        content = {field: content[field] for field in fields}
        self.answer_json(content)
        self.story = last

    # Small talk

    def small(self):
        rng = self.rng
        blocks = [("hello-again", "how-back", 8), ("thanks", "thanks-back", 10), ("praise", "praise-back", 14),
                  ("thanks-more", "thanks-more-back", 14), ("meet", "meet-back", 6), ("okay", "okay-back", 4),
                  ("dislike", "dislike-back", 3), ("foreign", "foreign-back", 12), ("speak", "speak-back", 4),
                  ("what-can-you", "what-i-can", 6), ("hello", "hello-back", 12)]
        asked, back, _ = rng.choices(blocks, [weight for *_, weight in blocks])[0]
        if not self.told and asked in ("praise", "okay", "dislike", "thanks"):
            asked, back = "hello", "hello-back"
        if asked == "hello" and rng.random() < 0.35 and "name" not in self.rules:
            name = self.name()
            self.user(self.say("my-name", name=name))
            self.answer(self.say("nice-name", name=name), {"key": name})
            if rng.random() < 0.6:
                if rng.random() < 0.6:
                    self.own_story()
                self.user(self.say("ask-my-name"))
                self.answer(f"Your name is {name}.", {"key": name})
            return
        self.user(self.say(asked))
        if asked == "speak" and self.turns[-1][1].startswith(("Which", "What")):
            back = "speak-which"
        self.back(back)

    def who(self):
        self.user(self.say("who-are-you"))
        if "name" in self.rules:
            self.answer(f"My name is {self.rules['name']}.", {"key": self.rules["name"]})
        else:
            self.answer("I am a storyteller, and I have no name.", {"key": "storyteller"})


def newcomer(rng, held_out=None):
    """Some minutes of a newcomer's."""
    talk = Visit(rng)
    draw = rng.random()
    if draw < 0.42:
        talk.manner()
    elif draw < 0.48:
        talk.system(talk.say("system-plain"))
    made = []
    if rng.random() < 0.22:
        _, made = offered(talk, rng)
        made = made[:2]
        talk.tools = [tool.definition for tool in made]
    if rng.random() < 0.3 or "name" in talk.rules or "user" in talk.rules:
        (talk.who if "name" in talk.rules and rng.random() < 0.7 else talk.small)()
    for _ in range(rng.choice((2, 3, 4, 5, 6))):
        if talk.size() > MOST_CHARACTERS:
            break
        last = talk.told[-1] if talk.told else None
        if last is None or talk.story is None:
            acts = {talk.own_story: 60, talk.given_story: 32, talk.begun_story: 4, talk.small: 12}
        else:
            acts = {talk.own_story: 16, talk.given_story: 12, talk.ask_one: 22, talk.change: 30, talk.trait: 8, talk.about_cast: 9,
                    talk.small: 12, talk.shorten: 7, talk.more: 7, talk.other_end: 2, talk.longer: 3, talk.as_json: 8, talk.outside: 4,
                    talk.who: 2}
            if len(talk.told) > 1:
                acts |= {talk.as_json: 26, talk.about_which: 7, talk.ask_one: 30}
            if last not in talk.own:
                acts[talk.more] = acts[talk.other_end] = 0
        if made:
            acts[use] = 8
        act = rng.choices(list(acts), list(acts.values()))[0]
        if act is use:
            use(talk, rng.choice(made), rng)
        else:
            act()
    if rng.random() < 0.12:
        talk.user(talk.say("leave"))
        talk.back("leave-back")
    return talk
