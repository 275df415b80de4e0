"""Conversations in which tools are offered: used where one fits, and only there."""

from stories import tools
from stories.strange_tools import strange
from stories.talk import Talk


def offered(talk, rng):
    """Tools for a conversation, no family twice."""
    families = tools.HELD_OUT if "tools" in talk.held_out else tools.TRAINED
    chosen = rng.sample(families, min(len(families), rng.choice((1, 1, 2, 2, 3, 4))))
    if "tools" not in talk.held_out:
        chosen = [strange(rng) if rng.random() < 0.55 else family for family in chosen]
        if not talk.held_out:
            chosen = [rng.choice(tools.USEFUL) if rng.random() < 0.3 else family for family in chosen]
    made = []
    for family in chosen:
        tool = tools.Tool(family, rng)
        if not talk.held_out and rng.random() < 0.35:
            tool.definition = tools.dressed(tool.definition, rng)
        if tool.name not in [other.name for other in made]:
            made.append(tool)
    return families, made


def use(talk, tool, rng):
    wish = tools.Use(tool, talk.casting, rng)
    talk.user(wish.asked)
    talk.answer(tools.call_text(wish.call), {"call": wish.call})
    talk.turns.append(["tool", wish.result, None])
    talk.answer(wish.answer, {"result": wish.key} if wish.key else None)


def with_tools(rng, held_out=None, turns=(1, 1, 2, 2, 3), used=0.55):
    """`used` is the share of wishes that a tool fits; of the others, most are for tools that are not there."""
    talk = Talk(rng, held_out)
    talk.setting()
    families, made = offered(talk, rng)
    talk.tools = [tool.definition for tool in made]
    if rng.random() < 0.3:
        talk.story = talk.drill(2, 4)
        for question in talk.questions(1, 0.1):
            talk.question(question, True)
            talk.turns[-1][2]["no call"] = True
    for _ in range(rng.choice(turns)):
        draw = rng.random()
        if draw < used:
            use(talk, rng.choice(made), rng)
        elif draw < 0.86:
            absent = [family for family in families if family not in [tool.family for tool in made]]
            if "tools" not in talk.held_out and rng.random() < 0.5:
                absent = [strange(rng)]
            if absent:
                talk.user(tools.Use(tools.Tool(rng.choice(absent), rng), talk.casting, rng).asked)
                talk.answer(rng.choice(tools.NO_TOOL), {"no call": True})
        elif draw < 0.93 and talk.story:
            for question in talk.questions(1, 0.1):
                talk.question(question)
                talk.turns[-1][2]["no call"] = True
        else:
            request, talk.story, words = talk.request("ask-short")
            talk.user(request)
            talk.answer(talk.story.text, {"words": words, "no call": True})
    return talk
