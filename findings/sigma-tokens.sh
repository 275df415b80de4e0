#!/bin/sh
# Uncased BERT models read Greek in capitals as other tokens in JavaScript than in Rust and Python.
#
# Guessed: lower case is lower case. Both sides follow Unicode, and one tokenizer.json gives one sequence of tokens.
# Seen, with @huggingface/tokenizers 0.2.0 (JavaScript, as in transformers.js) and tokenizers 0.23.2 (Rust, as in Python), Node 20, for one
# tokenizer.json with a BertNormalizer that has `lowercase`:
#
#     JavaScript: ΟΔΟΣ becomes ο ##δ ##ο ##ς, οδος becomes ο ##δ ##ο ##ς
#     Rust: ΟΔΟΣ becomes ο ##δ ##ο ##σ, οδος becomes ο ##δ ##ο ##ς
#
# A capital Σ is ς at the end of a word and σ elsewhere: the one letter whose lower case depends on its neighbors in every language (Unicode's
# Final_Sigma). String.prototype.toLowerCase looks at them, as BERT's first tokenizer did (str.lower in Python); the Rust one, which took its
# place, goes character by character. Many Greek nouns end in it, so a heading in capitals has another embedding in a page than in an index
# that was made in Python. A normalizer of type Lowercase differs in the same way. To agree with Rust, lower each character by itself.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund @huggingface/tokenizers@0.2.0 tokenizers@0.23.2
cat > sigma.js <<'END'
import { writeFileSync } from 'node:fs'
import { Tokenizer as InJavaScript } from '@huggingface/tokenizers'
import { Tokenizer as InRust } from 'tokenizers'

const letters = ['ο', 'δ', 'σ', 'ς']
const tokens = ['[UNK]', ...letters, ...letters.map(letter => `##${letter}`)]
const model = { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100 }
const normalizers = {
  BertNormalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
  Lowercase: { type: 'Lowercase' },
}

async function readings(normalizer) {
  const parts = { version: '1.0', truncation: null, padding: null, added_tokens: [], post_processor: null, decoder: null }
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]))
  const whole = { ...parts, normalizer, pre_tokenizer: { type: 'BertPreTokenizer' }, model: { ...model, vocab } }
  writeFileSync('tokenizer.json', JSON.stringify(whole))
  const [javaScript, rust] = [new InJavaScript(whole, {}), InRust.fromFile('tokenizer.json')]
  const read = { JavaScript: text => javaScript.encode(text).tokens, Rust: async text => (await rust.encode(text)).getTokens() }
  const lines = []
  for (const [name, of] of Object.entries(read)) {
    const [capitals, small] = [(await of('ΟΔΟΣ')).join(' '), (await of('οδος')).join(' ')]
    lines.push(`${name}: ΟΔΟΣ becomes ${capitals}, οδος becomes ${small}`)
  }
  return lines.join('\n')
}

const expected = `JavaScript: ΟΔΟΣ becomes ο ##δ ##ο ##ς, οδος becomes ο ##δ ##ο ##ς
Rust: ΟΔΟΣ becomes ο ##δ ##ο ##σ, οδος becomes ο ##δ ##ο ##ς`
const seen = [await readings(normalizers.BertNormalizer), await readings(normalizers.Lowercase)]
console.log(seen[0])
process.exit(seen.every(lines => lines === expected) ? 0 : 1)
END
node sigma.js
