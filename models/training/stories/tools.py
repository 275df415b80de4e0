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


OTHER_NAMES = 0.3  # how often a parameter has a name that must be read in the definition
OTHER_WORDS = 0.3  # how often a wish uses words that the definition does not contain
UNKNOWN_RESULTS = 0.6  # how often a tool's result is not a known word, so that it has to be copied
FAMILIES = read_blocks(HERE / "tools.txt")
TRAINED, HELD_OUT = ([Family(lines) for name, lines in FAMILIES.items() if name.endswith("-held") == held_out] for held_out in (False, True))
USEFUL = [Family(lines) for lines in read_blocks(HERE / "useful.txt").values()]
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
                                                   "title": "The title"}.get(kind) or f"The {kind}"
        self.definition = {"name": self.name, "description": rng.choice(family.descriptions),
                           "parameters": {"type": "object", "properties": properties,
                                          "required": [name for name, _ in self.parameters]}}


def dressed(definition, rng):
    """The definition as programs have it: with more words, the schema's address, and parameters that may be left out."""
    parameters = definition["parameters"]
    properties = {}
    for name, schema in parameters["properties"].items():
        if schema["type"] == "integer" and rng.random() < 0.6:
            schema = {**schema, "type": "number"}
        if "description" not in schema and rng.random() < 0.6:
            schema = {**schema, "description": rng.choice((f"The {name} to use", f"{name.capitalize()} of the request", f"Which {name}", f"The {name}",
                                                           f"{name.capitalize()}, such as {invented_word(rng)}", "Required."))}
        properties[name] = schema
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        name, schema = rng.choice((
            ("limit", {"type": "number", "description": "Maximum number of results (default: 5)"}), ("max_length", {"type": "number"}),
            ("format", {"type": "string", "enum": ["text", "json"], "default": "text"}), ("verbose", {"type": "boolean", "default": False}),
            ("language", {"type": "string", "description": "Language code (optional)"}), ("head", {"type": "number", "description": "Only the first lines"}),
            ("headers", {"type": "object", "description": "Optional headers"}), ("sort", {"default": "name", "type": "string"}),
            (invented_word(rng), {"type": rng.choice(("string", "number", "boolean")), "description": "Optional"})))
        properties.setdefault(name, schema)
    inner = {"type": "object", "properties": properties, "required": parameters["required"]}
    if rng.random() < 0.5:
        inner = {"$schema": "http://json-schema.org/draft-07/schema#", **inner}
    if rng.random() < 0.3:
        inner["additionalProperties"] = False
    more = rng.choice(("", "", " Use it when the user asks for it.", " Returns text.", " Only works where it is allowed.",
                       " The result is a short text. Use with care.", " Best for short requests."))
    return {**definition, "description": definition["description"] + more, "parameters": inner}


def value(kind, casting, rng):
    if kind == "number":
        return rng.choice((rng.randint(2, 20), rng.randint(2, 100), rng.randint(10, 999)))
    if kind == "name":
        return casting.character().name
    if kind == "title":
        return f"{rng.choice(('The', 'A', 'My'))} {casting.thing().noun.title()}"
    if kind in OF_PROGRAMS:
        return OF_PROGRAMS[kind](casting, rng)
    return rng.choice((casting.thing, casting.character))().noun


def path(casting, rng):
    parts = [rng.choice((casting.thing().noun, invented_word(rng), rng.choice(FOLDERS))).replace(" ", rng.choice("_-")) for _ in range(rng.choice((1, 2, 2, 3)))]
    if rng.random() < 0.6:
        parts[-1] += rng.choice((".txt", ".md", ".json", ".csv", ".js", ".py", ".html", ".log"))
    return rng.choice(("/", "/", "", "./", "~/")) + "/".join(parts)


def address(casting, rng):
    end = "" if rng.random() < 0.5 else "/" + path(casting, rng).lstrip("./~")
    return f"http{rng.choice(('s', 's', ''))}://{rng.choice(('', '', 'www.', 'api.', 'docs.'))}{invented_word(rng)}.{rng.choice(('com', 'org', 'net', 'io', 'example'))}{end}"


def phrase(casting, rng):
    words = [rng.choice((casting.thing().noun, casting.character().noun, invented_word(rng), rng.choice(LOOSE_WORDS))) for _ in range(rng.choice((1, 2, 2, 3, 4)))]
    text = " ".join(words)
    return f"{text[0].upper()}{text[1:]}" if rng.random() < 0.2 else text


FOLDERS = "home data docs src tmp notes user files photos work test projects images reports etc var lib old new index readme config main".split()
LOOSE_WORDS = """history of the news price best how to make old new big music science hello world train travel art health food sea language model web
    learn house garden moon city paper bridge weather planet energy space water river winter first last famous cheap""".split()
CITIES = """London Paris Berlin Rome Madrid Vienna Zurich Oslo Tokyo Seoul Sydney Boston Chicago Toronto Lisbon Dublin Prague Athens Cairo Lima
    Munich Geneva Naples Porto Kyoto Delhi Nairobi Denver Seattle Miami""".split() + ["New York", "Los Angeles", "Hong Kong", "Cape Town", "Buenos Aires",
                                                                                    "Mexico City", "San Diego", "New Delhi", "Tel Aviv", "Rio de Janeiro"]
UNITS = "km miles meters feet inches kg pounds grams liters cups hours minutes seconds days cm yards".split()
OF_PROGRAMS = {
    "path": path, "url": address, "query": phrase,
    "city": lambda casting, rng: rng.choice(CITIES) if rng.random() < 0.6 else " ".join(
        invented_word(rng).capitalize() for _ in range(rng.choice((1, 1, 2)))),
    "ticker": lambda casting, rng: "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(rng.choice((2, 3, 4, 4)))),
    "state": lambda casting, rng: "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(2)),
    "date": lambda casting, rng: f"{rng.randint(1990, 2040)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
    "unit": lambda casting, rng: rng.choice(UNITS)}


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
