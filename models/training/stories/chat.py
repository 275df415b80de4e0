"""A conversation as the model reads it: ChatML turns. The template says the same to any Jinja runtime.

Tools stand in the system turn, one JSON object a line between <tools> and </tools>; a call is
<tool_call>{"name": ..., "arguments": {...}}</tool_call>, the form of Hermes and Qwen; its result is a turn of "tool".
"""

import json

START, STOP = "<|im_start|>", "<|im_end|>"

TEMPLATE = """\
{%- set first = messages[0] if messages else none -%}
{%- set system = first.content if first and first.role == 'system' else '' -%}
{%- if tools or system -%}
{{- '<|im_start|>system\\n' + system -}}
{%- if tools -%}
{{- ('\\n\\n' if system else '') + '<tools>' -}}
{%- for tool in tools -%}
{{- '\\n' + ((tool.function if tool.function else tool) | tojson) -}}
{%- endfor -%}
{{- '\\n</tools>' -}}
{%- endif -%}
{{- '<|im_end|>\\n' -}}
{%- endif -%}
{%- for message in messages -%}
{%- if message.role != 'system' -%}
{{- '<|im_start|>' + message.role + '\\n' + (message.content if message.content else '') -}}
{%- if message.tool_calls -%}
{%- for call in message.tool_calls -%}
{%- set function = call.function if call.function else call -%}
{{- ('\\n' if message.content or not loop.first else '') + '<tool_call>\\n{"name": "' + function.name + '", "arguments": ' -}}
{{- function.arguments if function.arguments is string else (function.arguments | tojson) -}}
{{- '}\\n</tool_call>' -}}
{%- endfor -%}
{%- endif -%}
{{- '<|im_end|>\\n' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '<|im_start|>assistant\\n' -}}
{%- endif -%}
"""


def opening(system, tools):
    """The system turn's text, or "" for none."""
    if not tools:
        return system
    listed = "\n".join(["<tools>", *(json.dumps(tool) for tool in tools), "</tools>"])
    return f"{system}\n\n{listed}" if system else listed


def render(turns, tools=()):
    """[(text or control token, whether the model is to learn to write it), ...]."""
    turns = list(turns)
    system = turns.pop(0)[1] if turns and turns[0][0] == "system" else ""
    head = opening(system, tools)
    if head:
        turns.insert(0, ["system", head])
    pieces = []
    for role, text, *check in turns:
        learned = role == "assistant" and not (check and check[0] and "not learned" in check[0])
        pieces += [(START, False)]
        pieces += [("assistant\n", False), (text, learned)] if role == "assistant" else [(f"{role}\n{text}", False)]
        pieces += [(STOP, learned), ("\n", False)]
    return pieces


def prompt(turns, tools=()):
    """What stands before the answer to the last of `turns`."""
    return render(turns, tools) + [(START, False), ("assistant\n", False)]
