// Options that are valid but do not fit the model: each call of the lab, on a model of each kind, gives a result or fails with an
// error other than `crashed`, and the model is not affected.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { HeedError } from 'heed'
import { goldenFile, goldenPicture } from '../support/golden.mjs'
import { describedCalls } from '../support/described_calls.mjs'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { reranker } from '../support/reranker.mjs'
import { withModel } from './support.mjs'

/** By kind: the file and the options to load. */
const kinds = {
  decoder: [undefined],
  'decoder that sees': [undefined, { projector: projectorFile(128) }],
  'decoder in order': [goldenFile('llama-gqa'), { parallel: 1 }],
  encoder: [goldenFile('bert')],
  'decoder that embeds': [goldenFile('qwen3-embedding')],
  reranker: [reranker().bytes],
  'encoder-decoder': [goldenFile('t5')],
  'encoder of one': [goldenFile('t5encoder')],
  'decoder of scaled positions': [goldenFile('llama-linear')],
  convolutional: [goldenFile('lfm2')],
  vision: [goldenFile('vit')],
  'vision and text': [goldenFile('clip')],
}

const long = length => Array.from({ length }, () => 0)
const vector = Float32Array.from({ length: 7 }, () => 0.5)
const edits = [
  [{ add: vector, layer: 0 }],
  [{ add: vector, layer: 99 }],
  [{ add: new Float32Array(128), layer: 0, positions: [99] }],
  [{ replace: vector, layer: -1 }],
  [{ replace: vector, head: [0, 0] }],
  [{ replace: vector, head: [99, 99] }],
  [{ scale: 0, head: [0, 99] }],
  [{ scale: 0, head: [0, 0], positions: [99] }],
  [{ cut: { layer: 0, query: 99, key: 0 } }],
  [{ cut: { layer: 99, query: 0, key: 0 } }],
  [{ cut: { layer: 0, head: 99, query: 1, key: [0, 1] } }],
  [{ patch: 'a fox', layer: 0, positions: [[0, 99]] }],
  [{ patch: '', layer: 0, positions: [[0, 0]] }],
  [{ patch: 'a fox', layer: 99, positions: [[0, 0]] }],
  [{ patch: 'a fox', layer: 0, positions: [[99, 0]] }],
  [{ mean: '', head: [0, 0] }],
  [{ mean: 'a fox', head: [99, 0] }],
  [{ mean: 'a fox', head: [0, 99] }],
]
/** By option: values that its reader takes. Options that are not here have nothing to do with the model. */
const wrong = {
  of: ['decoder', 'encoder', 'cross'],
  source: ['a fox', '', [999999], [0]],
  layers: [[99], [-1], [0, 0], long(2000)],
  heads: [[99], [0, 0], long(2000)],
  layer: [-1, 99, 0x7fffffff],
  head: [99, 0x7fffffff],
  query: [99, -99, 0x7fffffff, -0x7fffffff],
  positions: [[99], [-99], [], [0, 0], 'all', long(200000)],
  position: [99, -99, 0x7fffffff],
  top: [0, 99999, 0x7fffffff],
  tokens: [['no token has this text'], [0x7fffffff], long(3000)],
  token: ['no token has this text', 0x7fffffff],
  edits,
  adapters: [{ none: 1 }],
  length: [2, 99999, 0x7fffffff],
  sequences: [2],
  by: ['mean'],
  addSpecial: [false],
  parseSpecial: [true],
  pooling: ['mean', 'cls', 'last', 'none'],
  dimensions: [1, 99999],
  normalize: [true],
  truncate: [true],
  maxImageTokens: [1, 0x7fffffff],
  special: [true],
  tidySpaces: [true],
  scale: [0],
  seed: [7],
}
const needed = { attentionParts: { layer: 0, head: 0 }, trace: { points: ['embed'] }, direction: { layer: 0 } }

const textCalls = [
  'tokenize',
  'logits',
  'attention',
  'attentionParts',
  'valueNorms',
  'gates',
  'trace',
  'hidden',
  'lens',
  'score',
  'attribute',
]
const texts = ['Once upon', '', [0], [999999], [], [0, 1].concat(long(3000))]
/** By call: lists of arguments before the options. */
const calls = {
  ...Object.fromEntries(textCalls.map(call => [call, [...texts.map(text => [text]), [[{ image: shaded(3) }, 'a fox']]]])),
  detokenize: [[[0]], [[999999]], [[-1]], [[]]],
  score: [['Once upon'], ['Once upon', [' a', '']], ['', [' a']], [[0], []]],
  direction: [
    [['a fox'], ['an owl']],
    [[''], ['an owl']],
    [[], []],
    [[[999999]], [[0]]],
  ],
  findHeads: [[]],
  embed: [[['a fox']], [['']], [[[999999]]], [[]]],
  embedImages: [[[goldenPicture()]], [[]]],
  classify: [[goldenPicture()]],
  imageAttention: [[goldenPicture()]],
  imageTokens: [[shaded(3)], [{ width: 1, height: 99999 }]],
  unloadAdapter: [['none']],
  restore: [[new Uint8Array(99)]],
  rerank: [
    ['a fox', ['an owl', '']],
    ['', []],
  ],
}

let options
before(async () => {
  options = await describedCalls()
})

/** Each option alone, and each option that selects the attention together with each other option. */
function* choices(call) {
  const known = Object.keys(options[call] ?? {}).filter(name => Object.hasOwn(wrong, name))
  const base = needed[call] ?? {}
  yield base
  for (const name of known) {
    for (const value of wrong[name]) {
      yield { ...base, [name]: value }
      if (name !== 'of' && known.includes('of')) for (const of of wrong.of) yield { ...base, of, [name]: value }
      if (name !== 'source' && known.includes('source')) yield { ...base, source: 'a fox', [name]: value }
    }
  }
}

for (const [kind, [source, loading]] of Object.entries(kinds)) {
  test(`wrong options of every call: ${kind}`, { timeout: 300_000 }, () =>
    withModel(source, { threads: 1, ...loading }, async model => {
      const works = async () => [
        await model.tokenize('Once upon').catch(error => error.code),
        await model
          .logits('Once upon', model.info.decoderStart === undefined ? {} : { source: 'a fox' })
          .catch(error => error.code),
        await model.embed(['Once upon']).catch(error => error.code),
        await model.embedImages([goldenPicture()]).catch(error => error.code),
      ]
      const expected = await works()
      const outcomes = {}
      for (const [call, lists] of Object.entries(calls)) {
        for (const [at, args] of lists.entries()) {
          for (const given of at === 0 ? choices(call) : [needed[call] ?? {}]) {
            const what = () => `${call}(${JSON.stringify(args).slice(0, 80)}, ${JSON.stringify(given).slice(0, 120)})`
            const outcome = await model[call](...args, ...(call in options ? [given] : [])).then(
              () => 'works',
              error => {
                assert.ok(error instanceof HeedError, `${what()}: ${error.stack}`)
                assert.match(
                  error.code,
                  /^(invalid-argument|unsupported|context-overflow|out-of-memory)$/,
                  `${what()}: ${error.code}: ${error.message}`,
                )
                assert.doesNotMatch(error.message, /undefined|NaN|is not a function|\bnull\b|Cannot/, what())
                return error.code
              },
            )
            outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
          }
        }
        assert.deepEqual(await works(), expected, `after ${call}`)
      }
      assert.ok(outcomes.works > 5 && outcomes['invalid-argument'] > 5 && outcomes.unsupported > 5, JSON.stringify(outcomes))
    }),
  )
}
