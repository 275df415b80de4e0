"""The trials: conversations written by hand, as a newcomer has them, and what counts as right in each.

stories/trials.json holds them. A turn is [what the user says, what the reply must fulfill or null, a tool's result], the last
only after a call. The replies are the model's own. Training never reads the file.

Every reply that counts must end by itself, say no sentence twice, hold only words that are known, call no tool that is not
wanted, and give no name twice. Beside this, for one reply:

has, lacks      words that it holds or not ("a|b": one of these)
story           a story of at least so many sentences, no refusal; things: none of them is a character in it
distinct        these two have not one name
name_of         it says the name of this character, or that it has none
about           it names these, by kind or by name; gone: the name that this one had before is not in it
sentences       [at least, at most]; words: the same
shorter, longer than the reply before; shorter_than_user
fresh           so many sentences that no reply before had; new: it is no reply from before
grounded        its names were there before
greets          it says hello, or what it is for
begins, ends    its first and last words
json            JSON whose values have all of these; json_lacks: none of these
call            the call of a tool
"""

import functools
import json
import re
from pathlib import Path

from stories import chat, lexicon
from stories.words import plural

HERE = Path(__file__).parent / "stories"
NAMES = {name for table in (lexicon.NAMES, lexicon.UNSEEN_NAMES) for text in table.values() for name in text.split()}
REFUSALS = ("I only ", "no tool", "my tools", "outside my stories", "I do not know", "does not tell", "There is no story")
QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
GREETINGS = "hello|hi|welcome|story|stories|English|language|good day|nice"
SPEAKS = "said|asked|cried|called|answered|whispered|shouted|sighed|laughed"


def unquoted(text):
    """What the teller says: those in a story may say that they do not know something."""
    return QUOTED.sub("", text)


def read():
    return json.loads((HERE / "trials.json").read_text())


def words_of(text):
    return [word.lower() for word in re.findall(r"[^\W\d_]+(?:'[a-z]+)?", text.replace("’", "'"))]


@functools.cache
def known_words():
    """Those of the generator and of the trials, and their forms."""
    text = " ".join(path.read_text() for path in [*HERE.glob("*.txt"), *HERE.glob("*.py"), HERE / "trials.json"]
                    if path.name != "invention.py")
    words = set(words_of(text.replace("~", " ")))
    forms = {form for word in words if word.isascii() for form in (
        plural(word), word + "s", word + "ed", word + "d", word + "ing", word + "er", word + "ly", word[:-1] + "ing",
        word[:-1] + "ied", word + word[-1] + "ed", word + word[-1] + "ing")}
    return words | forms


def sensible(text, before):
    """Whether it holds only known words, or those of the conversation."""
    known, here = known_words(), set(words_of(before))
    return all(word in known or word in here or word.removesuffix("'s") in known | here for word in words_of(text))


def sentences(text):
    return [part.strip() for part in re.split(r"(?<=[.!?])[\"”]?\s+", text.strip()) if part.strip()]


def has(text, words):
    """Whether one of the words "a|b" is in the text, in the singular or plural."""
    found = any(re.search(rf"(?<!\w){re.escape(word)}(?:s|es|'s)?(?!\w)", text, re.IGNORECASE) for word in words.split("|")
                if word != "n't")
    return found or "n't" in words.split("|") and "n't" in text


def name_of(noun, text):
    """The name that somebody of this kind has in the text, or None."""
    name = r"([A-Z]\w+)"
    for form in (rf"(?i:\b{noun}),? (?:named|called) {name}", rf"\b{name} (?:was|is) an? (?:\w+ )?{noun}\b",
                 rf"\b{name} the {noun}\b", rf"\b{name}, (?:an?|the) (?:\w+ )?{noun}\b", rf"{noun}'s name (?:was|is) {name}"):
        found = re.search(form, text)
        if found:
            return found[1]
    return None


def names_apart(text):
    """Whether no two characters are introduced by the same name."""
    given = re.findall(r"(?<![\"”] )\b(?:named|called) ([A-Z]\w+)", text)  # not: "Help!" called Pip
    return len(given) == len(set(given))


def is_character(text, noun):
    """Whether somebody of this kind has a name in the story or speaks there."""
    return (name_of(noun, text) is not None
            or re.search(rf"(?:{SPEAKS}) (?:the |little |dear )*{noun}\b|\bthe {noun} (?:{SPEAKS})\b", text) is not None)


def parsed(text):
    text = re.sub(r"^```(?:json)?\s*|\s*```$", "", text.strip())
    try:
        return json.loads(text)
    except ValueError:
        return None


def values(content):
    """All strings in JSON, one a line."""
    if isinstance(content, dict):
        return "\n".join(values(value) for value in content.values())
    if isinstance(content, list):
        return "\n".join(values(value) for value in content)
    return str(content)


def called(text):
    match = re.fullmatch(r"<tool_call>\s*(.*?)\s*</tool_call>", text, re.DOTALL)
    return parsed(match[1]) if match else None


