"""What can happen in a story: verbs with their roles, and the places, times and reasons that go with them.

Roles: a does it, b is somebody else, o and x are things.
"""

import re

# base, past, frame, place (at, to or -), reasons (see REASONS), who has o afterwards (a, b, nobody, or as before)
TABLE = """
find        found       [o]             at  luck    a
lose        lost        [o]             at  slip    nobody
see         saw         [o]             at  luck    .
hide        hid         [o]             at  fear    .
break       broke       [o]             at  slip    .
mend        mended      [o]             at  kind    .
make        made        [o]             at  wish    a
buy         bought      [o]             at  wish    a
drop        dropped     [o]             at  slip    .
forget      forgot      [o]             at  slip    nobody
leave       left        [o]             at  slip    nobody
wash        washed      [o]             at  kind    .
paint       painted     [o]             at  wish    .
want        wanted      [o]             -   wish    .
need        needed      [o]             -   need    .
admire      admired     [o]             at  wish    .
carry       carried     [o]             to  kind    .
bring       brought     [o]             to  kind    .
win         won         [o]             at  luck    a
use         used        [o]             at  need    .
guard       guarded     [o]             at  fear    .
draw        drew        [o]             at  wish    .
polish      polished    [o]             at  kind    .
bury        buried      [o]             at  fear    nobody
catch       caught      [o]             at  luck    a
clean       cleaned     [o]             at  kind    .
count       counted     [o]             at  wish    .
burn        burned      [o]             at  slip    nobody
kick        kicked      [o]             at  wish    .
open        opened      [o]             at  wish    .
push        pushed      [o]             to  need    .
pull        pulled      [o]             to  need    .
roll        rolled      [o]             to  wish    .
tie         tied        [o]             at  need    .
weigh       weighed     [o]             at  wish    .
rub         rubbed      [o]             at  wish    .
measure     measured    [o]             at  need    .
cover       covered     [o]             at  fear    .
notice      noticed     [o]             at  luck    .
praise      praised     [o]             at  kind    .
smell       smelled     [o]             at  luck    .
pick~up     picked~up   [o]             at  luck    a
look~for    looked~for  [o]             at  need    .
dream~of    dreamed~of  [o]             at  wish    .
give        gave        [o] to [b]      at  kind    b
sell        sold        [o] to [b]      at  need    b
lend        lent        [o] to [b]      at  kind    .
show        showed      [o] to [b]      at  kind    .
send        sent        [o] to [b]      -   kind    b
throw       threw       [o] to [b]      at  wish    b
bring       brought     [o] to [b]      -   kind    b
return      returned    [o] to [b]      at  kind    b
borrow      borrowed    [o] from [b]    at  need    .
buy         bought      [o] from [b]    at  wish    a
steal       stole       [o] from [b]    at  need    a
get         got         [o] from [b]    at  luck    a
share       shared      [o] with [b]    at  kind    .
make        made        [o] for [b]     at  kind    b
trade       traded      [o] for [x]     at  wish    .
swap        swapped     [o] for [x]     at  wish    .
meet        met         [b]             at  luck    .
help        helped      [b]             at  kind    .
visit       visited     [b]             at  wish    .
follow      followed    [b]             to  wish    .
hear        heard       [b]             at  luck    .
thank       thanked     [b]             at  kind    .
rescue      rescued     [b]             at  kind    .
wake        woke        [b]             at  fear    .
find        found       [b]             at  luck    .
scare       scared      [b]             at  slip    .
comfort     comforted   [b]             at  kind    .
call        called      [b]             at  fear    .
teach       taught      [b]             at  kind    .
feed        fed         [b]             at  kind    .
wait~for    waited~for  [b]             at  wish    .
warn        warned      [b]             at  fear    .
greet       greeted     [b]             at  kind    .
hug         hugged      [b]             at  kind    .
chase       chased      [b]             to  wish    .
tease       teased      [b]             at  wish    .
miss        missed      [b]             -   sad     .
forgive     forgave     [b]             at  kind    .
surprise    surprised   [b]             at  wish    .
nurse       nursed      [b]             at  kind    .
trust       trusted     [b]             -   kind    .
obey        obeyed      [b]             -   fear    .
carry       carried     [b]             to  kind    .
laugh       laughed     with [b]        at  wish    .
shout       shouted     at [b]          at  fear    .
hide        hid         from [b]        at  fear    .
walk        walked      with [b]        to  wish    .
deliver     delivered   [o] to [b]      at  kind    b
offer       offered     [o] to [b]      at  kind    .
pass        passed      [o] to [b]      at  kind    b
knit        knitted     [o] for [b]     at  kind    b
choose      chose       [o] for [b]     at  kind    .
ask         asked       [b] for [o]     at  need    .
play        played      with [b]        at  wish    .
dance       danced      with [b]        at  wish    .
talk        talked      to [b]          at  wish    .
sing        sang        for [b]         at  kind    .
race        raced       against [b]     at  wish    .
go          went        .               to  need    .
run         ran         .               to  fear    .
travel      traveled    .               to  wish    .
hurry       hurried     .               to  fear    .
walk        walked      .               to  wish    .
climb       climbed     .               to  wish    .
swim        swam        .               to  wish    .
hurry~home  hurried~home .              -   fear    .
laugh       laughed     .               at  wish    .
sneeze      sneezed     .               at  sad     .
stumble     stumbled    .               at  slip    .
smile       smiled      .               at  wish    .
sit~down    sat~down    .               at  tired   .
sleep       slept       .               at  tired   .
rest        rested      .               at  tired   .
cry         cried       .               at  sad     .
wait        waited      .               at  wish    .
fall~asleep fell~asleep .               at  tired   .
get~lost    got~lost    .               at  slip    .
"""
HELD_OUT_VERBS = {"polish", "comfort", "swap", "bury", "travel"}
COUNTABLE = set("find lose see buy win carry hide make break wash drop draw paint bring".split())


