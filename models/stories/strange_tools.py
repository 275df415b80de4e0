"""Tools that no other conversation has: what they do is told by known and by invented words, which have to be read."""

from stories.grammar import capital
from stories.invention import KNOWN_WORDS, invented_word
from stories.tools import Family
from stories.verbs import KNOWN_VERBS
from stories.words import plural

VERBS = sorted({verb.base for verb in KNOWN_VERBS if verb.base.isalpha()})
# Like the blocks of tools.txt, with blanks for the words of one tool.
PATTERNS = """
{verb}, {verb}_{noun}, {noun}_{verb}, {other}
  does: {Verbs} a {noun}. / Makes a {noun} {verb}. / {Verbs} everything.
  takes: thing, item, word: word
  answers: The answer is [r]. / It says: [r].
  result: phrase
  - {Verb} the {noun} [0].
  - Please {verb} [0].
  - Can you {verb} [0]?

{verb}, {verb}_{noun}, {noun}_{verb}, {other}
  does: {Verbs} a {noun}. / Makes a {noun} {verb}. / {Verbs} by number.
  takes: n, count, number: number
  answers: The result is [r]. / It says: [r].
  result: number
  - {Verb} the {noun} [0].
  - Please {verb} [0].
  - Can you {verb} [0]?

{verb}, {verb}_{noun}, {noun}_{verb}, {other}
  does: {Verbs} somebody. / Makes a person {verb}. / {Verbs} a {noun}.
  takes: name, who, person: name
  answers: Done: [0]. / It says: [r].
  result: ok
  - {Verb} [0].
  - Please {verb} [0].
  - Can you {verb} [0]?

{verb}_{name}, in_{name}, {other}
  does: {Verbs} a thing in {Name}. / {Verbs} words into {Name}. / Gives the {Name} of a thing.
  takes: word, what, source: word
  answers: In {Name} it is [r]. / It is [r].
  result: word
  - {Verb} [0] into {Name}.
  - What is [0] in {Name}?
  - {Verb} the [0] in {Name}.

{verb}s, what_{verb}, {other}
  does: Tells what somebody {verbs} most. / Knows what a person {verbs}. / Tells what somebody likes to {verb}.
  takes: name, who, person: name
  answers: [0] {verbs} [r] most. / It is [r].
  result: word
  - What does [0] {verb} most?
  - Tell me what [0] {verbs}.
  - Which things does [0] {verb}?

{verb}, {verb}_numbers, {other}
  does: {Verbs} two numbers. / Gives what two numbers {verb}.
  takes: a, x, first: number; b, y, second: number
  answers: The answer is [r]. / It makes [r].
  result: number
  - What is [0] {verb} [1]?
  - {Verb} [0] and [1].
  - How much is [0] {verb} [1]?

{noun}_of, get_{noun}, {other}
  does: Tells the {noun} of somebody. / Gets the {noun} of a person.
  takes: name, who, person: name
  answers: The {noun} of [0] is [r]. / It is [r].
  result: word
  - What is the {noun} of [0]?
  - Who knows the {noun} of [0]?
  - Tell me the {noun} of [0].

{noun}_to, {verb}_to, {other}
  does: {Verbs} somebody at the {noun}. / Brings a guest to the {noun}.
  takes: guest, name, who: name
  answers: [0] is at the {noun}. / [0] will {verb}.
  result: ok
  - {Verb} [0] at the {noun}.
  - Ask [0] to {verb} at the {noun}.
  - [0] should come to the {noun}.

{verb}_{noun}, {noun}, {other}
  does: {Verbs} a {noun} for some days. / Keeps a {noun} for a time.
  takes: who, for, name: name; days, length, time: number
  answers: The {noun} is there for [1] days. / Done for [0].
  result: ok
  - {Verb} a {noun} to [0] for [1] days.
  - I want the {noun} of [0] for [1] days.
  - [0] wants a {noun} for [1] days.

{verb}_{noun}, {noun}_for, {other}
  does: Gives some {noun} to a thing. / {Verbs} a thing with {noun}.
  takes: thing, item, what: word
  answers: The [0] has {noun} now. / The [0] is done.
  result: ok
  - Give the [0] some {noun}.
  - {Verb} the [0].
  - The [0] needs {noun}.

{noun}, count_{noun}, {verb}_{nouns}, {other}
  does: {Verbs} some {nouns}. / Takes a number of {nouns}.
  takes: count, times, n: number
  answers: You have [r] {nouns}. / [r] of them are left.
  result: number
  - {Verb} [0] {nouns}.
  - {Verb} a {noun} [0] times.
  - I want [0] {nouns}.
"""
PATTERNS = PATTERNS.strip().split("\n\n")


def words_of_a_tool(rng):
    verb = rng.choice(VERBS) if rng.random() < 0.5 else invented_word(rng)
    noun = rng.choice(KNOWN_WORDS) if rng.random() < 0.6 else invented_word(rng)
    name = invented_word(rng)
    return {"verb": verb, "verbs": plural(verb), "Verb": capital(verb), "Verbs": capital(plural(verb)), "noun": noun, "nouns": plural(noun),
            "name": name, "Name": capital(name), "other": invented_word(rng)}


def patterned(rng):
    return Family(rng.choice(PATTERNS).format(**words_of_a_tool(rng)))


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
        self.result = rng.choice(("number", "word", "phrase", "ok"))


def strange(rng):
    """A family that no other conversation has."""
    return rng.choice((patterned, Composed))(rng)
