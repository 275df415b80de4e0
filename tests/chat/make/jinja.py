"""Jinja as transformers sets it up for chat templates: the reference that the data here is made with.

    python3 tests/chat/make/probes.py       # data/probes.json
    python3 tests/chat/make/renders.py      # data/renders.json, from the templates of ../shared/chat

Needs jinja2 3.1. The sandbox lets lists and dicts change, which transformers' does not: a few templates do that.
"""
import copy
import datetime
import json

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import SandboxedEnvironment


class Refusal(Exception):
    pass


class Generation(Extension):
    tags = {'generation'}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(['name:endgeneration'], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method('pass_through'), [], [], body).set_lineno(line)

    def pass_through(self, caller):
        return caller()


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def refuse(message):
    raise Refusal(message)


def render(source, variables, now='2026-03-05T09:07:03'):
    environment = SandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols])
    environment.filters['tojson'] = to_json
    time = datetime.datetime.fromisoformat(now)
    environment.globals.update(raise_exception=refuse, strftime_now=lambda form: time.strftime(form))
    try:
        return {'text': environment.from_string(source).render(**copy.deepcopy(variables))}
    except Refusal as refusal:
        return {'kind': 'raise_exception', 'message': str(refusal)}
    except Exception as error:
        return {'kind': type(error).__name__, 'message': str(error)}
