"""A grammar of weighted, nested choices, read from grammar.txt (its head explains the notation)."""

import re
from pathlib import Path

CHOICE = re.compile(r"\{([^{}]*)\}")
RULE = re.compile(r"<([\w-]+)(?::(\w+))?>")
SLOT = re.compile(r"\[(\w+)(?:\.(\w+))?\]")
WEIGHTED = re.compile(r"(\d+)\* (.*)")


def read_rules(path=Path(__file__).with_name("grammar.txt")):
    """{rule name: [alternative, ...]}, an alternative repeated as often as its weight."""
    rules, name = {}, None
    for line in path.read_text().replace("\n    ", " ").splitlines():
        if not line or line.startswith("#"):
            continue
        if re.fullmatch(r"[\w-]+(:[\w-]+)?:", line) or re.fullmatch(r"[\w-]+:[\w-]+", line):
            name = line.rstrip(":")
            rules[name] = []
        else:
            weighted = WEIGHTED.match(line)
            weight, text = (int(weighted[1]), weighted[2]) if weighted else (1, line)
            rules[name] += [text] * weight
    return rules


class Writer:
    """Expands rules for one cast; no alternative is used twice in a text while another is left."""

    def __init__(self, rules, cast, rng):
        self.rules, self.cast, self.rng, self.used = rules, cast, rng, set()

    def choose(self, name):
        alternatives = self.rules[name]
        fresh = [text for text in alternatives if text not in self.used]
        text = self.rng.choice(fresh or alternatives)
        self.used.add(text)
        return text

    def choices(self, text):
        while CHOICE.search(text):
            text = CHOICE.sub(lambda m: self.rng.choice(m[1].split("|")), text)
        return text

    def slot(self, match):
        role, form = match.groups()
        text = self.cast[role.lower()].form((form or "ref").lower(), self.rng)
        return text[0].upper() + text[1:] if role[0].isupper() or (form and form[0].isupper()) else text

    def write(self, text):
        """Expands from left to right, so that a rule's choices are made in reading order."""
        text = self.choices(text)
        out, position = [], 0
        for match in re.finditer(RULE.pattern + "|" + SLOT.pattern, text):
            out.append(text[position:match.start()])
            position = match.end()
            if match[1]:
                name = f"{match[1]}:{self.cast[match[2]].kind}" if match[2] else match[1]
                out.append(self.write(self.choose(name)))
            else:
                out.append(self.slot(SLOT.match(match[0])))
        return "".join(out) + text[position:]
