"""Tools that no other conversation has: what they do is told by known and by invented words, which have to be read."""

from stories.grammar import HERE, capital, read_blocks
from stories.invention import KNOWN_WORDS, invented_word
from stories.tools import Family
from stories.verbs import KNOWN_VERBS
from stories.words import plural

VERBS = sorted({verb.base for verb in KNOWN_VERBS if verb.base.isalpha()})
PATTERNS = list(read_blocks(HERE / "strange_tools.txt").values())


def words_of_a_tool(rng):
    """The words of one tool: each as it is, with an s, and with a capital letter before either."""
    verb = rng.choice(VERBS) if rng.random() < 0.5 else invented_word(rng)
    noun, second = (rng.choice(KNOWN_WORDS) if rng.random() < 0.6 else invented_word(rng) for _ in range(2))
    words = {"verb": verb, "noun": noun, "second": second, "name": invented_word(rng), "other": invented_word(rng)}
    words |= {f"{blank}s": plural(word) for blank, word in words.items()}
    return words | {capital(blank): capital(word) for blank, word in words.items()}


def patterned(rng):
    pattern, words = rng.choice(PATTERNS), words_of_a_tool(rng)
    return Family([line.format(**words) for line in pattern])


class Composed(Family):
    """A tool that does something to a thing of the stories: "polish_lantern"."""

    ENDS = {"number": ("[{0}] times", "up to [{0}]", "at level [{0}]", "for [{0}] days", "with the number [{0}]"),
            "name": ("for [{0}]", "of [{0}]", "and tell [{0}]", "together with [{0}]", "that belongs to [{0}]"),
            "word": ("with a [{0}]", "into a [{0}]", "next to the [{0}]", "instead of the [{0}]", "like a [{0}]")}
    QUESTIONS = {"number": ("Who can {verb} [0] {nouns}?", "What if I {verb} [0] {nouns}?", "How long does it take to {verb} [0] {nouns}?"),
                 "name": ("Did [0] {verb} the {noun}?", "Why does [0] {verb} the {noun}?", "Which {noun} does [0] {verb}?",
                          "How often does [0] {verb} a {noun}?"),
                 "word": ("Can a [0] {verb} the {noun}?", "When does the [0] {verb} the {noun}?", "Does one {verb} a {noun} with a [0]?")}
    DESCRIPTIONS = ("{verbs} the {noun}", "{verbs} {nouns}", "Can {verb} a {noun}", "A way to {verb} the {noun}",
                    "Use it to {verb} a {noun}", "For those who {verb} {nouns}", "The {noun}: {verbs} it",
                    "Tells all about how to {verb} the {noun}", "Knows who {verbs} which {noun}")
    loose_asks = ()
    PARAMETERS = {"number": "count level times number n value amount", "name": "who person name owner friend",
                  "word": "thing with what item other tool"}

    def __init__(self, rng):
        forms = words_of_a_tool(rng)
        verb, noun = forms["verb"], forms["noun"]
        kinds = rng.sample(list(self.ENDS), rng.choice((1, 1, 2)))
        self.names = [verb, f"{verb}_{noun}", f"{noun}_{verb}", f"do_{verb}", f"{verb}_it", f"{noun}_tool", forms["other"]]
        self.descriptions = [capital(text.format(**forms)) for text in self.DESCRIPTIONS]
        self.parameters = [(self.PARAMETERS[kind].split(), kind) for kind in kinds]
        ends = " ".join(rng.choice(self.ENDS[kind]).format(index) for index, kind in enumerate(kinds))
        wish = f"{verb} the {noun} {ends}"
        self.asks = [f"{capital(wish)}.", f"Please {wish}.", f"Can you {wish}?", f"I want you to {wish}.",
                     f"{capital(ends)}, {verb} the {noun}.", f"The {noun}: {verb} it {ends}."]
        if len(kinds) == 1 and rng.random() < 0.4:
            self.asks = [text.format(**forms) for text in self.QUESTIONS[kinds[0]]]
        self.answers = ["Done: [0].", "The answer is [r].", f"The {noun} says [r]."]
        self.result = rng.choice(("number", "word", "word", "word", "phrase", "ok"))


def strange(rng):
    """A family that no other conversation has."""
    return rng.choice((patterned, Composed))(rng)
