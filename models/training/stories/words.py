"""Plurals, articles and numbers."""

import re

NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()
IRREGULAR = {"mouse": "mice", "goose": "geese", "wolf": "wolves", "calf": "calves", "child": "children",
             "sheep": "sheep", "deer": "deer", "fish": "fish", "knife": "knives", "leaf": "leaves",
             "loaf": "loaves", "scarf": "scarves", "elf": "elves", "dwarf": "dwarves", "man": "men",
             "woman": "women", "fisherman": "fishermen", "policeman": "policemen", "milkman": "milkmen",
             "snowman": "snowmen", "moose": "moose", "ox": "oxen", "bison": "bison", "squid": "squid",
             "salmon": "salmon", "goldfish": "goldfish", "starfish": "starfish", "jellyfish": "jellyfish",
             "buffalo": "buffalo", "shelf": "shelves", "bookshelf": "bookshelves"}


def article(phrase):
    sounds_open = phrase[0] in "aeiou" and not phrase.startswith(("uni", "uku", "use", "one"))
    return ("an " if sounds_open or phrase.startswith(("hour", "honest")) else "a ") + phrase


def plural(noun):
    head, space, last = noun.rpartition(" ")
    if last in IRREGULAR:
        many = IRREGULAR[last]
    elif re.search(r"(s|x|z|ch|sh|tato|mato|mango)$", last):
        many = last + "es"
    elif re.search(r"[^aeiou]y$", last):
        many = last[:-1] + "ies"
    else:
        many = last + "s"
    return head + space + many


def position(text, word):
    """Where a whole word first stands in a text, or -1."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not (start and text[start - 1].isalpha()) and not text[end:end + 1].isalpha():
            return start
        start = text.find(word, start + 1)
    return -1
