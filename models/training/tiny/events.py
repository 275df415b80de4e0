"""Small events in words: the same one told in other words, and others that are told almost like it.

"The boy thanked the queen because she was clever." and "The queen was thanked by the boy since the queen was smart." tell
of one Event. There are active and passive, words that mean the same, and pronouns for who was named before.
"""

import random
from dataclasses import dataclass, replace

MEN = ["man", "boy", "king", "uncle", "farmer", "prince", "father", "Tom", "Paul", "Ben"]
WOMEN = ["woman", "girl", "queen", "aunt", "nurse", "princess", "mother", "Anna", "Mary", "Kate"]
ANIMALS = ["dog", "cat", "horse", "fox", "bear", "hen"]
THINGS = ["key", "lamp", "book", "hat", "coin", "ring", "letter", "drum", "basket", "boat", "cake", "bell"]
PLACES = ["in the garden", "at the market", "by the river", "near the bridge", "in the forest", "at school"]
TIMES = ["in the morning", "at night", "on Sunday", "last winter"]
# Each line means one thing: the past, and the participle where it is another.
TO_SOMEBODY = [line.split(", ") for line in (
    "helped, aided", "thanked", "chased, pursued", "called, phoned", "visited", "scolded, reproached", "followed, trailed",
    "praised, applauded", "hugged, embraced", "fooled, tricked", "painted", "watched, observed")]
TO_SOMETHING = [line.split(", ") for line in (
    "found, discovered", "lost, mislaid", "bought, purchased", "repaired, mended", "hid, concealed", "cleaned, washed",
    "dropped", "opened", "wanted, desired", "borrowed")]
PARTICIPLES = {"hid": "hidden"}
FEELINGS = [line.split(", ") for line in (
    "happy, glad", "sad, unhappy", "tired, weary", "angry, furious", "hungry, starving", "clever, smart")]
SIZES = [line.split(", ") for line in ("big, large", "small, little", "old, aged", "young, youthful")]
JOINTS = [line.split(", ") for line in ("because, since", "and then, and afterwards", "although, even though")]


@dataclass(frozen=True)
class Event:
    """Who did what to whom, where; and then perhaps what one of the two did or was. Words that have others are numbers."""
    agent: str
    deed: int
    patient: str
    setting: str            # a place, a time, or nothing
    sizes: tuple            # of agent and patient; -1: not said
    joint: int = -1         # -1: there is no second part
    by_agent: bool = False  # who the second part is about
    second: int = 0         # a number in TO_SOMETHING, or after these in FEELINGS
    thing: str = ""


def group_of(being):
    return next(group for group in (MEN, WOMEN, ANIMALS) if being in group)


PRONOUNS = {id(MEN): "he", id(WOMEN): "she", id(ANIMALS): "it"}


class Teller:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def event(self):
        choose = self.random.choice
        first, second = self.random.sample([MEN, WOMEN, ANIMALS], 2)
        event = Event(choose(first), self.random.randrange(len(TO_SOMEBODY)), choose(second),
                      choose(["", "", choose(PLACES), choose(TIMES)]), (self.size(), self.size()))
        if self.random.random() < 0.35:
            return event
        second = self.random.randrange(len(TO_SOMETHING) + len(FEELINGS))
        return replace(event, joint=self.random.randrange(len(JOINTS)), by_agent=self.random.random() < 0.5, second=second,
                       thing=choose(THINGS) if second < len(TO_SOMETHING) else "")

    def size(self):
        return self.random.randrange(len(SIZES)) if self.random.random() < 0.2 else -1

    def other(self, event):
        """An event that differs in one thing, in who did it to whom more often than in others."""
        ways = ["roles", "roles", "deed", "agent", "patient", "setting"]
        if event.joint >= 0:
            ways += ["referent", "referent", "referent", "second"] + ["thing"] * bool(event.thing)
        way, choose = self.random.choice(ways), self.random.choice
        if way == "roles":  # the second part stays about the same one
            return replace(event, agent=event.patient, patient=event.agent, sizes=event.sizes[::-1],
                           by_agent=not event.by_agent)
        if way == "referent":
            return replace(event, by_agent=not event.by_agent)
        if way in ("agent", "patient"):
            being = getattr(event, way)
            return replace(event, **{way: choose([word for word in group_of(being) if word != being])})
        if way == "thing":
            return replace(event, thing=choose([word for word in THINGS if word != event.thing]))
        if way == "setting":
            return replace(event, setting=choose([place for place in PLACES + TIMES if place != event.setting]))
        if way == "second":
            deeds, all_of_both = len(TO_SOMETHING), len(TO_SOMETHING) + len(FEELINGS)
            among = range(deeds) if event.thing else range(deeds, all_of_both)
            return replace(event, second=choose([i for i in among if i != event.second]))
        return replace(event, deed=choose([i for i in range(len(TO_SOMEBODY)) if i != event.deed]))

    def named(self, being, size=-1):
        adjective = self.random.choice(SIZES[size]) + " " if size >= 0 else ""
        if being[0].isupper():
            return (f"the {adjective}" if adjective else "") + being
        return f"the {adjective}{being}"

    def tell(self, event, pronoun=None):
        """The event in words; with a pronoun in its second part or without, by chance where nothing is said."""
        choose = self.random.choice
        agent, patient = self.named(event.agent, event.sizes[0]), self.named(event.patient, event.sizes[1])
        deed = choose(TO_SOMEBODY[event.deed])
        clause = f"{patient} was {deed} by {agent}" if self.random.random() < 0.4 else f"{agent} {deed} {patient}"
        if event.setting and self.random.random() < 0.5:
            clause = f"{event.setting}, {clause}"
        elif event.setting:
            clause = f"{clause} {event.setting}"
        if event.joint >= 0:
            who = event.agent if event.by_agent else event.patient
            pronoun = self.random.random() < 0.6 if pronoun is None else pronoun
            subject = PRONOUNS[id(group_of(who))] if pronoun else self.named(who)
            clause = f"{clause} {choose(JOINTS[event.joint])} {self.second(event, subject)}"
        return clause[0].upper() + clause[1:] + "."

    def second(self, event, subject):
        if event.second >= len(TO_SOMETHING):
            return f"{subject} was {self.random.choice(FEELINGS[event.second - len(TO_SOMETHING)])}"
        deed = self.random.choice(TO_SOMETHING[event.second])
        if subject not in PRONOUNS.values() and self.random.random() < 0.3:
            return f"the {event.thing} was {PARTICIPLES.get(deed, deed)} by {subject}"
        return f"{subject} {deed} the {event.thing}"


def is_held_out(event):
    """One in twelve of who does what to whom is never trained on, whatever else is told."""
    return sum(map(ord, event.agent + event.patient)) % 12 == event.deed


def triples(seed, testing=False):
    """(a text, the same in other words, another event in words that are much like it)"""
    teller = Teller(seed)
    while True:
        event = teller.event()
        if is_held_out(event) == testing:
            yield teller.tell(event), teller.tell(event), teller.tell(teller.other(event))
