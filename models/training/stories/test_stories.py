"""Tests of the story generator, with the standard library alone: python3 -m unittest stories.test_stories"""

import itertools
import json
import random
import re
import unittest

from stories import cast, chat, generate, grammar, invention, lexicon, newcomer, plots, talk, tools, verbs
from stories.cast import Casting

RNG = random.Random("tests")
STORIES = [plots.tell(RNG, RNG.choice(list(plots.PLOTS.values())), Casting(RNG)) for _ in range(2000)]
SAMPLES = list(itertools.islice(generate.samples(1), 3000))
OF_TOOLS = [text for family in tools.TRAINED for text in family.asks + family.loose_asks + family.descriptions + family.answers]
TEXT = "\n".join([text for sample in SAMPLES for text, _ in sample] + OF_TOOLS)


class Grammar(unittest.TestCase):
    def test_every_reference_has_a_rule_for_every_class(self):
        for name, lines in grammar.read_blocks(grammar.HERE / "phrases.txt").items():
            for rule, role in re.findall(r"<([\w-]+)(?::(\w+))?>", " ".join(lines)):
                if not role:
                    self.assertIn(rule, cast.RULES, name)
                classes = {"": (), "obj": [*lexicon.OBJECTS, "many"]}.get(role, lexicon.CHARACTERS)
                for kind in classes:
                    self.assertIn(f"{rule}:{kind}", cast.RULES, name)

    def test_braces_and_brackets_are_paired(self):
        for file in ("phrases.txt", "talk.txt"):
            for name, lines in grammar.read_blocks(grammar.HERE / file).items():
                for text in lines:
                    for opening, closing in ("{}", "[]", "<>"):
                        self.assertEqual(text.count(opening), text.count(closing), f"{name}: {text}")

    def test_words_have_one_class(self):
        words = [word for word, _ in cast.CHARACTERS + cast.OBJECTS]
        self.assertEqual(len(words), len(set(words)))


class Tools(unittest.TestCase):
    def test_every_way_to_ask_has_every_argument_and_no_other(self):
        for family in tools.TRAINED + tools.HELD_OUT:
            wanted = {f"[{index}]" for index in range(len(family.parameters))}
            for asked in family.asks + family.loose_asks:
                self.assertEqual(set(re.findall(r"\[.*?\]", asked)), wanted, asked)
                self.assertRegex(asked, r"[.?]$")
            for answer in family.answers:
                self.assertLessEqual(set(re.findall(r"\[.*?\]", answer)), wanted | {"[r]"}, answer)

    def test_no_two_families_share_a_name_or_a_description(self):
        for told in ("names", "descriptions"):
            texts = [text for family in tools.TRAINED + tools.HELD_OUT for text in getattr(family, told)]
            self.assertEqual([text for text in texts if texts.count(text) > 1], [])

    def test_no_trained_family_asks_as_a_held_out_one_does(self):
        self.assertEqual(len(tools.HELD_OUT), 8)
        trained = {asked for family in tools.TRAINED for asked in family.asks + family.loose_asks}
        self.assertTrue(trained.isdisjoint(asked for family in tools.HELD_OUT for asked in family.asks))


class HeldOut(unittest.TestCase):
    def test_held_out_words_are_never_in_the_training_text(self):
        words = lexicon.UNSEEN_CHARACTERS + lexicon.UNSEEN_OBJECTS
        words += [name for text in lexicon.UNSEEN_NAMES.values() for name in text.split()]
        words += [noun for _, noun in verbs.HELD_OUT_PLACES]
        self.assertEqual(set(words) & set(re.findall(r"\w+", TEXT)), set())

    def test_held_out_verbs_and_questions_are_never_in_the_training_text(self):
        for verb in verbs.VERBS.values():
            if verb.held_out:
                self.assertIsNone(re.search(rf"\b{verb.past}\b", TEXT), verb.past)
        for reason in verbs.HELD_OUT_REASONS:
            self.assertNotIn("because " + reason.replace("[a.he]", "she"), TEXT)
            self.assertNotIn("because " + reason.replace("[a.he]", "he"), TEXT)
        self.assertIsNone(re.search(r"(?m)^(Remind me|I forgot|One more question)", TEXT))

    def test_words_are_made_of_the_tokenizers_pieces(self):
        self.addCleanup(invention.use_pieces, [])
        invention.use_pieces(["Ġquo", "Ġ", "Ab", "ough", "x", "<|end|>"])
        words = {invention.of_pieces(RNG) for _ in range(5000)}
        self.assertTrue({"quoough", "quooughough", "brough"} <= words)
        self.assertTrue(all(word.endswith("ough") for word in words))

    def test_held_out_pairs_never_meet(self):
        pairs = cast.held_out_pairs()
        self.assertEqual(len(pairs), 200)
        for story in STORIES:
            words = {part.noun for part in story.characters()} | {part.single for part in story.things()}
            self.assertFalse(any({who, what} <= words for who, what in pairs), story.text)

    def test_trials_are_never_in_the_training_text(self):
        told = generate.of_trials()
        self.assertGreater(len(told), 100)
        self.assertEqual([text for text in told if text in TEXT], [])

    def test_no_plot_is_both_trained_and_held_out(self):
        self.assertGreaterEqual(len(plots.PLOTS), 20)
        self.assertGreaterEqual(len(plots.HELD_OUT_PLOTS), 5)
        self.assertTrue(plots.PLOTS.keys().isdisjoint(plots.HELD_OUT_PLOTS))


