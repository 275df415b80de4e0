"""Dice, a clock and a calculator, as people ask for them: conversations in which these tools are offered, alone and among others.

The definitions are those of the page and of the README, and others like them. What a request says is copied into the call: numbers,
expressions, time zones. What it does not say is left out, unless the tool requires it.
"""

import ast
import datetime
import json
import math
import operator
import re

from stories import grammar, tools
from stories.cast import Phrase
from stories.grammar import HERE, capital
from stories.invention import invented_word
from stories.strange_tools import strange
from stories.talk import Talk
from stories.tool_talk import use
from stories.words import article, plural

BLOCKS = grammar.read_blocks(HERE / "everyday.txt") | {"anything": grammar.read_blocks(HERE / "opening.txt")["anything"]}
RULES = {}
for _name, _lines in BLOCKS.items():
    RULES[_name] = []
    for _line in _lines:
        _weight, _text = grammar.weighted(_line)
        _said, _, _meant = _text.partition(" => ")
        RULES[_name] += [(grammar.compiled(_said), _meant)] * _weight
WORDINGS = json.loads((HERE / "wordings.json").read_text())

DIGITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety", 100: "a hundred"}
SPOKEN = dict(enumerate(DIGITS)) | TENS
SIDES = (4, 6, 8, 10, 12, 20, 20, 100, 3, 30, 50)
THINGS = "apples books tickets pens shirts cakes eggs chairs cards sweets cups stamps toys bottles coins lemons plates".split()
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()

# Where people ask for the time, and the zone there.
PLACES = {zone: names.split(", ") for zone, names in {
    "Europe/London": "London, England, the UK, Great Britain", "Europe/Paris": "Paris, France, Lyon", "Europe/Berlin": "Berlin, Germany, Munich, Hamburg",
    "Europe/Zurich": "Zurich, Switzerland, Bern, Zürich, Basel, Geneva", "Europe/Rome": "Rome, Italy, Milan, Venice", "Europe/Madrid": "Madrid, Spain, Barcelona",
    "Europe/Vienna": "Vienna, Austria", "Europe/Lisbon": "Lisbon, Portugal", "Europe/Dublin": "Dublin, Ireland",
    "Europe/Amsterdam": "Amsterdam, the Netherlands", "Europe/Brussels": "Brussels, Belgium", "Europe/Stockholm": "Stockholm, Sweden",
    "Europe/Oslo": "Oslo, Norway", "Europe/Copenhagen": "Copenhagen, Denmark", "Europe/Helsinki": "Helsinki, Finland",
    "Europe/Warsaw": "Warsaw, Poland", "Europe/Prague": "Prague", "Europe/Budapest": "Budapest, Hungary", "Europe/Athens": "Athens, Greece",
    "Europe/Istanbul": "Istanbul, Turkey", "Europe/Moscow": "Moscow", "Europe/Kyiv": "Kyiv, Ukraine", "Europe/Bucharest": "Bucharest",
    "Africa/Cairo": "Cairo, Egypt", "Africa/Lagos": "Lagos, Nigeria", "Africa/Nairobi": "Nairobi, Kenya",
    "Africa/Johannesburg": "Johannesburg, South Africa, Cape Town", "Asia/Tokyo": "Tokyo, Japan, Osaka, Kyoto", "Asia/Seoul": "Seoul, Korea",
    "Asia/Shanghai": "Shanghai, China, Beijing", "Asia/Hong_Kong": "Hong Kong", "Asia/Singapore": "Singapore",
    "Asia/Kolkata": "India, Mumbai, Delhi, Kolkata, Bangalore", "Asia/Dubai": "Dubai", "Asia/Bangkok": "Bangkok, Thailand", "Asia/Jakarta": "Jakarta",
    "Asia/Manila": "Manila", "Asia/Jerusalem": "Jerusalem, Israel", "Asia/Tehran": "Tehran", "Asia/Karachi": "Karachi",
    "Australia/Sydney": "Sydney, Australia", "Australia/Melbourne": "Melbourne", "Australia/Perth": "Perth", "Pacific/Auckland": "Auckland, New Zealand",
    "Pacific/Honolulu": "Honolulu, Hawaii", "America/New_York": "New York, NYC, Boston, Washington, Miami",
    "America/Chicago": "Chicago, Texas", "America/Denver": "Denver", "America/Los_Angeles": "Los Angeles, California, San Francisco, Seattle, LA",
    "America/Toronto": "Toronto", "America/Vancouver": "Vancouver", "America/Mexico_City": "Mexico City, Mexico",
    "America/Sao_Paulo": "Sao Paulo, Brazil", "America/Argentina/Buenos_Aires": "Buenos Aires, Argentina", "America/Bogota": "Bogota",
    "America/Lima": "Lima, Peru", "America/Santiago": "Santiago", "UTC": "UTC, UTC, GMT"}.items()}
