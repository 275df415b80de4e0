// Invalid options are errors that name the call and the option.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HeedError, loadModel, modelStore } from 'heed'
import { contractOptions, wrongOf } from '../support/contract_options.mjs'
import { rejectsWith } from './support.mjs'

const picture = { width: 1, height: 1, data: new Uint8Array(4) }
let model, session
before(async () => {
  model = await loadModel()
  session = await model.session()
})
after(() => model.dispose())

const calls = {
  loadModel: options => loadModel(undefined, options),
  fits: options => modelStore.fits(undefined, options),
  metadata: options => model.metadata(options),
  generate: options => model.generate('Once', options),
  append: options => session.append('Once', options),
  tokenize: options => model.tokenize('Once', options),
  detokenize: options => model.detokenize([1], options),
  logits: options => model.logits([1], options),
  attention: options => model.attention('Once', options),
  attentionParts: options =>
    model.attentionParts('Once', typeof options === 'object' ? { layer: 0, head: 0, ...options } : options),
  valueNorms: options => model.valueNorms('Once', options),
  trace: options => model.trace('Once', typeof options === 'object' ? { points: ['embed'], ...options } : options),
  hidden: options => model.hidden('Once', options),
  lens: options => model.lens('Once', options),
  direction: options => model.direction(['Once'], ['Twice'], options),
  score: options => model.score('Once', options),
  findHeads: options => model.findHeads(options),
  attribute: options => model.attribute('Once', options),
  loadAdapter: options => model.loadAdapter('a', new Uint8Array(8), options),
  controlVector: options => model.controlVector(new Uint8Array(8), options),
  embed: options => model.embed(['Once'], options),
  embedImages: options => model.embedImages([], options),
  classify: options => model.classify(picture, options),
  imageAttention: options => model.imageAttention(picture, options),
}

for (const [name, call] of Object.entries(calls)) {
  test(`${name} names an unknown option`, () =>
    rejectsWith('invalid-argument', new RegExp(`${name}.*"temprature"`), () => call({ temprature: 1 })))
  test(`${name} rejects options that are not an object`, () => rejectsWith('invalid-argument', /options/, () => call(5)))
}

