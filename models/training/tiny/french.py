"""Simple English sentences with their French, and which English words each French word stands for.

A sentence's English is a list of words; its French a list of (word, [English words]). An English word is a list of one
text, so that the same word at two places is two things.
"""

import random

VOWELS = "aeiouéèêîœh"  # all our words with an h have a mute one


def table(text):
    return [line.split() for line in text.strip().splitlines()]


# English, its plural, French, its plural, gender
BEINGS = table("""
cat cats chat chats m
dog dogs chien chiens m
horse horses cheval chevaux m
bird birds oiseau oiseaux m
bear bears ours ours m
fox foxes renard renards m
wolf wolves loup loups m
mouse mice souris souris f
cow cows vache vaches f
hen hens poule poules f
frog frogs grenouille grenouilles f
boy boys garçon garçons m
girl girls fille filles f
man men homme hommes m
woman women femme femmes f
king kings roi rois m
queen queens reine reines f
child children enfant enfants m
friend friends ami amis m
brother brothers frère frères m
sister sisters sœur sœurs f
""")
THINGS = table("""
house houses maison maisons f
tree trees arbre arbres m
boat boats bateau bateaux m
car cars voiture voitures f
book books livre livres m
table tables table tables f
chair chairs chaise chaises f
garden gardens jardin jardins m
river rivers rivière rivières f
bridge bridges pont ponts m
star stars étoile étoiles f
flower flowers fleur fleurs f
apple apples pomme pommes f
letter letters lettre lettres f
key keys clé clés f
door doors porte portes f
window windows fenêtre fenêtres f
lamp lamps lampe lampes f
hat hats chapeau chapeaux m
shoe shoes chaussure chaussures f
ball balls ballon ballons m
box boxes boîte boîtes f
mountain mountains montagne montagnes f
forest forests forêt forêts f
church churches église églises f
school schools école écoles f
island islands île îles f
cake cakes gâteau gâteaux m
knife knives couteau couteaux m
coat coats manteau manteaux m
""")
# English, French m, f, m plural, f plural, and the m before a vowel if it is another
BEFORE_NOUN = table("""
small petit petite petits petites
big grand grande grands grandes
old vieux vieille vieux vieilles vieil
young jeune jeune jeunes jeunes
beautiful beau belle beaux belles bel
new nouveau nouvelle nouveaux nouvelles nouvel
good bon bonne bons bonnes
""")
AFTER_NOUN = table("""
red rouge rouge rouges rouges
blue bleu bleue bleus bleues
green vert verte verts vertes
white blanc blanche blancs blanches
black noir noire noirs noires
yellow jaune jaune jaunes jaunes
round rond ronde ronds rondes
sad triste triste tristes tristes
happy heureux heureuse heureux heureuses
tired fatigué fatiguée fatigués fatiguées
strong fort forte forts fortes
heavy lourd lourde lourds lourdes
dark sombre sombre sombres sombres
""")
# English of one, of many, French of one, of many; _ is a space
WITH_OBJECT = table("""
sees see voit voient
loves love aime aiment
wants want veut veulent
has have a ont
finds find trouve trouvent
takes take prend prennent
looks_for look_for cherche cherchent
draws draw dessine dessinent
carries carry porte portent
follows follow suit suivent
buys buy achète achètent
sells sell vend vendent
hears hear entend entendent
waits_for wait_for attend attendent
paints paint peint peignent
watches watch regarde regardent
hides hide cache cachent
""")
ALONE = table("""
sleeps sleep dort dorment
sings sing chante chantent
runs run court courent
swims swim nage nagent
works work travaille travaillent
plays play joue jouent
dances dance danse dansent
laughs laugh rit rient
arrives arrive arrive arrivent
""")
PLACES = {"in": "dans", "under": "sous", "on": "sur", "in_front_of": "devant", "behind": "derrière", "with": "avec"}
NAMES = ["Anna", "Paul", "Marie", "Louis", "Julie", "Marc", "Emma", "Victor"]
# French m, f, plural; an empty text where there is no such form
DETERMINERS = {"the": ("le", "la", "les"), "this": ("ce", "cette", ""), "these": ("", "", "ces"), "a": ("un", "une", ""),
               "some": ("", "", "des"), "two": ("", "", "deux"), "three": ("", "", "trois"), "my": ("mon", "ma", "mes"),
               "his": ("son", "sa", "ses"), "her": ("son", "sa", "ses")}
OF_ONE, OF_MANY = [[d for d, forms in DETERMINERS.items() if forms[i]] for i in (0, 2)]
ELIDED = {"le", "la", "ne", "de", "que"}
BEFORE_VOWEL = {"ce": "cet", "ma": "mon", "sa": "son"}


def english(text):
    return [[word] for word in text.split("_")]