class Verb:
    def __init__(self, base, past, frame, place, reasons, effect):
        self.base, self.past, self.place, self.reasons = base.replace("~", " "), past.replace("~", " "), place, reasons
        self.effect = {"nobody": "", ".": None}.get(effect, effect)
        self.frame = frame = "" if frame == "." else frame
        self.pieces = re.findall(r"\[\w\]|\w+", frame)
        self.roles = "".join(piece[1] for piece in self.pieces if piece[0] == "[")
        self.name = f"{self.base} {frame}".strip()
        self.held_out = self.base in HELD_OUT_VERBS


VERBS = {}
for line in TABLE.strip().splitlines():
    verb = Verb(*re.match(r"(\S+)\s+(\S+)\s+(\S.*?)\s\s+(\S+)\s+(\S+)\s+(\S+)$", line).groups())
    VERBS[verb.name] = verb
# One of these may mean that another happened, too, so that "the story does not tell" would be too much to say.
KINDRED = """give sell lend send bring return throw share borrow buy steal get trade swap deliver offer pass choose|
    meet visit see find hear follow notice smell greet chase miss|sleep rest fall~asleep sit~down|
    help rescue comfort nurse trust forgive warn|make paint draw knit|lose drop forget leave burn|
    talk call ask shout warn greet|want need miss|find catch get win pick~up|go run travel hurry walk climb swim follow chase hurry~home push|
    wash clean polish rub|carry bring push pull roll pick~up|thank praise hug|laugh smile tease|hide bury cover guard"""
KINDRED = [{verb.replace("~", " ") for verb in text.split()} for text in KINDRED.split("|")]


def related(base, bases):
    """Whether a verb is one of `bases`, or kin to one of them."""
    return base in bases or any(base in kin and kin & bases for kin in KINDRED)


ALL_VERBS = list(VERBS.values())
KNOWN_VERBS = [verb for verb in ALL_VERBS if not verb.held_out]

REASONS = {
    "luck": """[a.he] was lucky|[a.he] looked very carefully|[a.he] had sharp eyes|the moon was bright|
        [a.he] got up early|the sun was shining|[a.he] never gave up|the wind had turned""",
    "slip": """[a.he] was in a hurry|[a.he] was tired|the ground was slippery|it was dark|[a.he] was not careful|
        [a.he] was thinking of supper|the fog was thick|the wind was strong|[a.he] was laughing too much""",
    "fear": """[a.he] was afraid|there was a storm|[a.he] heard a strange noise|it was getting late|
        thieves were about|the bridge was shaking|[a.he] saw smoke|the water was rising""",
    "kind": """[a.he] was kind|[a.he] wanted to help|it was a holiday|[a.he] had a good heart|
        [a.he] had made a promise|it was a special day|[a.he] liked to help|nobody else would do it""",
    "wish": """[a.he] was bored|[a.he] wanted to have fun|[a.he] was curious|[a.he] had always wanted to|
        it was a fine day|[a.he] was lonely|the music was so merry|[a.he] had nothing else to do""",
    "need": """[a.he] was hungry|winter was coming|[a.he] was cold|[a.he] had no money|the roof was leaking|
        guests were coming|[a.he] had a long way to go|[a.he] had work to do""",
    "tired": """[a.he] was tired|[a.he] had walked all day|the grass was soft|it was very late|
        [a.he] had worked hard|the day was hot""",
    "sad": """[a.he] was sad|[a.he] was all alone|[a.he] missed home|nobody listened|[a.he] had hurt a foot""",
}
REASONS = {name: [part.strip() for part in text.split("|")] for name, text in REASONS.items()}
HELD_OUT_REASONS = """[a.he] felt a chill|the clock had stopped|[a.he] loved surprises|a bell was ringing|
    the snow was melting|[a.he] was proud""".replace("\n", " ").split("|")