ASKED_MOST = """Europe/London Europe/Paris Europe/Berlin Europe/Zurich Europe/Rome Europe/Madrid Europe/Vienna Europe/Amsterdam Europe/Moscow
    America/New_York America/Los_Angeles America/Chicago America/Toronto America/Sao_Paulo Asia/Tokyo Asia/Shanghai Asia/Kolkata Asia/Singapore
    Asia/Dubai Australia/Sydney Africa/Cairo UTC""".split()
MORE_ZONES = """Africa/Tunis Africa/Dakar Africa/Accra Africa/Algiers Africa/Casablanca America/Anchorage America/Caracas America/Halifax
    America/Phoenix America/Panama America/Jamaica Asia/Baghdad Asia/Dhaka Asia/Kabul Asia/Kathmandu Asia/Riyadh Asia/Taipei Asia/Tashkent
    Atlantic/Azores Atlantic/Reykjavik Australia/Adelaide Australia/Brisbane Australia/Darwin Europe/Belgrade Europe/Minsk Europe/Riga
    Europe/Sofia Europe/Tallinn Europe/Vilnius Indian/Maldives Pacific/Fiji Pacific/Guam Asia/Calcutta""".split()
AREAS = "Africa America Asia Atlantic Australia Europe Indian Pacific".split()

PAGE = [
    {"name": "roll_dice", "description": "Rolls dice and returns what each one shows.", "parameters": {"type": "object", "properties": {
        "count": {"type": "integer", "description": "How many dice, from 1 to 100. Default: 1."},
        "sides": {"type": "integer", "description": "How many sides each has, from 2 to 1000. Default: 6."}}}},
    {"name": "current_time", "description": "Returns the current date and time.", "parameters": {"type": "object", "properties": {
        "time_zone": {"type": "string", "description": "A time zone such as Europe/Zurich. Default: that of the user."}}}},
    {"name": "calculate", "description": "Calculates the value of an expression with + - * / % ^ and brackets.", "parameters": {
        "type": "object", "properties": {"expression": {"type": "string", "description": "For example, (2 + 3) * 4."}},
        "required": ["expression"]}}]
README = {"name": "roll_dice", "description": "Rolls dice.",
          "parameters": {"type": "object", "properties": {"sides": {"type": "integer"}}, "required": ["sides"]}}


def said(rng, name, **slots):
    """One way to say it."""
    return said_and_meant(rng, name, **slots)[0]


def said_and_meant(rng, name, **slots):
    pieces, meant = rng.choice(RULES[name])
    return grammar.Writer(RULES, {key: Phrase(str(value)) for key, value in slots.items()}, rng).text(pieces), meant


def ordered(rng, do):
    return said(rng, "order", do=do)


def asked(rng, kind, **slots):
    """A wish of this kind: an order or another way to ask."""
    ways = [way for way in (f"{kind}-do", f"{kind}-ask") if way in RULES]
    way = rng.choice(ways)
    text = said(rng, way, **slots)
    return ordered(rng, text) if way.endswith("-do") else text


def typed(rng, text, slips=True):
    """As people type: now and then without a capital letter or a full stop, or with a slip in a word."""
    draw = rng.random()
    if draw < 0.3:
        text = text[0].lower() + text[1:]
    if draw < 0.2 or draw > 0.9:
        text = re.sub(r"[.!?]+$", "", text)
    if rng.random() < 0.015 and "/" not in text:
        text = text.upper()
    if slips and rng.random() < 0.1:
        words = [match for match in re.finditer(r"(?<![\w/])[a-zA-Z]{4,}(?![\w/])", text)]
        if words:
            word = rng.choice(words)
            place = rng.randint(1, len(word[0]) - 2)
            letters = word[0]
            kind = rng.choice(("lost", "twice", "swapped"))
            if kind == "lost":
                letters = letters[:place] + letters[place + 1:]
            elif kind == "twice":
                letters = letters[:place] + letters[place] + letters[place:]
            else:
                letters = letters[:place] + letters[place + 1] + letters[place] + letters[place + 2:]
            text = text[:word.start()] + letters + text[word.end():]
    return text if text else "?"


