"""A grammar of weighted, nested choices, read from phrases.txt (its head explains the notation).

Rules are compiled once into nested lists of pieces; a piece is a string, or a function that writes to a Writer.
"""

import re
from pathlib import Path

HERE = Path(__file__).parent
WEIGHTED = re.compile(r"(\d+)\* (.*)")
TOKEN = re.compile(r"([{|}])|<([\w-]+)(?::(\w+))?>|\[(\w+)(?:\.(\w+))?\]|([^{|}<\[]+)")


def capital(text):
    return text[0].upper() + text[1:]


def choice(alternatives):
    def write(writer):
        for piece in writer.rng.choice(alternatives):
            writer.put(piece)
    return write


def reference(name, role):
    def write(writer):
        writer.rule(f"{name}:{writer.cast[role].kind}" if role else name)
    return write


def slot(role, form):
    capitalized = role[0].isupper() or (form or "x")[0].isupper()
    role, form = role.lower(), (form or "ref").lower()

    def write(writer):
        text = writer.cast[role].form(form, writer.rng)
        writer.out.append(capital(text) if capitalized else text)
    return write


def compiled(text):
    """The pieces of a template."""
    stack = [[[]]]  # of open braces: the alternatives so far, each a list of pieces
    for brace, rule, rule_role, role, form, literal in TOKEN.findall(text.replace(" / ", "\n")):
        if brace == "{":
            stack.append([[]])
        elif brace == "|":
            stack[-1].append([])
        elif brace == "}":
            alternatives = stack.pop()
            stack[-1][-1].append(choice(alternatives))
        else:
            piece = literal or (reference(rule, rule_role) if rule else slot(role, form))
            stack[-1][-1].append(piece)
    (pieces,), = [stack[0]]
    return pieces


def read_blocks(path):
    """{name: [line, ...]} of a file of "name:" headings; an indented line goes on with the one above."""
    blocks, name = {}, None
    for line in path.read_text().replace("\n    ", " ").splitlines():
        if not line or line.startswith("#"):
            continue
        if re.fullmatch(r"[\w-]+:|[\w-]+:[\w-]+", line):
            name = line.rstrip(":")
            blocks[name] = []
        else:
            blocks[name].append(line)
    return blocks


def weighted(line):
    """(weight, text) of a line, "3* text" three times as likely as "text"."""
    match = WEIGHTED.match(line)
    return (int(match[1]), match[2]) if match else (1, line)


def read_rules(path=HERE / "phrases.txt"):
    """{rule name: [pieces, ...]}, an alternative repeated as often as its weight."""
    rules = {}
    for name, lines in read_blocks(path).items():
        rules[name] = []
        for line in lines:
            weight, text = weighted(line)
            rules[name] += [compiled(text)] * weight
    return rules


class Writer:
    """Writes templates for one cast; no alternative is used twice in a text while another is likely found."""

    def __init__(self, rules, cast, rng):
        self.rules, self.cast, self.rng = rules, cast, rng
        self.used, self.out, self.written = set(), [], set()

    def put(self, piece):
        if piece.__class__ is str:
            self.out.append(piece)
        else:
            piece(self)

    def rule(self, name):
        alternatives = self.rules[name]
        for _ in range(4):
            pieces = self.rng.choice(alternatives)
            if id(pieces) not in self.used:
                break
        self.used.add(id(pieces))
        self.written.add(name)
        for piece in pieces:
            self.put(piece)

    def text(self, pieces):
        """The text of compiled pieces, apart from what has been written so far."""
        out, self.out = self.out, []
        for piece in pieces:
            self.put(piece)
        text, self.out = "".join(self.out), out
        return text