class Stories(unittest.TestCase):
    def test_text_is_well_formed(self):
        for story in STORIES:
            self.assertNotRegex(story.text, r"  |\.\.|[<>{}\[\]|]| [,.!?]|[ \n]$|[?!.],")
            self.assertNotRegex(story.text, r"\b[Aa] (?!uni|uku|one|use)[aeiou]|\b[Aa]n (?!hour|honest)[^aeiou]")
            self.assertEqual(story.text.count('"') % 2, 0, story.text)

    def test_stories_differ(self):
        self.assertGreater(len({story.text for story in STORIES}), 0.999 * len(STORIES))

    def test_asked_for_words_are_used(self):
        for seed in range(500):
            conversation = talk.asked(random.Random(seed))
            _, text, check = next(turn for turn in conversation.turns if turn[0] == "assistant")
            for word in check["words"]:
                self.assertIn(word.lower(), text.lower())

    def test_a_character_of_another_story_is_introduced_again(self):
        seen = 0
        for seed in range(100):
            rng = random.Random(seed)
            casting = Casting(rng)
            hero = plots.drill(rng, casting, 3).cast["hero"]
            text = plots.drill(rng, casting, 5, kept={"hero": hero}).text
            if hero.introduced:
                self.assertRegex(text, rf"\b[Aa]n? (\w+ )?{hero.noun}\b")
                seen += 1
        self.assertGreater(seen, 50)

    def test_what_is_checked_is_about_the_second_story(self):
        kept = 0
        for seed in range(200):
            conversation = talk.second(random.Random(seed))
            told = next(number for number, turn in enumerate(conversation.turns) if conversation.story.text in turn[1])
            for number, (role, _, check) in enumerate(conversation.turns):
                if check and "question" in check:
                    self.assertGreater(number, told)
            before = " ".join(text for _, text, _ in conversation.turns[:told])
            kept += any(part.key in before for part in conversation.story.characters() + conversation.story.things())
        self.assertGreater(kept, 150)

    def test_samples_are_the_same_for_the_same_seed(self):
        self.assertEqual(SAMPLES[:50], list(itertools.islice(generate.samples(1), 50)))
        self.assertNotEqual(SAMPLES[0], next(generate.samples(2)))


