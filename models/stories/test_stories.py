"""Tests of the story generator, with the standard library alone: python3 -m unittest stories.test_stories"""

import itertools
import re
import unittest

from stories import cast, generate, grammar, lexicon

REFERENCE = re.compile(grammar.RULE.pattern)
SAMPLES = list(itertools.islice(generate.stories(1), 4000))


class Grammar(unittest.TestCase):
    def test_every_reference_has_a_rule_for_every_class(self):
        for name, alternatives in cast.RULES.items():
            for rule, role in REFERENCE.findall(" ".join(alternatives)):
                if not role:
                    self.assertIn(rule, cast.RULES, name)
                classes = {"": (), "obj": lexicon.OBJECTS}.get(role, lexicon.CHARACTERS)
                for kind in classes:
                    self.assertIn(f"{rule}:{kind}", cast.RULES, name)

    def test_braces_and_brackets_are_paired(self):
        for name, alternatives in cast.RULES.items():
            for text in alternatives:
                for opening, closing in ("{}", "[]", "<>"):
                    self.assertEqual(text.count(opening), text.count(closing), f"{name}: {text}")

    def test_words_have_one_class_and_unseen_words_are_unseen(self):
        words = [word for word, _ in cast.CHARACTERS + cast.OBJECTS]
        self.assertEqual(len(words), len(set(words)))
        text = " ".join(sample["story"] for sample in SAMPLES)
        for word in lexicon.UNSEEN_CHARACTERS + lexicon.UNSEEN_OBJECTS:
            self.assertNotIn(word, words)
            self.assertNotRegex(text, rf"\b{word}\b")


class Stories(unittest.TestCase):
    def test_asked_for_words_are_used(self):
        for sample in SAMPLES:
            for word in sample["words"]:
                self.assertRegex(sample["story"], re.compile(rf"\b{word}\b", re.IGNORECASE), sample["prompt"])

    def test_text_is_well_formed(self):
        for sample in SAMPLES:
            text = f"{sample['prompt']}\n{sample['story']}"
            self.assertNotRegex(text, r"  |\.\.|[<>{}\[\]]| [,.!?]|[ \n]$|[?!.],")
            self.assertNotRegex(text, r"\b[Aa] (?!uni|uku|one)[aeiou]|\b[Aa]n (?!hour|honest)[^aeiou]")
            self.assertEqual(text.count('"') % 2, 0, text)

    def test_stories_are_short_and_different(self):
        lengths = [len(sample["story"].split()) for sample in SAMPLES]
        self.assertGreaterEqual(min(lengths), 60)
        self.assertLessEqual(max(lengths), 200)
        self.assertEqual(len({sample["story"] for sample in SAMPLES}), len(SAMPLES))

    def test_held_out_pairs_never_meet(self):
        pairs = cast.held_out_pairs()
        self.assertEqual(len(pairs), 200)
        for sample in SAMPLES:
            words = set(sample["words"])
            self.assertFalse(any({who, what} <= words for who, what in pairs), sample["prompt"])

    def test_same_seed_same_stories(self):
        self.assertEqual(SAMPLES[:50], list(itertools.islice(generate.stories(1), 50)))
        self.assertNotEqual(SAMPLES[0], next(generate.stories(2)))
        self.assertNotEqual(SAMPLES[0], next(generate.stories(1, "validation")))


if __name__ == "__main__":
    unittest.main()
