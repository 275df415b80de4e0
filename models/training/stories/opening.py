"""How conversations begin: greetings, thanks, "why?", "who are you?", what attention is, and other small talk. It leads somewhere, and an
offer of a story that is accepted is kept."""

import json
import re

from stories import grammar
from stories.cast import Phrase
from stories.everyday import offer, typed, with_something_learned
from stories.grammar import HERE
from stories.invention import invented_word
from stories.talk import Talk

RULES = {}
for _name, _lines in grammar.read_blocks(HERE / "opening.txt").items():
    RULES[_name] = []
    for _line in _lines:
        _weight, _text = grammar.weighted(_line)
        RULES[_name] += [grammar.compiled(_text)] * _weight
OPENINGS = json.loads((HERE / "openings.json").read_text())
# The kinds of first messages, and how many of about a hundred each has.
KINDS = {"greet": 18, "well": 9, "thank": 9, "who": 8, "kind": 8, "made": 4, "able": 12, "stuck": 5, "wonder": 8, "attend": 9, "head": 4, "token": 3,
         "layer": 2, "language-model": 3, "heed": 3, "bye": 5, "praise": 7, "laugh": 3, "blame": 6, "noise": 7, "agree": 5, "refuse": 4, "feel": 8,
         "age": 3, "where": 3, "sad": 5, "anything": 6}
# The kinds of the list that was written by hand, of which training sees one half.
TAUGHT = {"greeting": "greet", "how are you": "well", "thanks": "thank", "attention": "attend", "praise": "praise", "complaint": "blame",
          "bye": "bye", "why": "wonder"}
OFFERS = re.compile(r"(Shall I tell you|Would you like to hear a story|story would you like)[^?]*\?$")


class Opening(Talk):
    def said(self, name, **slots):
        writer = grammar.Writer(RULES, {key: Phrase(text) for key, text in slots.items()}, self.rng)
        return writer.text(self.rng.choice(RULES[name]))

    def first(self):
        """Small talk of some kind."""
        rng = self.rng
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        if rng.random() < 0.08:
            text, kind = rng.choice([(row[1], TAUGHT[row[0]]) for row in OPENINGS["taught"] if row[0] in TAUGHT])
        else:
            text = typed(rng, self.said(kind, x=invented_word(rng), y=invented_word(rng)))
        if kind == "anything":
            self.anything(text)
            return
        self.user(text)
        self.answer(self.said(f"{kind}-back"))

    def decline(self):
        """A question that has nothing to do with stories, declined with an offer."""
        self.user(typed(self.rng, self.say("outside-ask")))
        self.answer(self.said("decline-of"))

    def anything(self, asked):
        """A story of the teller's choice. Most are only read: the teller knows how to tell one."""
        invent, self.casting.invent = self.casting.invent, 0
        _, self.story, _ = self.request("ask-short" if self.rng.random() < 0.75 else None)
        self.casting.invent = invent
        self.user(asked)
        self.answer(self.story.text, {"not learned": True} if self.rng.random() < 0.7 else None)

    def offered(self):
        """An offer of the teller's, of some story, and what comes of it."""
        rng, invent = self.rng, self.casting.invent
        self.casting.invent = 0
        proposal, self.story = self.proposal()
        self.casting.invent = invent
        before = rng.choice(("Hello!", "I am well, thank you.", "You are welcome!", "Thank you!", "I only tell stories.", "I am sorry.", "Good!"))
        asked = {"Hello!": "greet", "I am well, thank you.": "well", "You are welcome!": "thank", "Thank you!": "praise", "I am sorry.": "blame",
                 "Good!": "agree"}.get(before)
        self.user(typed(rng, self.said(asked)) if asked else typed(rng, self.say("outside-ask")))
        self.answer(f"{before} {proposal}", {"not learned": True})
        self.user(self.said("accept-of") if rng.random() < 0.5 else self.said("accept"))
        self.answer(self.story.text)

    def proposal(self):
        """(an offer of a story of something, the story)"""
        while True:
            request, story, words = self.request("ask-short" if self.rng.random() < 0.6 else None)
            found = re.search(r"\babout (.+?)[.?]?$", request)
            if found and words and re.match(r"(an?|the|two|three|four|five|six|\d+) ", found[1]) \
                    and "please" not in found[1]:
                return self.said("offer-of", topic=found[1]), story

    def goes_on(self):
        """What follows an offer, if the last answer was one."""
        rng = self.rng
        if not self.turns or not OFFERS.search(self.turns[-1][1]):
            return
        draw = rng.random()
        if draw < 0.62:
            self.anything(typed(rng, self.said("accept" if "What story" not in self.turns[-1][1] or rng.random() < 0.3 else "anything"), slips=False))
        elif draw < 0.72:
            self.user(typed(rng, self.said("refuse")))
            self.answer(self.said("refuse-back"))
        elif draw < 0.8:
            self.user(self.said("reason"))
            self.answer(self.said("reason-back"))
            self.goes_on()
        elif draw < 0.95:
            invent, self.casting.invent = self.casting.invent, self.casting.invent * 0.5
            request, self.story, _ = self.request("ask-short" if rng.random() < 0.5 else None)
            self.casting.invent = invent
            self.user(request)
            self.answer(self.story.text, {"not learned": True} if rng.random() < 0.7 else None)


def opening(rng, held_out=None):
    """The first minute of a conversation."""
    talk = Opening(rng, held_out)
    draw = rng.random()
    if draw < 0.1:
        talk.setting()
    if rng.random() < 0.25:
        made, others = offer(rng)
        talk.tools = [tool.definition for tool in made + others][:3]
    if rng.random() < 0.2:
        talk.offered()
        if rng.random() < 0.3:
            talk.ask_about(talk.questions(1))
    for _ in range(rng.choice((1, 2, 3, 5))):
        if sum(len(text) for _, text, *_ in talk.turns) > 1800:
            break
        if rng.random() < 0.25 and not talk.tools:
            talk.decline()
        else:
            talk.first()
        talk.goes_on()
    return with_something_learned(talk)
