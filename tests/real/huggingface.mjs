// Converts Hugging Face's vocabularies (tokenizer.json) as llama.cpp's converter (convert_hf_to_gguf.py) does.
import { readFileSync } from 'node:fs'

const normal = 1,
  unknown = 2,
  control = 3,
  userDefined = 4,
  unused = 5,
  byte = 6
const looksSpecial = text => /^<(\||｜).*(\||｜)>$|^<(pad|mask|2mass)>$|^\[@BOS@\]$/.test(text)
const isByte = text => /^<0x[\dA-F]{2}>$/.test(text)

/** The contents of tokenizer.json: its file, the tokens by id with their kinds, and the merges. */
export function readTokenizer(file) {
  const { model, added_tokens: added } = JSON.parse(readFileSync(file, 'utf8'))
  const tokens = []
  for (const [text, id] of Object.entries(model.vocab)) {
    tokens[id] = { text, kind: text === model.unk_token ? unknown : model.byte_fallback && isByte(text) ? byte : normal }
  }
  for (const { id, content, special } of added) {
    if (tokens[id]?.kind === unknown) continue
    tokens[id] = { text: content, kind: special || looksSpecial(content) ? control : userDefined }
  }
  for (let id = 0; id < tokens.length; id++) tokens[id] ??= { text: `[PAD${id}]`, kind: unused }
  return { file, tokens, merges: model.merges.map(merge => (Array.isArray(merge) ? merge.join(' ') : merge)) }
}

const vocabulary = (model, pre, tokens) => ({
  'tokenizer.ggml.model': ['string', model],
  'tokenizer.ggml.pre': ['string', pre],
  'tokenizer.ggml.tokens': ['string', tokens.map(({ text }) => text)],
  'tokenizer.ggml.token_type': ['i32', tokens.map(({ kind }) => kind)],
  'tokenizer.ggml.add_bos_token': ['bool', false],
})

export const asBytePairs = (pre, { tokens, merges }) => ({
  ...vocabulary('gpt2', pre, tokens),
  'tokenizer.ggml.merges': ['string', merges],
})

/** As Gemma 4's. */
export const asCharacterPairs = ({ tokens, merges }) => ({
  ...vocabulary('gemma4', 'gemma4', tokens),
  'tokenizer.ggml.merges': ['string', merges],
})

/** As SentencePiece's: a token's score is higher, the earlier it is merged. */
export function asScores(prefix, { tokens, merges }) {
  const first = new Map()
  merges.forEach((merge, rank) => {
    const text = merge.replace(' ', '')
    if (!first.has(text)) first.set(text, rank)
  })
  return {
    ...vocabulary('llama', 'default', tokens),
    'tokenizer.ggml.add_space_prefix': ['bool', prefix],
    'tokenizer.ggml.scores': ['f32', tokens.map(({ text }) => -(first.get(text) ?? merges.length))],
  }
}
