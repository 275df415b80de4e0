#!/usr/bin/python3
"""Measures a GGUF file of export.py on held-out material, with the file's own 8-bit weights; greedy unless said.

    python3 evaluate.py [MODEL.gguf] [--count 200] [--only stories alike trials questions tools heads] [--lines FILE]
"""

import argparse
import json
import random
import re
from pathlib import Path

import torch

import export
import heads
import trials
from bpe import BEGIN
from places import BUNDLED
from stories import cast, chat, lexicon, talk, tool_talk
from stories.questions import UNKNOWN, listed
from stories.words import article
from trials import called, is_character, names_apart, parsed
from writing import write

MAX_STORY, MAX_ANSWER = 400, 90
NAMES = {name for table in (lexicon.NAMES, lexicon.UNSEEN_NAMES) for text in table.values() for name in text.split()}
WORDS, PLOTS, FORMS, TOOLS = "words", "plots", "questions", "tools"
PARTS = ("stories", "alike", "trials", "questions", "tools", "heads")


def share(flags):
    flags = list(flags)
    return round(sum(flags) / len(flags), 4) if flags else None


def uses(text, word):
    return re.search(rf"\b{word}\b", text, re.IGNORECASE) is not None


def keeps_names(text):
    """Whether each name in the story was given to somebody there: "a fox named Pip", "Pip was a fox"."""
    given = set(re.findall(r"(?:named|called|I am) (\w+)", text)) | set(re.findall(r"(\w+) was an? ", text))
    return set(re.findall(r"\b[A-Z]\w+", text)) & NAMES <= given


def has_name(text, noun):
    """Whether somebody of this kind has a name in the story: "a fox named Pip", "Pip was a fox"."""
    return re.search(rf"\b{noun} (?:named|called) [A-Z]|\b[A-Z]\w+ was an? (?:\w+ )?{noun}\b", text) is not None


def requested(pair):
    who, what = pair
    return f"Write a story about {article(who)} and {article(what)}."


