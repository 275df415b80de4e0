// Models that SentencePiece has trained, against SentencePiece: every character of the first plane between two letters, and 20,000 lines of
// prose in 500 languages, token for token.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prose } from './prose.mjs'
import { asLlama, asT5, asXlmRoberta, idsOfT5, readModel, trained } from './sentencepiece.mjs'
import { realTest, tokenizersOfOthers } from './shelf.mjs'
import { ask, differences, encoded, inFolder } from './tokenizing.mjs'

/**
 * All texts are compared, except those that end with U+2581 itself: SentencePiece takes it for a space and removes it, whereas
 * llama.cpp, Hugging Face's tokenizers and Heed keep it.
 */
const everything = process.env.HEED_TEST_ALL_PROSE !== undefined
const characters = Array.from({ length: 0xffff }, (_, i) => i + 1)
  .filter(code => code < 0xd800 || code > 0xdfff)
  .map(code => `a${String.fromCharCode(code)}b`)
const odd = [
  '',
  ' ',
  '   ',
  '\t',
  '\n',
  ' \n ',
  '\u3000',
  '\u00AD',
  '\u200B',
  ' a',
  'a ',
  ' a ',
  'a  b',
  'a   b  ',
  'a\u3000\u3000b',
  '▁▁a',
  ' ▁a',
  'a ▁ b',
  'a\n\nb',
  'a\0b',
  '\0',
  '\uFEFFa',
  'a<sep>b',
  'a <sep> b',
  '<SEP>',
  '<sep',
  '<se<sep>p>',
  '<sep><sep>',
  '  <sep>',
  '<sep>  ',
  'ＡＢ<ＵＤ>x',
  '<UD>',
  'ﬁ',
  'Ｈｉ',
  '<s>',
  'a<s>b',
  '</s>',
  '<pad>',
  '<unk>',
  '<0x41>',
  '[PAD6001]',
  '😀😀',
  '😀a',
  '☃︎',
  'e\u0301',
  'e\u0301\u0302',
  'ก็า',
  '가각힣',
  'ᄀ\u1161\u11A8',
  'ﷺ',
  '½',
  '①②',
  'qux',
  'quxqux ',
  ' qux',
  'zap',
  'zapzap',
  'a zap b',
  'long'.repeat(40),
  'wide',
  'wide wide',
  ' wide ',
  '𝐀𝐁𝐂',
  '🇩🇪',
  'the '.repeat(3000),
  '日本語'.repeat(2000),
  'a'.repeat(5000),
]

/** Custom rules: characters that become spaces, nothing, U+2581, or long texts, and a key of 160 characters. */
const ownRules = [
  ['q', 'ok'],
  ['qux', '  two  spaces  '],
  ['zap', ''],
  ['Q W', '▁v▁'],
  ['long'.repeat(40), 'short'],
  ['W', ' '],
  ['w', ' W'],
  ['wide', ' wide '],
  ['é', 'e'],
  ['ﬁ', 'fi'],
  ['z', 'y'.repeat(300)],
]
const codes = text => [...text].map(character => character.codePointAt(0).toString(16)).join(' ')

const named = name => ({ normalization_rule_name: name, ...idsOfT5 })
const rules = { normalization_rule_tsv: 'rules', ...idsOfT5 }
const models = {
  ...Object.fromEntries(
    ['nmt_nfkc', 'nfkc', 'nmt_nfkc_cf', 'nfkc_cf', 'identity'].map(name => [name, { options: named(name), all: true }]),
  ),
  "rules of one's own": { options: rules },
  "rules of one's own, with all spaces": { options: { ...rules, remove_extra_whitespaces: false } },
  'no space before the text': { options: { ...named('nmt_nfkc'), add_dummy_prefix: false } },
  'all spaces': { options: { ...named('nmt_nfkc'), remove_extra_whitespaces: false } },
  'the text as it is': { options: { ...named('nfkc'), add_dummy_prefix: false, remove_extra_whitespaces: false } },
  'bytes for what is unknown': { options: { ...named('nmt_nfkc'), byte_fallback: true } },
  "pieces of one's own": {
    options: { ...named('nmt_nfkc_cf'), user_defined_symbols: '<SEP>,<sep>,<UD>,<ＵＤ>,▁<x>,の,ing', control_symbols: '<ctl>' },
  },
  'pieces with spaces within': {
    options: { ...named('nfkc'), split_by_whitespace: false, allow_whitespace_only_pieces: true, remove_extra_whitespaces: false },
  },
  "byte pairs, as Llama 2's": {
    options: {
      model_type: 'bpe',
      normalization_rule_name: 'identity',
      byte_fallback: true,
      remove_extra_whitespaces: false,
      allow_whitespace_only_pieces: true,
      split_digits: true,
    },
    write: asLlama,
  },
  // the converter leaves out the last piece, and every id is one higher
  'XLM-RoBERTa': {
    options: { normalization_rule_name: 'nmt_nfkc' },
    write: asXlmRoberta,
    id: (id, size) => (id === 0 || id === size - 1 ? 3 : id + 1),
  },
}

for (const [name, { options, all = everything, write = asT5, id: idOf = id => id }] of Object.entries(models)) {
  realTest(
    `SentencePiece's tokens: ${name}`,
    async () => {
      await tokenizersOfOthers()
      return inFolder(async folder => {
        const file = join(folder, 'rules.tsv')
        writeFileSync(file, ownRules.map(rule => `${rule.map(codes).join('\t')}\n`).join(''))
        return { file: await trained(name, options, { rules: file }), lines: await prose() }
      })
    },
    async ({ file, lines }) => {
      const model = readModel(file),
        { length } = model.pieces
      const texts = [...odd, lines.slice(0, 100).join('\n'), ...lines, ...characters].filter(
        (_, i) => all || i < 100 || i % 8 === 0,
      )
      const [theirs] = await ask([{ spm: file, texts }])
      const metadata = write(model),
        tokens = metadata['tokenizer.ggml.tokens'][1]
      const expected = theirs.map(ids => ids.map(id => idOf(id, length)))
      assert.deepEqual(differences(texts, await encoded(metadata, texts), expected, id => tokens[id]).slice(0, 20), [])
    },
  )
}
