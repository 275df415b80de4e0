"""Tools that a conversation may offer: made anew each time, so that their definitions have to be read. Their families are in tools.txt."""

import json

from stories.grammar import HERE, read_blocks
from stories.invention import invented_word

NO_TOOL = ["I have no tool for that.", "None of my tools can do that.", "There is no tool for that here."]
ANSWERS = {"weather": "sunny|rainy|cold and windy|foggy|warm|snowing|cloudy|stormy",
           "room": "kitchen|cellar|attic|garden|hall|bedroom|shed",
           "month": "January|March|May|June|July|August|October|December",
           "color": "red|green|blue|yellow|white|black|brown|purple|orange|gray",
           "ok": "ok|done|true|success|saved",
           "phrase": "a small tool|a kind of bird|something to eat|a big house|a very old song|a part of a ship|"
                     "to walk slowly|full of joy|a bright color|a man who sells fish"}
ANSWERS = {kind: text.split("|") for kind, text in ANSWERS.items()}


def split(text, mark):
    return [part.strip() for part in text.split(mark)]


class Family:
    """A thing that tools do, from the lines of its block in tools.txt."""

    def __init__(self, lines):
        self.asks, self.loose_asks = ([line[2:] for line in lines if line.startswith(mark)] for mark in ("- ", "~ "))
        fields = dict(line.split(": ", 1) for line in lines if not line.startswith(("- ", "~ ")))
        self.names, self.result = split(fields["names"], ","), fields["result"]
        self.descriptions, self.answers = split(fields["does"], " / "), split(fields["answers"], " / ")
        self.parameters = [(split(names, ","), kind) for names, kind in (part.split(": ") for part in split(fields["takes"], ";"))]

    def asked(self, rng):
        """A way to ask for it."""
        return rng.choice(self.loose_asks if self.loose_asks and rng.random() < OTHER_WORDS else self.asks)


OTHER_NAMES = 0.3  # how often a parameter is called something that has to be read in the definition
OTHER_WORDS = 0.3  # how often a wish is said in words that the definition has not
UNKNOWN_RESULTS = 0.6  # how often a word that a tool gives is no word, so that it has to be copied
FAMILIES = read_blocks(HERE / "tools.txt")
TRAINED, HELD_OUT = ([Family(lines) for name, lines in FAMILIES.items() if name.endswith("-held") == held_out] for held_out in (False, True))
PARAMETER_NAMES = sorted({name for family in TRAINED for names, _ in family.parameters for name in names})


class Tool:
    """One tool of a family as a conversation offers it: its names are settled."""

    def __init__(self, family, rng):
        self.family, self.name = family, rng.choice(family.names)
        self.parameters = []
        for names, kind in family.parameters:
            if rng.random() < OTHER_NAMES:
                names = [rng.choice(PARAMETER_NAMES) if rng.random() < 0.6 else invented_word(rng) for _ in range(3)]
            name = rng.choice([name for name in names if name not in [other for other, _ in self.parameters]])
            self.parameters.append((name, kind))
        properties = {}
        for name, kind in self.parameters:
            properties[name] = {"type": "integer" if kind == "number" else "string"}
            if rng.random() < 0.2:
                properties[name]["description"] = {"number": "A number", "word": "A word", "name": "A name",
                                                   "title": "The title"}[kind]
        self.definition = {"name": self.name, "description": rng.choice(family.descriptions),
                           "parameters": {"type": "object", "properties": properties,
                                          "required": [name for name, _ in self.parameters]}}


def value(kind, casting, rng):
    if kind == "number":
        return rng.choice((rng.randint(2, 20), rng.randint(2, 100), rng.randint(10, 999)))
    if kind == "name":
        return casting.character().name
    if kind == "title":
        return f"{rng.choice(('The', 'A', 'My'))} {casting.thing().noun.title()}"
    return rng.choice((casting.thing, casting.character))().noun


def fill(text, values, result=None):
    for index, item in enumerate(values):
        text = text.replace(f"[{index}]", str(item))
    text = text.replace("[r]", str(result))
    return text[0].upper() + text[1:]


class Use:
    """A user's wish that a tool can fulfill, the call, its result, and the answer."""

    def __init__(self, tool, casting, rng):
        values = [value(kind, casting, rng) for _, kind in tool.parameters]
        self.call = {"name": tool.name,
                     "arguments": {name: item for (name, _), item in zip(tool.parameters, values)}}
        family = tool.family
        self.asked = fill(family.asked(rng), values)
        kind = family.result
        result = rng.choice(ANSWERS[kind]) if kind in ANSWERS else value(kind, casting, rng)
        if kind == "word" and casting.invent and rng.random() < UNKNOWN_RESULTS:
            result = invented_word(rng)
        self.key = str(result) if "[r]" in "".join(family.answers) else None
        self.result = str(result) if rng.random() < 0.6 else json.dumps({"result": result})
        answers = [text for text in family.answers if self.key is None or "[r]" in text]
        self.answer = fill(rng.choice(answers), values, result)


def call_text(call):
    return f"<tool_call>\n{json.dumps(call)}\n</tool_call>"