class Newcomers(unittest.TestCase):
    VISITS = [newcomer.newcomer(random.Random(seed)) for seed in range(600)]

    def stories(self):
        """(conversation, number of the turn, a story of the teller's)"""
        for visit in self.VISITS:
            for number, (_, text, check) in enumerate(visit.turns):
                if check and "story" in check:
                    yield visit, number, text

    def test_no_two_in_a_story_of_the_tellers_have_one_name(self):
        told = 0
        for _, _, text in self.stories():
            names = re.findall(r"(?<!\" )\b(?:named|called) ([A-Z]\w+)", text)  # not: "Help!" called Pip
            self.assertEqual(len(names), len(set(names)), text)
            told += 1
        self.assertGreater(told, 300)

    def test_roles_have_names_of_their_own(self):
        rng, roles = random.Random(1), {}
        for _ in range(2000):
            casting = Casting(rng)
            parts = casting.cast()
            casting.part_names(parts, [])
            for role in ("hero", "friend", "third"):
                roles.setdefault(role, set()).add(parts[role].name)
        for one, other in itertools.combinations(roles.values(), 2):
            self.assertTrue(one.isdisjoint(other))

    def test_of_an_unknown_word_the_request_tells_whether_it_is_somebody(self):
        things = 0
        for seed in range(1500):
            conversation = talk.asked(random.Random(seed))
            known, things_known = ({word for word, _ in table} for table in (cast.CHARACTERS + cast.OBJECTS, cast.OBJECTS))
            asked = re.fullmatch(r"Write a story about an? (\w+) and an? (\w+)\.", next(
                text for role, text, _ in conversation.turns if role == "user"))
            if asked and asked[2] not in known and asked[1] not in things_known:
                self.assertIn(asked[2], [thing.noun for thing in conversation.story.things()])
                things += 1
        self.assertGreater(things, 20)

    def test_stories_keep_to_the_system_message(self):
        seen = dict.fromkeys(("count", "begin", "end", "place", "hero"), 0)
        for visit, _, text in self.stories():
            rules = {rule: value for rule, value in visit.rules.items() if rule in seen}
            for rule in rules:
                seen[rule] += 1
            if "end" in rules:
                self.assertTrue(text.endswith(" " + rules["end"]))
                text = text.removesuffix(" " + rules["end"])
            if "begin" in rules:
                self.assertTrue(text.startswith(rules["begin"] + ", "))
            if "count" in rules:
                self.assertEqual(len(re.findall(r"[.!?]", text)), rules["count"])
            if "place" in rules:
                self.assertIn(rules["place"], text)
            if "hero" in rules:
                self.assertIn(rules["hero"].name, text)
        self.assertGreater(min(seen.values()), 5, seen)

    def test_a_changed_story_has_the_new_and_not_the_old(self):
        fox = cast.Character("fox", "land", random.Random(1), "Pip")
        fox.named = True
        text = "An old fox named Pip met another bear. Pip saw a fox trap. The fox ran."
        self.assertEqual(newcomer.other_name(text, fox, "Ada"), text.replace("Pip", "Ada"))
        self.assertIsNone(newcomer.other_name(text + " Ada.", fox, "Ada"))
        fox.named = False
        self.assertEqual(newcomer.other_name("A fox ran.", fox, "Ada"), "A fox named Ada ran.")
        self.assertEqual(newcomer.other_noun("A fox ran. The fox sat by an old fox.", "fox", "owl"),
                         "An owl ran. The owl sat by an old owl.")
        self.assertIsNone(newcomer.other_noun("Two foxes.", "fox", "owl"))
        changes = [(before[1], turn[1]) for visit in self.VISITS for before, turn in zip(visit.turns, visit.turns[1:])
                   if turn[2] and "changed" in turn[2]]
        self.assertGreater(len(changes), 100)
        for asked, text in changes:
            self.assertNotEqual(asked, text)
            self.assertNotRegex(text, r"\b[Aa] (?!uni|uku|one|use)[aeiou]|  ")

    def test_json_tells_of_the_story_that_is_asked_for(self):
        seen = 0
        for visit in self.VISITS:
            for number, (_, text, check) in enumerate(visit.turns):
                if check and "json" in check:
                    before = " ".join(text for _, text, _ in visit.turns[:number])
                    content = json.loads(text)
                    self.assertEqual(content, check["json"])
                    for words in content.get("characters", []) + content.get("objects", []):
                        for word in words.split(" the "):  # "Pip the fox"
                            self.assertIn(word, before)
                    seen += "second" in visit.turns[number - 1][1]
        self.assertGreater(seen, 10)

    def test_only_plain_stories_after_the_first_are_not_learned(self):
        left_out = 0
        for visit in self.VISITS:
            for number, (_, _, check) in enumerate(visit.turns):
                if check and "not learned" in check:
                    self.assertTrue(check["story"] and not visit.rules)
                    self.assertTrue(any(role == "assistant" for role, *_ in visit.turns[:number]))
                    left_out += 1
        self.assertGreater(left_out, 30)

    def test_tools_that_nobody_needs_are_not_called(self):
        calls = offers = 0
        for visit in self.VISITS:
            if visit.tools:
                offers += 1
                calls += any("<tool_call>" in text for _, text, _ in visit.turns)
            else:
                self.assertNotIn("<tool_call>", " ".join(text for _, text, _ in visit.turns))
        self.assertGreater(offers, 50)
        self.assertTrue(0 < calls < offers / 2)


