"""Questions about the pictures of groups.py, and their answers, all of which can be seen only in the picture.

An answer is a list of (words, number of the thing that they name or None).

    python3 -m tiny.questions FOLDER 500      held-out pictures with all kinds of questions, for ask.mjs
"""

import json
import random
import sys
from pathlib import Path

from tiny import groups
from tiny.groups import PAINTS
from tiny.pictures import THINGS
from tiny.words import LETTERS, SPACE

PLACES = {2: ("on the left", "on the right"), 3: ("on the left", "in the middle", "on the right")}
NUMBERS = {2: "two", 3: "three"}
MARKS = [".", ",", "?"]


def article(word):
    return "an" if word[0] in "aeiou" else "a"


def names(group):
    """(color, kind, place) of each thing, in a word each."""
    return [(*thing, place.split()[-1]) for thing, place in zip(group.things, PLACES[len(group.things)])]


def named(group, i):
    """A thing with its color, as an answer names it."""
    color, kind = group.things[i]
    return [(article(color), None), (color, i), (kind, i)]


def listed(parts):
    """ "a, b and c" """
    joints = [[], *[[(",", None)]] * (len(parts) - 2), [("and", None)]]
    return [word for joint, part in zip(joints, parts) for word in joint + part]


def color_of(group, rng):
    i = rng.randrange(len(group.things))
    return f"What {rng.choice(('colour', 'colour', 'color'))} is the {group.things[i][1]}?", [(group.things[i][0], i)]


def of_color(group, rng):
    color, _ = rng.choice(group.things)
    return f"What is {color}?", listed([[(article(kind), None), (kind, i)] for i, (painted, kind) in enumerate(group.things)
                                         if painted == color])


def where(group, rng):
    i = rng.randrange(len(group.things))
    return f"Where is the {group.things[i][1]}?", [(PLACES[len(group.things)][i], i)]


def at(group, rng):
    i = rng.randrange(len(group.things))
    return f"What is {PLACES[len(group.things)][i]}?", named(group, i)


def beside(group, rng):
    """The neighbor on one side: which it is depends on both the picture and the question."""
    i = rng.randrange(len(group.things) - 1)
    left, right = group.things[i][1], group.things[i + 1][1]
    if rng.random() < 0.5:
        return f"What is just left of the {right}?", named(group, i)
    return f"What is just right of the {left}?", named(group, i + 1)


def answered(truth, i=None):
    return [("yes" if truth else "no", i)]


def compare(group, rng):
    i, j = rng.sample(range(len(group.things)), 2)
    side = rng.choice(("left", "right"))
    return (f"Is the {group.things[i][1]} {side} of the {group.things[j][1]}?", answered((i < j) == (side == "left"), i))


def is_there(group, rng):
    """Half of what is not there is of a kind and a color that are, but not together."""
    truth = rng.random() < 0.5
    colors, kinds = ([thing[part] for thing in group.things] for part in (0, 1))
    if rng.random() < 0.4:
        kind = rng.choice(kinds if truth else [kind for kind in THINGS if kind not in kinds])
        return f"Is there {article(kind)} {kind}?", answered(truth, kinds.index(kind) if truth else None)
    if truth:
        color, kind = rng.choice(group.things)
    else:
        kind = rng.choice(kinds)
        own = group.things[kinds.index(kind)][0]
        others = [color for color in colors if color != own]
        color = rng.choice(others if others and rng.random() < 0.5 else [color for color in PAINTS if color != own])
    return f"Is there {article(color)} {color} {kind}?", answered(truth, kinds.index(kind))


def count(group, _):
    return "How many things are there?", [(NUMBERS[len(group.things)], None)]


def describe(group, rng):
    """From left to right."""
    parts = [named(group, i) for i in range(len(group.things))]
    answer = listed(parts) if len(parts) > 2 else [*parts[0], ("left of", None), *parts[1]]
    return rng.choice(("Describe the picture.", "Describe the picture.", "What do you see?")), answer


KINDS = {"color": color_of, "kind": of_color, "place": where, "at a place": at, "beside": beside, "left or right": compare,
         "is there": is_there, "how many": count, "description": describe}


def text_of(answer):
    """"a red boat." of its words."""
    return " ".join(words for words, _ in answer).replace(" ,", ",") + "."


def pieces():
    """All words of questions and answers, marks, and the letters that other words consist of."""
    words = " ".join(["What What what colour color is the Where where the on left right in middle just of Is is there a an How how "
                      "many things are two three yes no Describe describe picture do you see and", *PAINTS, *THINGS])
    return [*(SPACE + word for word in dict.fromkeys(words.split())), *MARKS, *LETTERS, SPACE]


def main():
    """Writes groups that are held out, with their questions, for ask.mjs: FOLDER/questions.json and FOLDER/pictures.rgb.

    `things` has for each word of an answer the thing whose color or kind it is.
    """
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    drawn, pictures, boxes = groups.some(count, seed=3, testing=True)
    rng = random.Random(3)
    asked = [[(kind, *ask(group, rng)) for kind, ask in KINDS.items()] for group in drawn]
    (folder / "pictures.rgb").write_bytes(pictures.tobytes())
    (folder / "questions.json").write_text(json.dumps([
        {"side": groups.SIDE, "boxes": of_things, "asked": [
            {"kind": kind, "question": question, "answer": text_of(answer),
             "things": [thing if word in THINGS or word in PAINTS else None for words, thing in answer for word in words.split()]}
            for kind, question, answer in some]}
        for of_things, some in zip(boxes, asked)]))


if __name__ == "__main__":
    main()
