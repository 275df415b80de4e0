"""Words that are made up, plurals, articles and numbers."""

import re

ONSETS = """b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sc sh sl sm sn sp st str sw t
    th tr tw v w wh y z""".split()
RIMES = """a ab ack ad ag al am an ap ar ash at ax e eck ed een eer ell em en er est et i ib ick id iff ig ill
    im in ip it o ob ock od og ole om on oon op ot ow oy ub uck ud uff ug um un up ur ush ut ain air ake ane
    ant ar ark art ate aw ay ea eam ear eat ence end ent erm ial ice ide ight ile ine ing ion ire ise ist ite
    ize oad oat oin oke ong ood ool oom oot ope orb ork orn ort ound our ouse out urn ust""".split()
ENDINGS = """er le y o ing ket kin let bone box pot berry phone stick ter ton bell ball mer dle fish bird
    wood ine ette ard ism ory ant ous ling ship cycle scope graph meter ow ax ish nut cap hook""".split()
NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()
IRREGULAR = {"mouse": "mice", "goose": "geese", "wolf": "wolves", "calf": "calves", "child": "children",
             "sheep": "sheep", "deer": "deer", "fish": "fish", "knife": "knives", "leaf": "leaves",
             "loaf": "loaves", "scarf": "scarves", "elf": "elves", "dwarf": "dwarves", "man": "men",
             "woman": "women", "fisherman": "fishermen", "policeman": "policemen", "milkman": "milkmen",
             "snowman": "snowmen", "moose": "moose", "ox": "oxen", "bison": "bison", "squid": "squid",
             "salmon": "salmon", "goldfish": "goldfish", "starfish": "starfish", "jellyfish": "jellyfish",
             "buffalo": "buffalo", "shelf": "shelves", "bookshelf": "bookshelves"}


def invented_word(rng):
    """A word that is in no dictionary, so that asked-for words must be copied letter by letter."""
    choice = rng.choice
    word = choice(ONSETS) + choice(RIMES)
    if rng.random() < 0.7:
        word += choice(ONSETS) + choice(RIMES)
    return word + choice(ENDINGS) if rng.random() < 0.5 or len(word) < 4 else word


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