class Chat(unittest.TestCase):
    def test_only_the_storyteller_is_learned(self):
        for sample in SAMPLES[:500]:
            for (before, _), (text, learned) in zip(sample, sample[1:]):
                if text.startswith(("user\n", "system\n", "tool\n")):
                    self.assertFalse(learned)
            turns = [turn for (before, _), turn in zip(sample, sample[1:]) if before == "assistant\n"]
            self.assertTrue(not turns or any(learned for _, learned in turns))
            for text, learned in turns:  # only stories may be left out, as some are
                self.assertTrue(learned or len(re.findall(r"[.!?]", text)) > 2 or text.endswith("?"), text)  # a story, or an offer

    def test_lists_of_words_are_json(self):
        lists = 0
        for seed in range(200):
            for _, text, check in talk.repeated(random.Random(seed)).turns:
                if check and "listed" in check:
                    self.assertEqual(json.loads(text), check["listed"])
                    lists += 1
        self.assertGreater(lists, 20)

    def test_words_without_a_space_before_them_are_read_out_with_one(self):
        bare = 0
        for seed in range(100):
            turns = talk.read_out(random.Random(seed)).turns
            for (_, asked, _), (_, text, check) in zip(turns, turns[1:]):
                for word in check["read"] if check else ():
                    self.assertIn(word, asked)
                    self.assertIn(f" {word}", text)
                    bare += f" {word}" not in asked
        self.assertGreater(bare, 200)

    def test_a_story_in_the_tellers_turn_of_words_it_would_not_make_up_is_not_learned(self):
        for seed in range(50):
            turns = talk.recalled(random.Random(seed)).turns
            pieces = chat.render(turns)
            told = [learned for (before, _), (_, learned) in zip(pieces, pieces[1:]) if before == "assistant\n"]
            self.assertEqual(told, [False] + [True] * (len(told) - 1))
            self.assertGreater(len(told), 1)

    def test_words_that_tools_give_have_to_be_copied_but_those_held_out_are_words(self):
        families = [family for family in tools.TRAINED if family.result == "word"]
        known = {word for table in (cast.CHARACTERS, cast.OBJECTS) for word, _ in table}
        unseen = {*lexicon.UNSEEN_CHARACTERS, *lexicon.UNSEEN_OBJECTS}
        rng = random.Random(1)
        for held_out, least, most in ((False, 0.5, 0.9), (True, 0, 0)):
            uses = [tools.Use(tools.Tool(rng.choice(families), rng), cast.Casting(rng, held_out), rng) for _ in range(400)]
            strange = [use.key for use in uses if use.key and use.key not in known | unseen]
            self.assertGreaterEqual(len(strange), least * len(uses))
            self.assertLessEqual(len(strange), most * len(uses))

    def test_calls_are_json_and_name_a_tool_that_is_offered(self):
        calls = 0
        for sample in SAMPLES:
            text = "".join(piece for piece, _ in sample)
            for call in re.findall(r"<tool_call>\n(.*)\n</tool_call>", text):
                call = json.loads(call)
                offered = json.loads(next(line for line in text.splitlines()
                                          if line.startswith(f'{{"name": "{call["name"]}", "desc')))
                self.assertLessEqual(set(offered["parameters"].get("required", ())), set(call["arguments"]))
                self.assertLessEqual(set(call["arguments"]), set(offered["parameters"]["properties"]))
                calls += 1
        self.assertGreater(calls, 100)

    def test_the_template_says_what_training_says(self):
        try:
            import jinja2
        except ImportError:
            self.skipTest("no jinja2")
        environment = jinja2.Environment()
        environment.filters["tojson"] = json.dumps
        template = environment.from_string(chat.TEMPLATE)
        tool = {"name": "dice", "description": "Rolls.", "parameters": {"type": "object", "properties": {}}}
        for system in ("", "Your name is Ada."):
            for tools in ([], [tool], [tool, tool]):
                turns = [["system", system]] * bool(system) + [["user", "Hello"], ["assistant", "Hi!"], ["user", "x"]]
                messages = [{"role": role, "content": text} for role, text in turns]
                wanted = "".join(text for text, _ in chat.prompt(turns, tools))
                for given in (tools, [{"type": "function", "function": tool} for tool in tools]):
                    self.assertEqual(template.render(messages=messages, tools=given, add_generation_prompt=True), wanted)


if __name__ == "__main__":
    unittest.main()