class Grammar:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def likely(self, share):
        return self.random.random() < share

    def noun_phrase(self, nouns, negated=False):
        """(English, French, gender, plural) of a noun with what goes with it. After a negation, "un" becomes "de"."""
        one, many, un, des, gender = self.random.choice(nouns)
        plural = self.likely(0.35)
        determiner = self.random.choice(OF_MANY if plural else OF_ONE)
        if self.likely(0.4):
            determiner = "the"
        form = 2 * plural + (gender == "f")
        kinds = self.random.choice([(), (), (), (BEFORE_NOUN,), (AFTER_NOUN,), (BEFORE_NOUN, AFTER_NOUN)])
        chosen = {id(kind): self.random.choice(kind) for kind in kinds}
        first = chosen.get(id(BEFORE_NOUN))

        en_determiner, en_noun, en_adjectives = [determiner], [many if plural else one], []
        article = DETERMINERS[determiner][2 if plural else int(gender == "f")]
        if determiner in ("a", "some") and negated or determiner == "some" and first:
            article = "de"
        french = [(article, [en_determiner])]
        if first:
            adjective = first[5] if len(first) > 5 and form == 0 and un[0] in VOWELS else first[1 + form]
            en_adjectives.append([first[0]])
            french.append((adjective, [en_adjectives[-1]]))
        french.append((des if plural else un, [en_noun]))
        if id(AFTER_NOUN) in chosen:
            adjective = chosen[id(AFTER_NOUN)]
            en_adjectives.append([adjective[0]])
            french.append((adjective[1 + form], [en_adjectives[-1]]))
        en = [en_determiner, *en_adjectives, en_noun]
        if determiner == "a" and en[1][0][0] in "aeiou":
            en_determiner[0] = "an"
        return en, french, gender, plural

    def subject(self):
        kind = self.random.random()
        if kind < 0.2:
            pronoun, french, gender, plural = self.random.choice(
                [("he", "il", "m", 0), ("she", "elle", "f", 0), ("they", "ils", "m", 1)])
            en = [[pronoun]]
            return en, [(french, en)], gender, plural
        if kind < 0.35:
            name = self.random.choice(NAMES)
            en = [[name]]
            return en, [(name, en)], "f" if name[-1] in "ae" or name == "Julie" else "m", 0
        return self.noun_phrase(BEINGS)

    def predicate(self, plural):
        """A verb with "not", "never" or "often" perhaps, and whether it is negated."""
        with_object = self.likely(0.7)
        one, many, un, des = self.random.choice(WITH_OBJECT if with_object else ALONE)
        french = des if plural else un
        manner = self.random.random()
        if manner < 0.2:
            auxiliary, negation, verb = ["do" if plural else "does"], ["not"], english(many)
            return with_object, True, [auxiliary, negation, *verb], [
                ("ne", [negation]), (french, verb), ("pas", [negation])]
        verb = english(many if plural else one)
        if manner < 0.28:
            never = ["never"]
            return with_object, True, [never, *verb], [("ne", [never]), (french, verb), ("jamais", [never])]
        if manner < 0.4:
            en, fr = self.random.choice([("often", "souvent"), ("always", "toujours")])
            adverb = [en]
            return with_object, False, [adverb, *verb], [(french, verb), (fr, [adverb])]
        return with_object, False, verb, [(french, verb)]

    def being_so(self):
        """ "The house is red": the adjective agrees with the noun."""
        en, fr, gender, plural = self.noun_phrase(BEINGS + THINGS) if self.likely(0.7) else self.subject()
        is_, negation = ["are" if plural else "is"], ["not"]
        adjective = self.random.choice(BEFORE_NOUN + AFTER_NOUN)
        so = [adjective[0]]
        verb = ("sont" if plural else "est", [is_])
        negated = self.likely(0.25)
        return (en + [is_] + [negation] * negated + [so],
                fr + ([("ne", [negation]), verb, ("pas", [negation])] if negated else [verb])
                + [(adjective[1 + 2 * plural + (gender == "f")], [so])])

    def clause(self):
        if self.likely(0.2):
            return self.being_so()
        en, fr, _, plural = self.subject()
        with_object, negated, en_verb, fr_verb = self.predicate(plural)
        en, fr = en + en_verb, fr + fr_verb
        if with_object:
            en_object, fr_object, _, _ = self.noun_phrase(BEINGS + THINGS, negated)
            en, fr = en + en_object, fr + fr_object
        if self.likely(0.3):
            place = self.random.choice(list(PLACES))
            words = english(place)
            en_place, fr_place, _, _ = self.noun_phrase(BEINGS if place == "with" else THINGS)
            en, fr = en + words + en_place, fr + [(PLACES[place], words)] + fr_place
        return en, fr

    def sentence(self):
        """(English words, French words, for each of these the numbers of the English words that it stands for)"""
        en, fr = self.clause()
        if self.likely(0.2):
            joint, french = self.random.choice([("and", ["et"]), ("but", ["mais"]), ("because", ["parce", "que"])])
            word = [joint]
            more_en, more_fr = self.clause()
            en, fr = en + [word] + more_en, fr + [(part, [word]) for part in french] + more_fr
        place = {id(word): i for i, word in enumerate(en)}
        words, links = [], []
        for i, (word, sources) in enumerate(fr):
            follows = fr[i + 1][0] if i + 1 < len(fr) else "."
            if follows[0].lower() in VOWELS:
                word = word[:-1] + "'" if word in ELIDED else BEFORE_VOWEL.get(word, word)
            words.append(word)
            links.append([place[id(source)] for source in sources])
        en = [word[0] for word in en]
        if self.likely(0.6):  # written as a sentence is
            en[0], words[0] = en[0][0].upper() + en[0][1:], words[0][0].upper() + words[0][1:]
            links.append([len(en)])
            en, words = en + ["."], words + ["."]
        return en, words, links


def written(words):
    """The words as a text: no space after an apostrophe or before a full stop."""
    return " ".join(words).replace("' ", "'").replace(" .", ".")


def held_out(text):
    """One sentence in twenty, by its letters, is never trained on."""
    return sum(ord(letter) * (i + 1) for i, letter in enumerate(text.lower())) % 20 == 0


def sentences(seed, testing=False):
    grammar = Grammar(seed)
    while True:
        en, fr, links = grammar.sentence()
        if held_out(written(en)) == testing:
            yield en, fr, links
