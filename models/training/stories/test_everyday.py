"""Tests of the conversations with dice, clock and calculator and of first messages: python3 -m unittest stories.test_everyday"""

import collections
import itertools
import json
import random
import re
import unittest

from stories import everyday, generate, opening, tools
from stories.everyday import PAGE, README, WORDINGS, Calculator, Clock, Dice
from stories.grammar import HERE
from stories.opening import OPENINGS

HEED = HERE.parents[2]
SAMPLES = list(itertools.islice(generate.samples(2), 1500))
ASKED = [text.removeprefix("user\n") for sample in SAMPLES for text, _ in sample if text.startswith("user\n")]
TYPES = {"integer": int, "string": str}


class Tools(unittest.TestCase):
    @unittest.skipUnless((HEED / "web").exists(), "this folder is not in the project whose page and README they are of")
    def test_the_definitions_are_those_of_the_page_and_of_the_readme(self):
        page = (HEED / "web/chat/tools/tools.ts").read_text()
        for tool in PAGE:
            parameters = tool["parameters"]["properties"]
            for text in (tool["name"], tool["description"], *parameters, *(schema["description"] for schema in parameters.values())):
                self.assertIn(text, page)
        readme = (HEED / "README.md").read_text()
        self.assertIn(f"name: '{README['name']}', description: '{README['description']}'", readme)

    def test_calls_fit_the_definition_and_results_are_told(self):
        rng = random.Random(1)
        for kind, which in itertools.product((Dice, Clock, Calculator), ("page", "readme", "other")):
            if which == "readme" and kind is not Dice:
                continue
            for _ in range(400):
                tool = kind(rng, which)
                wish = tool.wish(rng)
                parameters = tool.definition["parameters"]
                self.assertLessEqual(set(parameters.get("required", ())), set(wish.arguments), wish.request)
                for name, item in wish.arguments.items():
                    self.assertIs(type(item), TYPES[parameters["properties"][name]["type"]], wish.request)
                self.assertNotIn("[", wish.request)
                if "error" in wish.result.lower():
                    self.assertTrue(wish.told.endswith(re.sub(r'^.*?(?:error"?: ?"?)(.*?)"?}?$', r"\1", wish.result, flags=re.IGNORECASE)), wish.told)

    def test_numbers_and_zones_of_a_request_are_in_the_call(self):
        rng = random.Random(2)
        for _ in range(500):
            wish = Dice(rng, "page").wish(rng)
            digits = re.findall(r"\d+", wish.request)
            self.assertLessEqual(set(map(int, digits)), set(wish.arguments.values()), wish.request)
            wish = Clock(rng, "page").wish(rng)
            for zone in re.findall(r"[A-Z]\w+/[\w/]+", wish.request):
                self.assertEqual(wish.arguments, {"time_zone": zone})

    def test_sums_are_worked_out_as_the_page_does(self):
        for text, result in (("19/4", 4.75), ("(2 + 3) * 4", 20), ("2^10", 1024), ("-7 % 3", -1), ("-2^2", -4), ("6/2", 3), ("1/0", None),
                             ("0.1+0.2", 0.30000000000000004), ("007+1", 8)):
            self.assertEqual(everyday.value(text), result, text)
        for text, wrong in (("3+", "the expression ends too early"), ("(3", "a bracket is not closed"), ("3)", "“)” is out of place"), ("3", None)):
            self.assertEqual(everyday.fault(text), wrong, text)

    def test_a_place_has_one_zone(self):
        places = [place for names in everyday.PLACES.values() for place in names]
        self.assertEqual([place for place, count in collections.Counter(places).items() if count > 1 and place != "UTC"], [])

    def test_tools_of_programs_ask_with_every_argument(self):
        for family in tools.USEFUL:
            wanted = {f"[{index}]" for index in range(len(family.parameters))}
            for asked in family.asks:
                self.assertEqual(set(re.findall(r"\[.*?\]", asked)), wanted, asked)

    def test_a_dressed_definition_asks_for_nothing_more(self):
        rng = random.Random(3)
        for family in tools.USEFUL * 10:
            tool = tools.Tool(family, rng)
            dressed = tools.dressed(tool.definition, rng)["parameters"]
            self.assertEqual(dressed["required"], [name for name, _ in tool.parameters])
            self.assertLessEqual(set(dressed["required"]), set(dressed["properties"]))


class Lists(unittest.TestCase):
    def test_nobody_asks_in_training_what_is_kept_for_evaluation(self):
        self.assertEqual(set(map(generate.plainly, ASKED)) & generate.kept_wordings(), set())

    def test_what_is_kept_is_not_taught(self):
        for rows in [*WORDINGS["tools"].values(), WORDINGS["wrong"]]:
            self.assertTrue({generate.plainly(row[0]) for row in rows["taught"]}.isdisjoint(generate.plainly(row[0]) for row in rows["kept"]))
            self.assertLessEqual(abs(len(rows["taught"]) - len(rows["kept"])), 1)
        self.assertEqual(set(map(json.dumps, OPENINGS["taught"])) & set(map(json.dumps, OPENINGS["kept"])), set())

    def test_there_are_as_many_as_the_card_says(self):
        self.assertTrue(all(len(rows["taught"]) + len(rows["kept"]) >= 40 for rows in [*WORDINGS["tools"].values(), WORDINGS["unserved"]]))
        self.assertGreaterEqual(len(OPENINGS["kept"]), 30)
        self.assertLessEqual({row[0] for row in OPENINGS["taught"] + OPENINGS["kept"]}, set(OPENINGS["right"]))


class Openings(unittest.TestCase):
    def test_every_kind_leads_somewhere(self):
        for kind in opening.KINDS:
            self.assertIn(kind, opening.RULES)
            self.assertTrue(kind == "anything" or f"{kind}-back" in opening.RULES, kind)

    def test_an_offer_that_is_accepted_is_kept(self):
        kept = 0
        accepted = {text.lower() for text in ("yes", "yes please", "ok", "sure", "please do", "go ahead")}
        for seed in range(400):
            turns = opening.opening(random.Random(seed)).turns
            for (_, offer, *_), (_, asked, *_), (_, told, *_) in zip(turns, turns[1:], turns[2:]):
                if re.search(r"tell you a story\?$", offer) and asked.lower().strip(".!") in accepted:
                    self.assertGreater(len(re.findall(r"[.!?]", told)), 1, told)
                    kept += 1
        self.assertGreater(kept, 20)

    def test_replies_are_whole_sentences(self):
        rng = random.Random(4)
        for kind in opening.KINDS:
            talk = opening.Opening(rng, None)
            if kind != "anything":
                for _ in range(20):
                    self.assertRegex(talk.said(f"{kind}-back"), r"^[A-Z][^<>\[\]{}|]*[.!?]$")


if __name__ == "__main__":
    unittest.main()