def described(rng, kind, of):
    """The schema of a parameter, often with one of these descriptions."""
    schema = {"type": kind}
    if rng.random() < 0.6:
        schema["description"] = rng.choice(of)
    return schema


def definition(rng, name, description, properties, required):
    parameters = {"type": "object", "properties": properties}
    if required or rng.random() < 0.3:
        parameters["required"] = required
    if rng.random() < 0.15:
        parameters["additionalProperties"] = False
    return {"name": name, "description": description, "parameters": parameters}


def shown(rng, content):
    """A result as a tool's answer has it: as JavaScript writes it, or now and then in spaces."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":") if rng.random() < 0.9 else None)


def failed(rng, text):
    return shown(rng, {"error": text}) if rng.random() < 0.9 else f"Error: {text}", said(rng, "told-error", r=text)


def any_error(rng, names):
    """What may go wrong with a tool, in words that have to be copied."""
    name = rng.choice(names) if names else invented_word(rng)
    words = " ".join(invented_word(rng) if rng.random() < 0.3 else rng.choice(
        "the service is down not found no answer access time out too many requests try later value unknown is wrong file limit line busy".split())
        for _ in range(rng.randint(2, 6)))
    return rng.choice((f"arguments.{name}: expected {rng.choice(('an integer', 'a string', 'a number'))}", f"{name}: {words}", words,
                       capital(words), f"{name} is required", f"{name}: expected a whole number from {rng.randint(0, 9)} to {rng.randint(10, 999)}",
                       f"unknown {invented_word(rng)} “{invented_word(rng)}”"))


class Wish:
    """What a user wants of one of these tools: the request, the arguments of the call, its result, and what is told of it."""

    def __init__(self, request, arguments, result, told, again=None):
        self.request, self.arguments, self.result, self.told, self.again = request, arguments, result, told, again


class Dice:
    NAMES = "roll_dice throw_dice dice roll roll_die rollDice dice_roller dice_roll random_dice".split()
    DOES = ("Rolls dice and returns what each one shows.", "Rolls dice.", "Rolls a die.", "Roll dice", "Rolls one or more dice.", "Throws dice.",
            "A dice roller.", "Roll some dice and get the numbers.", "Simulates a roll of dice.", "Roll dice for a game.",
            "Rolls dice with any number of sides.")
    FACES = ("sides", "sides", "faces", "max", "n_sides", "size")
    COUNTS = ("count", "count", "number", "n", "dice", "times", "amount")

    def __init__(self, rng, kind="other"):
        self.kind, self.count, self.sides, self.required = kind, "count", "sides", []
        if kind == "page":
            self.definition = PAGE[0]
        elif kind == "readme":
            self.definition, self.count, self.required = README, None, ["sides"]
        else:
            self.sides = rng.choice(self.FACES)
            self.count = rng.choice(self.COUNTS) if rng.random() < 0.7 else None
            self.required = [name for name in (self.count, self.sides) if name and rng.random() < 0.4]
            properties = {}
            if self.count:
                properties[self.count] = described(rng, "integer", ("How many dice, from 1 to 100. Default: 1.", "How many dice", "The number of dice",
                                                                    "Number of dice to roll", "How many dice to roll (default 1)"))
            properties[self.sides] = described(rng, "integer", ("How many sides each has, from 2 to 1000. Default: 6.", "How many sides", "Sides of a die",
                                                                "The number of sides", "Number of sides per die (default 6)"))
            if rng.random() < 0.2:
                properties = dict(reversed(properties.items()))
            self.definition = definition(rng, rng.choice(self.NAMES), rng.choice(self.DOES), properties, self.required)

    def wish(self, rng):
        kind = rng.choice(("plain", "count", "sides", "sides", "both", "both") if self.count else ("plain", "sides", "sides", "sides"))
        count = rng.choice((2, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, rng.randint(2, 100), 100)) if kind in ("count", "both") else None
        sides = rng.choice((*SIDES, rng.randint(2, 99), rng.randint(2, 1000))) if kind in ("sides", "both") else None
        if rng.random() < 0.03:  # too many for the page's tool
            count, sides = count and rng.randint(101, 5000), sides and rng.choice((1, 0, rng.randint(1001, 9999)))
        slots = {}
        if count is not None:
            number = str(count)
            if count in SPOKEN and rng.random() < 0.5:
                number = SPOKEN[count]
            if count == 2 and rng.random() < 0.2:
                number = rng.choice(("a pair of", "a couple of"))
            slots |= {"n": number, "c": count}
        if sides is not None:
            spoken = SPOKEN.get(sides) if rng.random() < 0.4 else None
            slots |= {"f": sides, "s": spoken or sides, "sided": f"{(spoken or str(sides)).removeprefix('a ')}{rng.choice('-- ')}sided"}
        while True:
            request = asked(rng, f"dice-{kind}", **slots)
            if not re.search("a (pair|couple) of (times|rolls|throws|rolls|of|$)|(pair|couple) of [^d]*$|(pair|couple) of dices", request) \
                    and not ("[" in request):
                break
        request = re.sub(r"\b([Aa]) (?=8|11-|11 |18|80|eight|eleven|eighteen)", r"\1n ", request)
        one = re.search(r"\b1d\d", request)
        call = self.call(1 if one and self.count else count, sides)
        return self.answered(rng, typed(rng, request), call, count, sides)

    def call(self, count, sides):
        call = {}
        if self.count and (count is not None or self.count in self.required):
            call[self.count] = count if count is not None else 1
        if sides is not None or self.sides in self.required:
            call[self.sides] = sides if sides is not None else 6
        return call

    def taught(self, rng):
        """A wish from the half of the list that training may see."""
        lists = WORDINGS["tools"]["roll_dice" if self.kind == "page" else "roll_dice with sides"]
        request, call, *_ = rng.choice(lists["taught"])
        return self.answered(rng, request, call, call.get("count"), call.get("sides"))

    def answered(self, rng, request, call, count, sides):
        count, sides = count or 1, 6 if sides is None else sides
        again = lambda: self.answered(rng, typed(rng, said(rng, rng.choice(("again", "roll-again")))), call, count, sides)
        if self.kind != "readme" and (count > 100 or not 1 < sides <= 1000):
            bad = "count: expected a whole number from 1 to 100" if count > 100 else "sides: expected a whole number from 2 to 1000"
            return Wish(request, call, *failed(rng, bad), again)
        if rng.random() < 0.04:
            return Wish(request, call, *failed(rng, any_error(rng, list(call))), again)
        count, sides = min(count, 200), max(sides, 1)
        rolls = [rng.randint(1, sides) for _ in range(count)]
        total = sum(rolls)
        if self.count is None:
            roll = rolls[0]
            result = shown(rng, roll if rng.random() < 0.7 else {rng.choice(("result", "roll", "value")): roll})
            return Wish(request, call, result, said(rng, "told-one", r=roll), again)
        if self.kind == "page" or rng.random() < 0.6:
            result = shown(rng, {"rolls": rolls, "total": total})
        else:
            result = shown(rng, rolls if count < 12 else total)
        if count == 1:
            told = said(rng, "told-one", r=total)
        elif count > 8:
            told = said(rng, "told-total", r=total) if '"total"' in result or "[" not in result else said(rng, "told-rolls", list=listed(rolls))
        else:
            told = said(rng, "told-dice" if '"total"' in result else "told-rolls", list=listed(rolls), r=total)
        return Wish(request, call, result, told, again)


def listed(numbers):
    numbers = [str(number) for number in numbers]
    return numbers[0] if len(numbers) == 1 else ", ".join(numbers[:-1]) + " and " + numbers[-1]


class Clock:
    NAMES = "current_time get_time clock time now get_current_time what_time date_time getTime current_date_time get_date".split()
    DOES = ("Returns the current date and time.", "Tells the time.", "Gets the current time.", "Returns the date and the time.", "A clock.",
            "Get the current date and time", "What time it is, and which day.", "Gives the time at a place.", "The current time in a time zone")
    ZONES = ("time_zone", "time_zone", "timezone", "zone", "tz", "timeZone")

    def __init__(self, rng, kind="other"):
        self.kind, self.zone, self.required = kind, "time_zone", False
        if kind == "page":
            self.definition = PAGE[1]
        else:
            self.zone = rng.choice(self.ZONES) if rng.random() < 0.8 else None
            properties = {}
            if self.zone:
                self.required = rng.random() < 0.15
                properties[self.zone] = described(rng, "string", ("A time zone such as Europe/Zurich. Default: that of the user.", "The time zone",
                                                                  "A time zone, for example America/New_York", "IANA time zone, such as Asia/Tokyo", "The zone"))
            self.definition = definition(rng, rng.choice(self.NAMES), rng.choice(self.DOES), properties, [self.zone] if self.required else [])

    def wish(self, rng):
        kind = rng.choices(("time", "date", "month", "year", "moment", "zone"), (26, 20, 5, 5, 8, 44 if self.zone else 0))[0]
        if kind != "zone" and self.required:
            kind = "zone"
        zone = place = None
        if kind == "zone":
            draw = rng.random()
            if draw < 0.2:
                zone = place = rng.choice([*PLACES, *MORE_ZONES])
            elif draw < 0.28:
                zone = place = f"{rng.choice(AREAS)}/{invented_word(rng).capitalize()}"
            else:
                zone = rng.choice(ASKED_MOST if rng.random() < 0.45 else list(PLACES))
                place = rng.choice(PLACES[zone])
            request = asked(rng, "zone", p=place)
        else:
            request = asked(rng, kind)
        request = typed(rng, request)
        if zone and "/" not in place and rng.random() < 0.2:
            request = request.replace(place, place.lower())
        wants = "date" if kind == "date" else kind if kind in ("month", "year", "moment") else "time"
        return self.answered(rng, request, {self.zone: zone} if zone else {}, wants, zone, place)

    def taught(self, rng):
        request, call, *_ = rng.choice(WORDINGS["tools"]["current_time"]["taught"])
        zone = call.get("time_zone")
        wants = next((want for word, want in (("month", "month"), ("year", "year"), ("date and time", "moment"), ("day", "date"), ("date", "date"))
                      if word in request.lower()), "time")
        return self.answered(rng, request, call, wants, zone, (PLACES.get(zone) or [zone])[0])

    def answered(self, rng, request, call, wants, zone, place):
        def again():
            if self.zone and rng.random() < 0.6:
                other = rng.choice(list(PLACES))
                name = rng.choice(PLACES[other])
                return self.answered(rng, typed(rng, rng.choice(("And in {}?", "and {}", "What about {}?", "{}?", "and in {}")).format(name)),
                                     {self.zone: other}, wants, other, name)
            return self.answered(rng, typed(rng, said(rng, "again")), call, wants, zone, place)
        if zone and zone not in PLACES and zone not in MORE_ZONES:
            return Wish(request, call, *failed(rng, rng.choice(("Invalid time zone specified: ", "invalid time zone: ", "Unknown time zone ")) + zone), again)
        if rng.random() < 0.04:
            return Wish(request, call, *failed(rng, any_error(rng, list(call))), again)
        moment = datetime.datetime(rng.randint(2024, 2030), rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 23), rng.randint(0, 59), rng.randint(0, 59))
        day, month = DAYS[moment.weekday()], MONTHS[moment.month - 1]
        clock, date = f"{moment:%H:%M}", f"{day}, {moment.day} {month} {moment.year}"
        zone_name = rng.choice(("UTC", "GMT", "CET", "CEST", "BST", f"GMT+{rng.randint(1, 12)}", f"GMT-{rng.randint(1, 11)}", "GMT+5:30", "EST"))
        time = rng.choice((f"{date} at {moment:%H:%M:%S} {zone_name}", f"{day} {moment.day} {month} {moment.year} at {moment:%H:%M:%S} {zone_name}"))
        shown_zone = zone or rng.choice([*PLACES, *MORE_ZONES])
        content = {"time": time, "time_zone": "Asia/Calcutta" if shown_zone == "Asia/Kolkata" else shown_zone}
        if self.kind != "page" and rng.random() < 0.4:
            content = rng.choice((time, {"time": clock, "date": date}, {"now": time}))
        result = content if isinstance(content, str) else shown(rng, content)
        here = place
        if place and "/" in place:
            here = place.rpartition("/")[2].replace("_", " ")
        if wants == "time":
            told = said(rng, "told-zone", r=clock, p=here) if here else said(rng, "told-time", r=clock)
        elif wants == "moment":
            told = said(rng, "told-time", r=f"{clock} on {date}")
        else:
            told = said(rng, "told-date", r=date) if wants == "date" else said(rng, "told-time", r=f"{month} {moment.year}" if wants == "month" else moment.year)
        return Wish(request, call, result, told, again)


def number(rng):
    draw = rng.random()
    if draw < 0.35:
        return str(rng.randint(1, 20))
    if draw < 0.68:
        return str(rng.randint(2, 100))
    if draw < 0.86:
        return str(rng.randint(10, 1000))
    if draw < 0.92:
        return str(rng.randint(1000, 99999))
    return f"{rng.randint(0, 99)}.{rng.randint(1, 99)}" if draw < 0.99 else f"-{rng.randint(1, 20)}"


def price(rng):
    return f"{rng.randint(1, 40)}.{rng.choice(('50', '25', '75', '99', '20', '80', '90', f'{rng.randint(10, 99)}'))}"


def expression(rng, depth=0):
    """A sum in signs, as tokens."""
    draw = rng.random()
    left = [number(rng)]
    if draw < 0.62 or depth > 1:
        power = rng.random() < 0.07
        if power:
            return [str(rng.randint(2, 12)), "^", str(rng.randint(2, 6))]
        return left + [rng.choice("++--***//%" if rng.random() < 0.3 else "+-*/"), number(rng)]
    if draw < 0.82:
        return left + [rng.choice("+-*/"), number(rng), rng.choice("+-*/"), number(rng)]
    inner = ["(", *expression(rng, 2), ")"]
    other = ["(", *expression(rng, 2), ")"] if rng.random() < 0.3 else left
    return [*inner, rng.choice("+-*/"), *other] if rng.random() < 0.5 else [*other, rng.choice("+-*/"), *inner]


def spaced(rng, parts):
    """Tight, or with spaces around the signs, or now and then in between."""
    style = rng.choice(("tight", "tight", "spaced", "spaced", "mixed"))
    text = ""
    for part in parts:
        if part in "+-*/%^" and (style == "spaced" or style == "mixed" and rng.random() < 0.5):
            text += f" {part} "
        else:
            text += part
    return text


OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Mod: math.fmod,
              ast.Pow: operator.pow}


def worked_out(node):
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp):
        return -worked_out(node.operand) if isinstance(node.op, ast.USub) else worked_out(node.operand)
    return OPERATIONS[type(node.op)](worked_out(node.left), worked_out(node.right))


def value(text):
    """Of an expression, as JavaScript has it; None if it has none."""
    try:
        result = worked_out(ast.parse(re.sub(r"(?<![\d.])0+(?=\d)", "", text.replace("^", "**")).strip(), mode="eval").body)
    except (ZeroDivisionError, OverflowError, ValueError):
        return None
    if isinstance(result, complex) or abs(result) > 1e15:
        return None
    return int(result) if result == int(result) else float(result)


class Calculator:
    NAMES = "calculate calculator calc evaluate compute math do_math eval solve arithmetic".split()
    DOES = ("Calculates the value of an expression with + - * / % ^ and brackets.", "Calculates an expression.", "A calculator.", "Evaluates arithmetic.",
            "Computes the value of a formula.", "Calculate a math expression", "Does sums.", "Evaluates a mathematical expression and returns the result.",
            "Useful for getting the result of a math expression.")
    PARAMETERS = "expression expression expr formula input sum query text".split()

    def __init__(self, rng, kind="other"):
        self.kind, self.parameter = kind, "expression"
        if kind == "page":
            self.definition = PAGE[2]
        else:
            self.parameter = rng.choice(self.PARAMETERS)
            self.definition = definition(rng, rng.choice(self.NAMES), rng.choice(self.DOES), {self.parameter: described(
                rng, "string", ("For example, (2 + 3) * 4.", "The expression", "What to calculate", "A math expression, such as 2 * 3", "An expression like 4 / 2"))},
                [self.parameter] if rng.random() < 0.85 else [])

    def wish(self, rng):
        draw = rng.random()
        if draw < 0.55:
            meant = spaced(rng, expression(rng))
            while len(meant) > 40:
                meant = spaced(rng, expression(rng))
            text = meant
            signs = rng.random()
            if signs < 0.1:
                text = text.replace("*", "×").replace("/", "÷")
            elif signs < 0.17:
                text = text.replace("*", "x")
            elif signs < 0.2:
                text = text.replace("/", ":") if not "(" in text else text
            if rng.random() < 0.015:
                text = meant = rng.choice((meant + rng.choice("+-*/"), "(" + meant, meant + ")", f"{number(rng)}/0", f"{number(rng)} / 0"))
            request = asked(rng, "sum", e=text)
            request = typed(rng, request)
        else:
            kind = rng.choices(("spoken", "spoken-one", "spoken-do", "problem"), (45, 28, 20, 24))[0]
            numbers = {name: number(rng) for name in "abd"}
            while any(text.startswith("-") for text in numbers.values()):
                numbers = {name: number(rng) for name in "abd"}
            if kind == "problem":
                numbers = {name: price(rng) if name != "a" and rng.random() < 0.35 else str(rng.randint(2, 60)) for name in "abd"}
            small = {"k": str(rng.randint(2, 8)), "q": str(rng.randint(2, 12))}
            sign = rng.random()
            words = dict(numbers)
            for name in words:
                whole = int(float(numbers[name])) if "." not in numbers[name] else -1
                if sign < 0.2 and whole in SPOKEN and whole < 100:
                    words[name] = SPOKEN[whole]
            text, meant = said_and_meant(rng, kind, **words, **small, things=rng.choice(THINGS))
            for name, item in (numbers | small).items():
                meant = meant.replace(f"[{name}]", item)
            if "PREVIOUS" in meant:
                meant = meant.replace("PREVIOUS", {"plus": "+", "minus": "-", "times": "*"}[re.search("plus|minus|times", text)[0]])
            if kind in ("spoken", "spoken-one"):
                request = asked(rng, "sum", e=text) if rng.random() < 0.7 else text
            else:
                request = ordered(rng, text) if kind == "spoken-do" else text
            request = typed(rng, request)
        return self.answered(rng, request, meant)

    def taught(self, rng):
        request, call, *_ = rng.choice(WORDINGS["tools"]["calculate"]["taught"])
        return self.answered(rng, request, call["expression"])

    def answered(self, rng, request, meant):
        call = {self.parameter: meant}

        def again():
            return self.wish(rng)
        if rng.random() < 0.03:
            return Wish(request, call, *failed(rng, any_error(rng, list(call))), again)
        problem = fault(meant)
        result = None if problem else value(meant)
        if result is None:
            return Wish(request, call, *failed(rng, problem or "the result is not a number"), again)
        shown_result = repr(result)
        told = said(rng, "told-sum", r=shown_result)
        if isinstance(result, float) and len(shown_result.partition(".")[2]) > 6 and "e" not in shown_result:
            whole, _, rest = shown_result.partition(".")
            told = said(rng, "told-about", r=f"{whole}.{rest[:4]}")
        text = shown_result if self.kind == "page" or rng.random() < 0.6 else shown(rng, {rng.choice(("result", "value", "answer")): result})
        return Wish(request, call, text, told, again)


def fault(text):
    """What the page's calculator says of an expression that is none."""
    if text.count("(") > text.count(")"):
        return "a bracket is not closed"
    if text.count(")") > text.count("("):
        return "“)” is out of place"
    if text.rstrip()[-1] in "+-*/%^":
        return "the expression ends too early"
    return None


