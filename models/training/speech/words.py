"""The words of the model, and their places in whisper.cpp's vocabulary for English, whose special tokens are where 51,864 tokens
have them, however few have a text.

In training, tokens are numbered without the ones that never occur ("compact"): the space and the words, the special tokens, the
times, and one token that stands for all others.
"""

WORDS = ("zero one two three four five six seven eight nine yes no stop go left right up down on off red green blue hello").split()
TEXTS = [" ", *(" " + word for word in WORDS)]  # by id; whisper.cpp needs the space

VOCABULARY = 51864
END, START, PREVIOUS, SILENT, UNTIMED, FIRST_TIME = 50256, 50257, 50360, 50361, 50362, 50363
TIMES = VOCABULARY - FIRST_TIME  # of 20 ms: 0 to 30 s

SPECIAL = [END, START, PREVIOUS, SILENT, UNTIMED]
USED = [*range(len(TEXTS)), *SPECIAL, *range(FIRST_TIME, VOCABULARY)]
COMPACT = {token: place for place, token in enumerate(USED)}
OTHERS = len(USED)  # the compact token that stands for all others
END_C, START_C, PREVIOUS_C, SILENT_C, UNTIMED_C, FIRST_TIME_C = (COMPACT[token] for token in (*SPECIAL, FIRST_TIME))