/** Wrong values for options whose kind does not define any; for the others, the contract does. */
const wrong = {
  loadModel: {
    adapters: [5, 'a.gguf', ['a.gguf']],
    signal: [{}, new AbortController()],
    onProgress: ['yes'],
  },
  generate: {
    maxTokens: [0, -1, 1.5, '10', -Infinity],
    logitBias: [5, { a: 1 }, { 5: 'x' }, new Map([[1, Infinity]]), { [-1]: 1 }],
    stop: ['', [''], 5, ['a', 5]],
    onProgress: [true],
    signal: [{ aborted: false }],
    speculate: [true, 'on'],
    contextShift: [5, true, {}, { keep: -1 }, { keep: 1.5 }, { keep: undefined }, { kept: 1 }],
    attention: ['all', 1, { layers: [-1] }, { heads: 'all' }, { layer: [1] }, { of: 'encoder' }],
    adapters: [5, ['a'], { a: '1' }, { a: NaN }],
    edits: [5, {}, [5], [{}], [{ add: [1], layer: 0.5 }]],
    addSpecial: [1],
    parseSpecial: ['no'],
  },
  append: { addSpecial: [1], parseSpecial: ['no'], adapters: [1], edits: [1], signal: [1], onProgress: [1] },
  detokenize: { special: [1], tidySpaces: ['yes'], bytes: [0] },
  logits: { positions: [5, 'last', [1.5]], source: [5, {}, [1.5]], signal: [1] },
  attention: { layers: ['all', [-1], 1], heads: [[0.5]], of: ['image', true], source: [5, [-1]], signal: [1] },
  attentionParts: {
    layer: [-1, 'all'],
    head: [0.5, 'mean'],
    query: [1.5, 'last'],
    of: ['image'],
    source: [5],
    addSpecial: [1],
    signal: [1],
  },
  valueNorms: { layers: [1, [-1]], heads: [[0.5]], of: ['cross', true], source: [5], parseSpecial: [1], signal: [1] },
  trace: { points: [1, [], [5], ['']], positions: ['all', [0.5], []], source: [5], adapters: [1], edits: [1], signal: [1] },
  hidden: { layers: [1, [-2], [0.5]], positions: ['all', [0.5]], adapters: [1], edits: [1], addSpecial: [1], signal: [1] },
  lens: {
    layers: [['last']],
    positions: ['last', [1.5]],
    top: [-1, 1.5],
    tokens: ['a', [''], [-1], [{}]],
    adapters: [1],
    edits: [1],
    signal: [1],
  },
  direction: { layer: [-2, 0.5, 'all'], adapters: [1], edits: [1], signal: [1] },
  score: { by: ['rank', 1], adapters: [1], edits: [1], parseSpecial: [1], signal: [1] },
  findHeads: { length: [1, 2.5, 'all'], sequences: [0, 0.5], seed: [-1, 0.5], adapters: [1], edits: [1], signal: [1] },
  attribute: { adapters: [1], edits: [1], token: ['', -1, 1.5, {}], position: [1.5, 'last'], addSpecial: [1], signal: [1] },
  loadAdapter: { cache: [1], hub: [5], integrity: ['abc'], stallTimeout: [0], signal: [1], onProgress: [1] },
  controlVector: { scale: ['1', NaN], layers: [1, [1], [0, 'all']], cache: [1], signal: [1] },
  embed: { pooling: ['max', 1], normalize: [1], addSpecial: [0], parseSpecial: ['yes'], signal: [1] },
  embedImages: { pooling: ['average'], normalize: ['no'], signal: [1] },
  classify: { top: [0, 1.5, 'all'], signal: [1] },
  imageAttention: { layers: ['all'], heads: [[-1]], signal: [1] },
}

const described = await contractOptions()
for (const name of Object.keys(calls)) {
  for (const [option, of] of Object.entries(described[name])) {
    const values = [...(wrong[name]?.[option] ?? []), ...wrongOf(of)]
    if (values.length === 0) continue
    test(`${name} rejects invalid values of ${option}`, async () => {
      const message = new RegExp(`${name}.*${option}`)
      for (const value of values) {
        await rejectsWith('invalid-argument', message, () => calls[name]({ [option]: value }))
      }
    })
  }
}

test('every option for which there are invalid values is one of its call', () => {
  for (const [name, options] of Object.entries(wrong)) {
    for (const option of Object.keys(options)) assert.ok(Object.hasOwn(described[name], option), `${name}: ${option}`)
  }
})

test('generate of a session checks its options like that of a model', () =>
  rejectsWith('invalid-argument', /generate.*"temprature"/, async () => session.generate('Once', { temprature: 1 })))

test('without a limit of tokens, a text ends with the context', async () => {
  const long = Array(model.info.contextLength - 5).fill(5)
  const { tokens, finishReason } = await model.generate(long, { maxTokens: Infinity, stopAtEnd: false, signal: null })
  assert.deepEqual([finishReason, tokens.length >= 5], ['context', true])
})

test('an undefined option counts as absent', async () => {
  const options = { maxTokens: 2, temperature: undefined, stop: undefined, stopAtEnd: false }
  const { tokens } = await model.generate('Once', options)
  assert.equal(tokens.length, 2)
})

test('generate rejects prompts that are neither text nor ids', async () => {
  for (const prompt of [undefined, null, 5, {}, [1.5], [-1], ['a', 1], [{}]]) {
    const isRight = error => error instanceof HeedError && error.code === 'invalid-argument'
    assert.throws(() => model.generate(prompt), isRight)
  }
})

test('tokenize rejects what is not text', () => rejectsWith('invalid-argument', /string/, model.tokenize(5)))

test('an empty prompt is an error if the model adds no tokens to it', () =>
  rejectsWith('invalid-argument', /prompt/, model.generate('', { addSpecial: false })))
