"""Tests of how the trials are judged, with the standard library alone: python3 -m unittest test_trials"""

import unittest

import trials

STORY = "Once upon a time, there was a fox named Pip. Pip lost a lantern. An owl named Ada found the lantern. They were glad."
ASKED = [["user", "Write a story about a fox and a lantern."]]
TOLD = [*ASKED, ["assistant", STORY]]


def wrong(turns, reply, ended=True, **right):
    return trials.faults(turns, reply, ended, right)


class Trials(unittest.TestCase):
    def test_they_are_as_the_reader_expects(self):
        read = trials.read()
        self.assertEqual(len(read), 120)
        self.assertEqual(len({trial["id"] for trial in read}), 120)
        known = set(trials.__doc__.replace(",", " ").replace(";", " ").replace(":", " ").split())
        for trial in read:
            self.assertTrue(any(right for _, right, *_ in trial["turns"]), trial["id"])
            for _, right, *_ in trial["turns"]:
                self.assertLessEqual(set(right or {}), known, trial["id"])

    def test_a_story_is_right(self):
        self.assertEqual(wrong(ASKED, STORY, story=4, has=["fox", "lantern"], things=["lantern"], distinct=["fox", "owl"]), [])

    def test_faults_of_stories_are_found(self):
        for text, fault in ((STORY.replace("Ada", "Pip"), "names apart"), (STORY + " They were glad.", "no sentence twice"),
                            (STORY.replace("glad", "glumfed"), "known words"), (STORY.replace("lantern", "lamp"), "has"),
                            ("Pip ran. He sat.", "story"), (STORY.replace("An owl named", "A lantern named"), "things"),
                            (STORY + ' "Good day," said the lantern.', "things"), ("<tool_call>", "no call")):
            self.assertIn(fault, wrong(ASKED, text, story=4, has=["fox", "lantern"], things=["lantern"]), text)
        self.assertIn("ends by itself", wrong(ASKED, STORY, False, story=4))
        self.assertEqual(wrong(ASKED, STORY + ' "I do not know what to say," said Ada.', story=4), [])
        self.assertEqual(wrong(ASKED, STORY + " I do not know what to say.", story=4), ["story"])

    def test_who_called_is_not_named_again(self):
        self.assertTrue(trials.names_apart(STORY + ' "Help!" called Pip.'))

    def test_answers_are_judged_by_the_story_before(self):
        turns = [*TOLD, ["user", "What is its name?"]]
        self.assertEqual(wrong(turns, "The fox's name was Pip.", name_of="fox"), [])
        self.assertEqual(wrong(turns, "The fox's name was Ada.", name_of="fox"), ["name_of"])
        self.assertEqual(wrong([*TOLD, ["user", "Call the fox Max."]], STORY.replace("Pip", "Max"), gone="fox", has=["Max"]), [])
        self.assertEqual(wrong([*TOLD, ["user", "Call the fox Max."]], STORY, gone="fox"), ["gone"])
        self.assertEqual(wrong([*TOLD, ["user", "Go on."]], "Pip slept.", fresh=1, about=["fox"]), [])
        self.assertEqual(wrong([*TOLD, ["user", "Go on."]], "Pip lost a lantern.", fresh=1, about=["owl"]), ["about", "fresh"])
        self.assertEqual(wrong([*TOLD, ["user", "Shorter."]], "Pip lost a lantern.", shorter=True), [])
        self.assertEqual(wrong([*TOLD, ["user", "Again."]], STORY, new=True), ["new"])

    def test_words_are_whole(self):
        self.assertTrue(trials.has("Two foxes.", "fox") and trials.has("the fox's hat", "fox") and trials.has("I don't", "not|n't"))
        self.assertFalse(trials.has("a foxglove", "fox") or trials.has("do so", "not|n't"))

    def test_json_and_calls_are_read(self):
        right = {"json": ["Pip|fox", "lantern"], "json_lacks": ["Ada"]}
        self.assertEqual(wrong(TOLD, '{"characters": ["Pip"], "objects": ["lantern"]}', **right), [])
        self.assertEqual(wrong(TOLD, '{"characters": ["Pip", "Ada"]}', **right), ["json", "json_lacks"])
        self.assertEqual(wrong(TOLD, "Pip, lantern", **right), ["json"])
        call = {"name": "dice", "arguments": {"sides": 6}}
        self.assertEqual(wrong(TOLD, '<tool_call>\n{"name": "dice", "arguments": {"sides": 6}}\n</tool_call>', call=call), [])
        self.assertEqual(wrong(TOLD, "I rolled a 4.", call=call), ["no call", "call"])

    def test_conversations_are_held_turn_by_turn(self):
        (trial, turns, faults), = trials.held(
            [{"id": "x", "kind": "y", "tools": [{"name": "get", "description": "Gets.", "parameters": {"a": "string"}}],
              "turns": [["Get b.", {"call": {"name": "get", "arguments": {"a": "b"}}}, "c"], ["Hi", {"has": ["hi"]}]]}],
            lambda prompts: [(f"hi {len(prompt)}", True) for prompt in prompts])
        self.assertEqual([role for role, _ in turns], ["user", "assistant", "tool", "assistant", "user", "assistant"])
        self.assertEqual(faults, [["no call", "call"], []])


if __name__ == "__main__":
    unittest.main()