class Judge:
    def __init__(self, path, lines):
        self.model, self.tokenizer = export.load(path)
        self.lines = open(lines, "w") if lines else None

    def write(self, prompts, most, temperature=0, narrow=False, seed=1):
        ids = [[BEGIN] + self.tokenizer.encode_pieces(pieces)[0] for pieces in prompts]
        return [(self.tokenizer.decode(tokens).strip(), ended)
                for tokens, ended in write(self.model, ids, most, temperature, narrow, seed)]

    def report(self, name, **figures):
        print(json.dumps({"set": name, **figures}), flush=True)

    def keep(self, name, asked, text, right):
        if self.lines:
            self.lines.write(json.dumps({"set": name, "asked": asked, "written": text, "right": right}) + "\n")

    # 1: stories

    def pairs(self, count):
        """[(name, [(character, thing)])]"""
        rng = random.Random("unseen words")
        unseen = [(rng.choice(lexicon.UNSEEN_CHARACTERS), rng.choice(lexicon.UNSEEN_OBJECTS)) for _ in range(count)]
        return ("held-out pairs", cast.held_out_pairs()[:count]), ("words never seen", unseen)

    def alike(self, count):
        """Names that two have, and things that are somebody, in greedy stories: half of known words, half of others."""
        pairs = [pair for _, some in self.pairs(count) for pair in some]
        written = self.write([chat.prompt([["user", requested(pair)]]) for pair in pairs], MAX_STORY)
        twice = [not names_apart(text) for text, _ in written]
        alive = [is_character(text, thing) for (text, _), (_, thing) in zip(written, pairs)]
        for pair, (text, _), *wrong in zip(pairs, written, twice, alive):
            self.keep("alike", requested(pair), text, not any(wrong))
        self.report("greedy stories", stories=len(pairs), a_name_twice=share(twice), a_thing_is_a_character=share(alive))

    def stories(self, count):
        for name, pairs in self.pairs(count):
            asked = [requested(pair) for pair in pairs]
            forms = {"in a conversation": [chat.prompt([["user", text]]) for text in asked],
                     "plain": [[(text, False)] for text in asked]}
            for form, prompts in forms.items():
                for temperature, narrow in ((0, False), (0.8, True), (0.8, False)):
                    written = self.write(prompts, MAX_STORY, temperature, narrow)
                    good = [all(uses(text, word) for word in pair) for (text, _), pair in zip(written, pairs)]
                    for text, (story, _), right in zip(asked, written, good):
                        self.keep(f"{name}, {form}, {temperature}{' narrow' if narrow else ''}", text, story, right)
                    self.report(f"stories: {name}, {form}", temperature=temperature, narrow=narrow, uses_both_words=share(good),
                                ends=share(ended for _, ended in written),
                                keeps_names=share(keeps_names(text) for text, _ in written),
                                names_apart=share(names_apart(text) for text, _ in written),
                                thing_has_a_name=share(has_name(text, thing) for (text, _), (_, thing) in zip(written, pairs)),
                                words=round(sum(len(text.split()) for text, _ in written) / len(written)))

    # Conversations by hand

    def trials(self, count):
        """All of them greedily, then three times with the package's default sampling."""
        for name, temperature, seeds in (("greedy", 0, [1]), ("the package's defaults", 0.8, [1, 2, 3])):
            kinds, wrongs = {}, {}
            for seed in seeds:
                for trial, turns, wrong in trials.held(trials.read(), lambda prompts: self.write(
                        prompts, MAX_STORY, temperature, True, seed)):
                    kinds.setdefault(trial["kind"], []).append(not any(wrong))
                    for reason in {reason for some in wrong for reason in some}:
                        wrongs[reason] = wrongs.get(reason, 0) + 1
                    self.keep(f"trials, {name}", trial["id"], {"turns": turns, "wrong": wrong}, not any(wrong))
            self.report(f"trials: {name}", right=share(sum(kinds.values(), [])), conversations=sum(map(len, kinds.values())),
                        kinds={kind: share(flags) for kind, flags in kinds.items()},
                        wrong=dict(sorted(wrongs.items(), key=lambda pair: -pair[1])))

    # 2: questions

    def answers(self, found):
        prompts = [chat.prompt(conversation.turns[:number], conversation.tools) for conversation, number, _ in found]
        return self.write(prompts, MAX_ANSWER)

    def questions(self, count):
        sets = {
            "given stories, known plots": lambda rng: talk.given(rng, {WORDS}, False),
            "given stories, known plots, held-out ways to ask": lambda rng: talk.given(rng, {WORDS, FORMS}, False),
            "given stories, held-out plots": lambda rng: talk.given(rng, {WORDS, PLOTS}, False),
            "given stories, held-out plots and ways to ask": lambda rng: talk.given(rng, {WORDS, PLOTS, FORMS}, False),
            "given events in no plot": lambda rng: talk.given(rng, {WORDS}, True),
            "stories in the teller's turn, known plots": lambda rng: talk.asked(rng, {WORDS}),
            "stories in the teller's turn, held-out plots": lambda rng: talk.asked(rng, {WORDS, PLOTS}),
            "stories in the teller's turn, held-out plots and ways to ask": lambda rng: talk.asked(rng, {WORDS, PLOTS, FORMS}),
            "a second story in a conversation": lambda rng: talk.second(rng, {WORDS}),
        }
        for name, make in sets.items():
            found = talk.checked_turns(make, name, count * 2, lambda check: "question" in check)
            kinds, unknown, alarms = {}, [], []
            for (conversation, number, check), (text, _) in zip(found, self.answers(found)):
                question = check["question"]
                right = same(text, question, conversation.story)
                if question.key is None:
                    unknown.append(right)
                else:
                    kinds.setdefault(question.kind, []).append(right)
                    alarms.append(text.startswith(UNKNOWN))
                self.keep(name, conversation.story.text + " | " + conversation.turns[number - 1][1], text, right)
            self.report(f"questions: {name}", right=share(sum(kinds.values(), [])), asked=len(alarms),
                        not_told_right=share(unknown), not_told=len(unknown), false_alarms=share(alarms),
                        kinds={kind: share(flags) for kind, flags in sorted(kinds.items())})

    # 3: tools and JSON

    def judged(self, name, make, count, key, right):
        """The share of `count` turns with this key in their check for which right(check, the text, the generator's, ended) holds."""
        found, flags = talk.checked_turns(make, name, count, lambda check: key in check), []
        for (conversation, number, check), (text, ended) in zip(found, self.answers(found)):
            flags.append(right(check, text, conversation.turns[number][1], ended))
            self.keep(f"{name}: {key}", conversation.turns[number - 1][1], text, flags[-1])
        return share(flags)

    def tools(self, count):
        for name, held_out in (("known tools", {WORDS}), ("held-out tools", {WORDS, PLOTS, FORMS, TOOLS})):
            def make(rng):
                return tool_talk.with_tools(rng, held_out)
            self.report(f"tools: {name}",
                        right_call=self.judged(name, make, count, "call", lambda check, text, *_: called(text) == check["call"]),
                        no_call_where_none_fits=self.judged(name, make, count, "no call",
                                                            lambda check, text, *_: "<tool_call>" not in text),
                        result_used=self.judged(name, make, count, "result",
                                                lambda check, text, *_: uses(text, re.escape(check["result"]))))
        for name, make in (("json", talk.asked), ("json about a second story", talk.second)):
            found = talk.checked_turns(lambda rng: make(rng, {WORDS}), name, count, lambda check: "json" in check)
            read = [parsed(text) for text, _ in self.answers(found)]
            self.report(name, valid=share(content is not None for content in read),
                        right=share(content == check["json"] for content, (_, _, check) in zip(read, found)))
        self.report("retold with another character or name", right=self.judged(
            "retold", lambda rng: talk.retold(rng, {WORDS}), count // 2, "retold", lambda _, text, wanted, __: text == wanted))

        def repeated(rng):
            return talk.repeated(rng, {WORDS})

        self.report("repeats what it is told", right=self.judged(
            "repeated", repeated, count, "repeat", lambda check, text, *_: text == check["repeat"]))
        self.report("lists words as JSON", right=self.judged(
            "listed", repeated, count, "listed", lambda check, text, *_: parsed(text) == check["listed"]))
        self.report("reads words of JSON and of lines", right=self.judged(
            "read", lambda rng: talk.read_out(rng, {WORDS}), count, "read", lambda check, text, *_: listed(check["read"]) in text))

        def small(rng):
            return talk.small(rng, {WORDS, FORMS})

        self.report("names of the teller and the user", right=self.judged(
            "small", small, count, "key", lambda check, text, *_: uses(text, check["key"])))
        self.report("out of its world", says_so=self.judged(
            "out", small, count, "outside", lambda _, text, __, ended: "stories" in text and ended))

    # 4: heads

    def heads(self, count):
        for figures in heads.measure(self.model, self.tokenizer, count * 2):
            self.report(f"head: {figures.pop('kind')}", **figures)


def normal(text, story):
    """Without case, punctuation and articles; a character is the same by name and by kind."""
    text = re.sub(r"[^\w' ]", "", text).lower()
    for character in story.characters():
        if character.named:
            text = re.sub(rf"\b{character.name.lower()}\b", character.noun, text)
    return re.sub(r"\b(the|a|an) ", "", text)


def same(text, question, story):
    """Whether an answer is right: the generator's own, long or short, in its words."""
    wanted = {normal(question.answer, story), normal(question.short, story)}
    return normal(text, story) in wanted or question.key is None and text.startswith(UNKNOWN)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", type=Path, default=BUNDLED)
    parser.add_argument("--count", type=int, default=200, help="of each kind")
    parser.add_argument("--only", nargs="+", choices=PARTS)
    parser.add_argument("--lines", type=Path, help="write what was asked and written here, one JSON object a line")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    judge = Judge(args.model, args.lines)
    for part in args.only or PARTS:
        getattr(judge, part)(args.count)


if __name__ == "__main__":
    main()