KINDS = (Dice, Clock, Calculator)
MOST_CHARACTERS = 2100  # of a conversation and its tools: digits and signs are many tokens


def offer(rng):
    """(tools of these three kinds, others): those that a conversation offers."""
    draw = rng.random()
    if draw < 0.42:
        made, others = [kind(rng, "page") for kind in KINDS], 0
    elif draw < 0.52:
        made, others = [kind(rng, "page") for kind in rng.sample(KINDS, rng.choice((1, 1, 2)))], 0
    elif draw < 0.64:
        made, others = [Dice(rng, "readme")], 0
    elif draw < 0.78:
        made, others = [kind(rng, rng.choice(("page", "other"))) for kind in rng.sample(KINDS, rng.choice((1, 2, 3)))], rng.choice((1, 1, 2))
    else:
        made, others = [kind(rng) for kind in rng.sample(KINDS, rng.choice((1, 1, 2, 3)))], rng.choice((0, 0, 1))
    some = []
    taken = {tool.definition["name"] for tool in made}
    for _ in range(others):
        family = strange(rng) if rng.random() < 0.35 else rng.choice(tools.TRAINED if rng.random() < 0.5 else tools.USEFUL)
        tool = tools.Tool(family, rng)
        if tool.name not in taken and not set(family.names) & set(Dice.NAMES + Clock.NAMES + Calculator.NAMES):
            some.append(tool)
            taken.add(tool.name)
    return made, some


