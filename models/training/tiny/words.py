"""Tokenizers of our small vocabularies, which hold each word whole, and single letters for all other words."""

import re
import string

SPACE = "\u2581"
LETTERS = list(string.ascii_lowercase)


class Words:
    """A text's words, each as the longest pieces there are from its beginning on. The first special tokens come first."""

    def __init__(self, special, pieces, unknown):
        self.texts = special + list(dict.fromkeys(pieces))
        self.ids = {text: i for i, text in enumerate(self.texts)}
        self.unknown = self.ids[unknown]
        self.longest = max(map(len, pieces))

    def of_word(self, word):
        """Ids of a word that is written with SPACE before it, where it has one."""
        ids = []
        while word:
            for end in range(min(len(word), self.longest), 0, -1):
                if word[:end] in self.ids:
                    break
            else:
                return [self.unknown]
            ids.append(self.ids[word[:end]])
            word = word[end:]
        return ids

    def unigram(self, text):
        """As SentencePiece's: words with their marks."""
        return [i for word in text.split() for i in self.of_word(SPACE + word)]

    def word_piece(self, text):
        """As BERT's: lower case, and marks by themselves."""
        return [i for word in re.findall(r"\w+|[^\w\s]", text.lower()) for i in self.of_word(SPACE + word)]

    def text(self, ids):
        return "".join(self.texts[i] for i in ids).replace(SPACE, " ").strip()
