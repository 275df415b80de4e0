"""Tests that questions have one right answer, and that it stands where they say: the standard library alone."""

import random
import re
import unittest

from stories import plots, questions
from stories.cast import Casting
from stories.verbs import ALL_VERBS

RNG = random.Random("questions")
CASTING = Casting(RNG)
STORIES = [plots.tell(RNG, RNG.choice(list(plots.ALL_PLOTS.values())), CASTING) for _ in range(600)]
STORIES += [plots.drill(RNG, CASTING, 5) for _ in range(600)]
ASKED = [(story, question) for story in STORIES for question in questions.of_story(story, CASTING, RNG)]


class Questions(unittest.TestCase):
    def test_every_kind_is_asked(self):
        kinds = {question.kind for _, question in ASKED}
        self.assertLessEqual({"who", "whom", "what", "where", "when", "why", "how many", "order", "name", "kind",
                              "lives", "color", "owner", "people", "do"}, kinds)

    def test_the_evidence_holds_what_decides_the_answer(self):
        seen = 0
        for story, question in ASKED:
            if question.span and question.kind in ("where", "when", "why", "lives"):
                start, end = question.span
                self.assertIn(question.key.lower(), story.text[start:end].lower())
                seen += 1
        self.assertGreater(seen, 2000)

    def test_one_question_has_one_answer(self):
        for story in STORIES:
            keys = {}
            for question in questions.of_story(story, CASTING, RNG):
                self.assertEqual(keys.setdefault(question.direct, question.key), question.key)

    def test_no_owner_is_told_of_a_thing_after_a_verb_that_nobody_knows(self):
        seen = 0
        for story in STORIES:
            for thing, owner in story.owners().items():
                last = [event.verb for event in story.events if event.roles.get("o") is thing][-1]
                if last not in ALL_VERBS:
                    self.assertIsNone(owner, story.text)
                    seen += 1
        self.assertGreater(seen, 10)

    def test_what_is_not_told_is_said_so(self):
        for _, question in ASKED:
            self.assertEqual(question.key is None, question.answer.startswith(questions.UNKNOWN))

    def test_answers_are_sentences(self):
        for _, question in ASKED:
            self.assertRegex(question.answer, r"^[A-Z].*[^.]\.$")
            self.assertNotRegex(question.answer, r"  |\[|\]|None")

    def test_events_stand_in_their_order(self):
        for story in STORIES:
            spans = [event.span for event in story.events]
            self.assertEqual(spans, sorted(spans))

    def test_the_last_owner_has_it(self):
        for story in STORIES:
            for thing, owner in story.owners().items():
                events = [event for event in story.events if event.roles.get("o") is thing and event.verb.effect]
                if owner is not None:
                    self.assertIs(events[-1].roles[events[-1].verb.effect], owner)

    def test_characters_stand_in_the_order_of_the_text(self):
        for story in STORIES:
            places = [re.search(rf"\b{person.key}\b", story.text).start() for person in story.characters()]
            self.assertEqual(places, sorted(places), story.text)

    def test_colors_are_in_the_text(self):
        for story, question in ASKED:
            if question.kind == "color" and question.key:
                self.assertRegex(story.text, rf"\b{question.key} ")

    def test_two_characters_are_never_called_the_same(self):
        for story in STORIES:
            names = [person.final() for person in story.characters()]
            self.assertEqual(len(names), len(set(names)), story.text)
            self.assertFalse(re.search(r"\bNone\b", story.text))


if __name__ == "__main__":
    unittest.main()