HELD_OUT_REASONS = [part.strip() for part in HELD_OUT_REASONS]

# Changing reasons for given stories: the text after "because" has to be read.
OPEN_REASONS = """the [thing] was [state]|the [thing] had [done]|[a.he] had [done] the [thing]|[a.he] wanted to see the [thing]|
    [a.he] loved the [thing]|[a.he] had lost the [thing]|[a.he] was [feeling]|[a.he] felt [feeling]|there was no [thing]|
    there was a lot of [thing]|some [thing] was [doing]|the [thing] was [doing]|[a.he] did not like the [thing]|
    [a.he] could not find the [thing]|somebody had [done] the [thing]|[a.he] was looking for the [thing]|
    the [thing] made a noise|everybody talked about the [thing]|it smelled of [thing]|[a.he] needed [thing]|
    [a.he] had no [state] [thing]|[a.he] had dreamed of the [thing]|the [thing] in the [thing] was [state]|
    [a.he] was [doing] all day|the [state] [thing] was gone|it was the day of the [thing]|the [thing] came too late"""
OPEN_REASONS = [part.strip() for part in OPEN_REASONS.replace("\n", " ").split("|")]
REASON_WORDS = {
    "thing": """rain frost music bread soup smoke dust moss honey salt butter song story game dance prize school train ferry
        milk tea fire roof chimney kitchen window street king's~letter ice thunder lightning sand mud grass hay wool paint
        party wedding parade market newspaper ceiling cellar kettle post harvest weather tide river wind night winter"""
        .split(),
    "state": """wet cold warm broken open closed full empty dark loud quiet dirty clean heavy light old new high deep dry
        strange sweet sour rotten frozen late early near far hidden dangerous famous sticky purple crooked""".split(),
    "feeling": """happy angry sick sleepy thirsty nervous jealous sorry brave shy worried excited homesick dizzy better
        strong weak foolish clever lazy glad surprised restless""".split(),
    "doing": """singing falling burning growing shaking leaking humming glowing turning rolling swinging crying sleeping
        working waiting coming breaking smoking whistling dripping""".split(),
    "done": """broken frozen fallen burned eaten opened hidden cleaned painted washed ruined finished promised heard
        spilled torn moved changed sold cooked started""".split(),
}

# A place: its noun phrase, and the prepositions that say where something happens there.
PLACES = """in: forest garden meadow valley kitchen barn cave cellar attic village orchard market desert swamp
    castle library palace workshop tower stable
    on: beach hill roof island path road farm mountain
    at: market station inn fair crossroads school bakery harbor mill
    near: river lake sea well fence pond bridge gate waterfall fountain church oak volcano lighthouse canal
    under: bridge stairs oak table willow bench pier bed
    behind: mill barn house gate haystack stable church curtain waterfall bakery wall
    beside: river road lake stove fireplace gate well pond railway
    by: river sea window lake door fire stream
    inside: cave barn tower hut chest
    next~to: well inn bakery statue stove"""
PLACES = [(head.replace("~", " "), noun) for head, nouns in
          re.findall(r"([\w~]+): ([^:]+)(?=\s+[\w~]+:|$)", PLACES.replace("\n", " ")) for noun in nouns.split()]
# Where nobody goes: too small, or not a place.
NO_GOAL = set("stairs table bench bed curtain stove fireplace window door fire chest statue wall haystack".split())
HELD_OUT_PLACES = [("in", "canyon"), ("near", "aqueduct"), ("behind", "chapel"), ("under", "archway"),
                   ("on", "balcony"), ("beside", "quarry"), ("in", "monastery"), ("at", "observatory"),
                   ("near", "vineyard"), ("by", "lagoon")]
NEAR_WORDS = ["near", "behind", "beside", "next to", "by"]
PLACE_ADJECTIVES = "old dark big empty quiet green stone wooden red white broken little tall blue".split()

# Times in a story are in this order: each line is a sequence.
TIMES = """
in the morning|at noon|in the afternoon|in the evening|at night
at dawn|after breakfast|at lunchtime|after lunch|at teatime|at sunset|after supper|at midnight
on Monday|on Tuesday|on Wednesday|on Thursday|on Friday|on Saturday|on Sunday
on the first day|on the second day|on the third day|on the fourth day|on the fifth day|on the last day
in spring|in summer|in autumn|in winter
in January|in February|in March|in April|in May|in June|in July|in August|in September|in October|in November
at one o'clock|at two o'clock|at three o'clock|at four o'clock|at five o'clock|at six o'clock|at seven o'clock
early in the morning|before noon|late in the afternoon|when the sun went down|when the moon came up
one morning|the next day|two days later|a week later|a month later
"""
TIMES = [line.split("|") for line in TIMES.strip().splitlines()]