def unserved(rng):
    """A request that no tool here fulfills."""
    if rng.random() < 0.1:
        return rng.choice(WORDINGS["unserved"]["taught"])
    return typed(rng, asked(rng, "unserved", n=rng.choice((rng.randint(2, 30), rng.randint(2, 30), rng.randint(2, 2000))), things=rng.choice(THINGS)))


def with_something_learned(talk):
    """The conversation; where all of it would only be read, its last reply is learned."""
    replies = [turn for turn in talk.turns if turn[0] == "assistant"]
    if all(check and "not learned" in check for *_, check in replies):
        replies[-1][2] = None
    return talk


def everyday(rng, held_out=None):
    """A conversation in which dice, a clock or a calculator are offered."""
    talk = Talk(rng, held_out)
    if rng.random() < 0.6:
        talk.setting()
    made, others = offer(rng)
    listed_tools = [tool.definition for tool in made + others]
    if rng.random() < 0.3:
        rng.shuffle(listed_tools)
    talk.tools = listed_tools
    absent = [kind for kind in KINDS if not any(isinstance(tool, kind) for tool in made)]
    last = None
    for _ in range(rng.choice((3, 5, 7, 9))):
        if sum(len(text) for _, text, _ in talk.turns) + len(json.dumps(talk.tools)) > MOST_CHARACTERS:
            break
        draw = rng.random()
        if draw < 0.5:
            if last and rng.random() < 0.12:
                tool, wish = last[0], last[1].again()
            else:
                tool = rng.choices(made, [3 if isinstance(one, Calculator) else 2 for one in made])[0]
                wish = tool.taught(rng) if rng.random() < 0.07 and (tool.kind != "other") else tool.wish(rng)
            last = tool, wish
            talk.user(wish.request)
            talk.answer(tools.call_text({"name": tool.definition["name"], "arguments": wish.arguments}))
            talk.turns.append(["tool", wish.result, None])
            talk.answer(wish.told)
        elif draw < 0.55 and others:
            use(talk, rng.choice(others), rng)
        elif draw < 0.6 and absent:
            talk.user(rng.choice(absent)(rng, "page").wish(rng).request)
            talk.answer(said(rng, "no-tool"))
        elif draw < 0.72:
            talk.user(unserved(rng))
            talk.answer(said(rng, "no-tool"))
        elif draw < 0.77:
            beside(talk, rng)
        elif draw < 0.81:
            aside = rng.choice((("hello", "hello-back"), ("thanks", "thanks-more-back"), ("what-can-you", "what-i-can"), ("thanks-more", "thanks-more-back")))
            talk.user(typed(rng, talk.say(aside[0])))
            talk.answer(talk.say(aside[1]))
        elif draw < 0.88:
            talk.story = talk.drill(2, 4)
            for question in talk.questions(1, 0.1):
                talk.question(question, True)
        else:
            anything, invent = rng.random() < 0.5, talk.casting.invent
            talk.casting.invent = 0 if anything else invent
            request, talk.story, _ = talk.request("ask-short")
            talk.casting.invent = invent
            talk.user(typed(rng, request if not anything else said(rng, "anything") if rng.random() < 0.6 else talk.say("ask-anything"), slips=False))
            talk.answer(talk.story.text, {"not learned": True} if rng.random() < 0.5 else None)
    return with_something_learned(talk)


SERVED = re.compile(r"\b(plus|minus|times|divided|Solve|Calculate|percent|root)\b|What (day|time|year|month) is|How many|weather|rain")


def beside(talk, rng):
    """A question that has nothing to do with tools or stories."""
    while True:
        text = talk.say("outside-ask")
        if not SERVED.search(text):
            break
    talk.user(text)
    talk.answer(talk.say("outside"))
