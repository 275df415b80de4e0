"""Words that are in no dictionary, so that they must be copied token by token wherever they are used."""

import re

from stories import lexicon
from stories.verbs import HELD_OUT_PLACES, REASONS, VERBS, Verb

ONSETS = """b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sc sh sl sm sn sp st str sw t
    th tr tw v w wh y z""".split()
RIMES = """a ab ack ad ag al am an ap ar ash at ax e eck ed een eer ell em en er est et i ib ick id iff ig ill
    im in ip it o ob ock od og ole om on oon op ot ow oy ub uck ud uff ug um un up ur ush ut ain air ake ane
    ant ar ark art ate aw ay ea eam ear eat ence end ent erm ial ice ide ight ile ine ing ion ire ise ist ite
    ize oad oat oin oke ong ood ool oom oot ope orb ork orn ort ound our ouse out urn ust""".split()
ENDINGS = """er le y o ing ket kin let bone box pot berry phone stick ter ton bell ball mer dle fish bird
    wood ine ette ard ism ory ant ous ling ship cycle scope graph meter ow ax ish nut cap hook""".split()
FRAMES = [verb.frame for verb in VERBS.values() if verb.pieces]
VOWELS, CONSONANTS = "aaeeiiouy", "bbccddffgghjkkllmmnnppqrrsstttvwxz"
KNOWN_WORDS = sorted({
    part for table in (lexicon.CHARACTERS, lexicon.OBJECTS, lexicon.NAMES) for word, _ in lexicon.words(table)
    for part in word.lower().split() if len(part) > 3})
STARTS, PIECES = [], []
NEVER = {*lexicon.UNSEEN_CHARACTERS, *lexicon.UNSEEN_OBJECTS, *(noun for _, noun in HELD_OUT_PLACES),
         *(name for text in lexicon.UNSEEN_NAMES.values() for name in text.lower().split())}


def use_pieces(tokens):
    """From now on, many invented words are made of these tokens, each as often as any other.

    Half of a vocabulary stands in few words of the text. The model would hardly meet those tokens, and could not copy them.
    """
    STARTS[:] = [token[1:] for token in tokens if re.fullmatch("Ġ[a-z]{1,5}", token)]
    PIECES[:] = [token for token in tokens if re.fullmatch("[a-z]{2,6}", token)]


def of_pieces(rng):
    start = rng.choice(ONSETS if rng.random() < 0.4 else STARTS)
    return start + "".join(rng.choice(PIECES) for _ in range(rng.choice((1, 1, 2))))


def of_syllables(rng):
    choice = rng.choice
    word = choice(ONSETS) + choice(RIMES)
    if rng.random() < 0.7:
        word += choice(ONSETS) + choice(RIMES)
    return word + choice(ENDINGS) if rng.random() < 0.5 or len(word) < 4 else word


def of_two_words(rng):
    """The beginning of a known word and the end of another, as most unseen words look to the tokenizer."""
    first, last = rng.choice(KNOWN_WORDS), rng.choice(KNOWN_WORDS)
    return first[:rng.randint(1, min(6, len(first) - 1))] + last[rng.randint(1, len(last) - 2):]


def of_letters(rng):
    """Letters in any order, more or less pronounceable."""
    letters, vowel = [], rng.random() < 0.3
    for _ in range(rng.randint(3, 8)):
        letters.append(rng.choice(VOWELS if vowel else CONSONANTS))
        vowel = not vowel if rng.random() < 0.8 else vowel
    return "".join(letters)


def invented_word(rng):
    while True:
        ways = ((of_syllables, 25), (of_two_words, 40), (of_letters, 10), (of_pieces, 40 if PIECES else 0))
        word = rng.choices(*zip(*ways))[0](rng)
        if word not in NEVER:
            return word


def past_of(base):
    """Of a regular verb: "swapped", "carried", "moved", "kicked"."""
    if base[-1] == "e":
        return base + "d"
    if re.search("[^aeiou]y$", base):
        return base[:-1] + "ied"
    return base + base[-1] * bool(re.fullmatch("[^aeiou]+[aeiou][^aeiouwxy]", base)) + "ed"


def invented_verb(rng, frame=None):
    """A regular verb that nobody knows, with the frame of one that is known. Whose the thing is afterwards, nobody knows either."""
    base = invented_word(rng)
    return Verb(base, past_of(base), frame or rng.choice(FRAMES), rng.choice(("at", "at", "-")), rng.choice(list(REASONS)), "nobody")