def faults(turns, reply, ended, right):
    """What is wrong with the reply to `turns`: the names of the conditions that it does not fulfill."""
    before = "\n".join(text for _, text, *_ in turns)
    replies = [text for role, text, *_ in turns if role == "assistant"]
    asked, last, parts = turns[-1][1], replies[-1] if replies else "", sentences(reply)

    def length(text):
        return len(text.split())

    def names():
        for noun in right["about"]:
            yield has(reply, noun) or (name_of(noun, before) is not None and has(reply, name_of(noun, before)))

    old_name = next((name_of(right["gone"], text) for text in reversed(replies) if name_of(right["gone"], text)), None) \
        if "gone" in right else None
    content = parsed(reply) if "json" in right else None
    listed = values(content)
    own_name = next((name_of(right["name_of"], text) for text in reversed([text for _, text, *_ in turns])
                     if name_of(right["name_of"], text)), None) if "name_of" in right else None
    checks = {
        "ends by itself": ended and bool(reply),
        "no call": ("<tool_call>" in reply) == ("call" in right),
        "no sentence twice": len({part.lower() for part in parts}) == len(parts) or "json" in right,
        "known words": "json" in right or "call" in right or sensible(reply, before),
        "names apart": names_apart(reply),
        "has": all(has(reply, words) for words in right.get("has", [])),
        "lacks": not any(has(reply, words) for words in right.get("lacks", [])),
        "story": "story" not in right or len(parts) >= right["story"] and not any(text in unquoted(reply) for text in REFUSALS)
        and parts[-1][-1] in ".!?\"”",
        "things": not any(is_character(reply, noun) for noun in right.get("things", [])),
        "distinct": "distinct" not in right or len({name_of(noun, reply) or noun for noun in right["distinct"]}) == 2,
        "name_of": "name_of" not in right or (has(reply, own_name) if own_name else has(reply, "not|n't")),
        "about": "about" not in right or all(names()),
        "gone": old_name is None or old_name in asked or not has(reply, old_name),
        "sentences": "sentences" not in right or right["sentences"][0] <= len(parts) <= right["sentences"][1],
        "words": "words" not in right or right["words"][0] <= length(reply) <= right["words"][1],
        "shorter": "shorter" not in right or length(reply) < length(last),
        "longer": "longer" not in right or length(reply) > length(last),
        "shorter_than_user": "shorter_than_user" not in right or length(reply) < length(asked),
        "fresh": len([part for part in parts if not any(part in text for text in replies)]) >= right.get("fresh", 0),
        "new": "new" not in right or reply not in replies,
        "grounded": "grounded" not in right
        or set(re.findall(r"\b[A-Z]\w+", reply)) & NAMES <= set(re.findall(r"\b[A-Z]\w+", before)),
        "greets": "greets" not in right or has(reply, GREETINGS),
        "begins": reply.startswith(right.get("begins", "")),
        "ends": reply.endswith(right.get("ends", "")),
        "json": "json" not in right or content is not None and all(has(listed, words) for words in right["json"]),
        "json_lacks": not any(has(listed, words) for words in right.get("json_lacks", [])),
        "call": "call" not in right or called(reply) == right["call"],
    }
    return [name for name, fulfilled in checks.items() if not fulfilled]


def definition(tool):
    """A tool as the trials write it, {parameter: type}, as a request describes it."""
    return {**tool, "parameters": {"type": "object", "properties": {name: {"type": kind} for name, kind
                                                                    in tool["parameters"].items()},
                                   "required": list(tool["parameters"])}}


def held(trials, write):
    """[(trial, its turns, [what was wrong, a list a reply])]. `write`: prompts -> [(text, ended)]."""
    talks = [([["system", trial["system"]]] if "system" in trial else [], [definition(tool) for tool in trial.get("tools", [])], [])
             for trial in trials]
    for number in range(max(len(trial["turns"]) for trial in trials)):
        going = [(trial["turns"][number], *talk) for trial, talk in zip(trials, talks) if number < len(trial["turns"])]
        for (asked, *_), turns, _, _ in going:
            turns.append(["user", asked])
        for ((_, right, *_), turns, _, wrong), (text, ended) in zip(going, write([chat.prompt(turns, tools) for _, turns, tools, _
                                                                                 in going])):
            if right is not None:
                wrong.append(faults(turns, text, ended, right))
            turns.append(["assistant", text])
        results = [(turns, tools, result[0]) for (_, _, *result), turns, tools, _ in going if result]
        for turns, _, result in results:
            turns.append(["tool", result])
        for (turns, _, _), (text, _) in zip(results, write([chat.prompt(turns, tools) for turns, tools, _ in results])
                                            if results else []):
            turns.append(["assistant", text])
    return [(trial, turns, wrong) for trial, (turns, _, wrong) in zip(trials, talks)]
