#!/usr/bin/python3
"""Gives a model that knows only plain text a chat template, so that it can be asked in a conversation, too.

    python3 with_template.py OLD.gguf heed-stories.gguf

The prompt is the user's last message and a line break, as in training; what was said before is not in it.
"""

import sys

import gguf

TEMPLATE = """\
{%- set request = messages | selectattr('role', 'equalto', 'user') | list | last -%}
{{- request.content + '\\n' -}}
{%- if messages[-1].role == 'assistant' -%}
{{- messages[-1].content -}}
{%- endif -%}
"""


def main():
    old, new = sys.argv[1:]
    metadata, tensors = gguf.read(old)
    metadata["tokenizer.chat_template"] = TEMPLATE
    gguf.write(new, metadata, tensors)


if __name__ == "__main__":
    main()
