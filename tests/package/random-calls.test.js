// Random calls with random arguments and options, right, wrong and hostile, some of sessions, forks and models that are disposed of
// meanwhile: each gives a result or a HeedError, and the engine is as before. HEED_RANDOM_CALLS sets their number; a seed of its own decides each call, so one that fails can be repeated.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HeedError, loadModel } from 'heed'
import { adapterFile, controlVectorFile } from '../support/adapters.mjs'
import { contractOptions, rightOf } from '../support/contract_options.mjs'
import { goldenFile, goldenPicture } from '../support/golden.mjs'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { defaultModelPath, random } from './support.mjs'

const count = Number(process.env.HEED_RANDOM_CALLS ?? 1000)
/** Number of overlapping calls. */
const together = 8

let model, bert, vit, session, options, expected
before(async () => {
  options = await contractOptions()
  for (const [name, option] of Object.values(options).flatMap(Object.entries)) {
    if (!Object.hasOwn(right, name) && rightOf(option).length > 0) right[name] = rightOf(option)
  }
  const load = source => loadModel(source, { threads: 1 })
  ;[model, bert, vit] = await Promise.all([
    loadModel(undefined, { threads: 1, projector: projectorFile(128) }),
    load(goldenFile('bert')),
    load(goldenFile('vit')),
  ])
  session = await model.session()
  await model.loadAdapter('a', adapterFile(model.info))
  expected = await reference()
})
after(() => Promise.all([model, bert, vit].map(one => one.dispose())))

/** Results that must be the same at any time. */
const reference = async () => [
  (await model.generate('Once upon', { maxTokens: 6, seed: 3 })).text,
  await bert.embed(['the fox']),
  await vit.embedImages([goldenPicture()]),
]

const throwing = () => {
  throw new RangeError('hostile')
}
const cyclic = {}
cyclic.cyclic = [cyclic]
const hostile = [
  () => undefined,
  () => null,
  () => NaN,
  () => -1,
  () => 0,
  () => -0,
  () => 0.5,
  () => 2 ** 31,
  () => 2 ** 53,
  () => -Infinity,
  () => 5n,
  () => '',
  () => '5',
  () => 'x',
  () => '\ud83d',
  () => '\0',
  () => '{{',
  () => '{% for x in y %}',
  () => 'constructor',
  () => '__proto__',
  () => true,
  () => false,
  () => Symbol('x'),
  () => throwing,
  () => ({}),
  () => [],
  () => [[]],
  () => new Array(3),
  () => cyclic,
  () => Object.create(null),
  () => new Date(NaN),
  () => new Map([[1, 1]]),
  () => new Set([1]),
  () => new Uint8Array(3),
  () => new DataView(new ArrayBuffer(2)),
  () => new Float32Array([NaN]),
  () => new BigInt64Array(2),
  () => /x/,
  () => new Error('x'),
  () => Promise.resolve(1),
  () => Object.fromEntries([['then', throwing]]),
  () => ({ length: 2 ** 40 }),
  () => ({ toString: throwing, valueOf: throwing, toJSON: throwing }),
  () => ({
    get ids() {
      return throwing()
    },
  }),
  () => new Proxy({}, { get: throwing, ownKeys: throwing }),
  () => new Proxy([], { get: throwing }),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  () => {
    const array = new Uint8Array(4)
    structuredClone(array.buffer, { transfer: [array.buffer] })
    return array
  },
  () => JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
  () => AbortSignal.abort(),
  () => new AbortController(),
]

/** Values that are right, for each option whose kind does not say them. */
const right = {
  maxTokens: [1, 2, 3],
  logitBias: [{ 5: -1 }, { 7: -Infinity }, {}],
  seed: [0, 2 ** 53 - 1],
  stop: ['a', ['a', ' b']],
  attention: [true, false, { layers: [0], heads: [1] }],
  speculate: ['auto', 'off'],
  contextShift: [{ keep: 2 }],
  addSpecial: [true, false],
  parseSpecial: [true, false],
  tools: [
    [],
    [{ name: 'look', execute: () => 'seen' }],
    [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
  ],
  think: [false, { maxTokens: 3 }, { maxTokens: 0, message: 'Enough.' }],
  toolChoice: ['auto', 'none'],
  maxSteps: [1, 2],
  continueFinal: [false],
  template: ['default', '{{ messages }}', { jinja: 'x' }],
  variables: [{ a: 1 }, {}],
  now: ['2026-01-01', new Date(0)],
  onToken: [() => {}],
  positions: ['all', [0], [0, 1]],
  source: ['a fox'],
  layers: [[], [0]],
  heads: [[], [0]],
  of: ['decoder', 'encoder', 'cross'],
  pooling: ['mean', 'cls', 'last', 'none'],
  dimensions: [1, 4],
  onProgress: [() => {}],
  onUnmasked: [() => {}],
  top: [1, 3],
  prompt: ['{text} {labels}', ''],
  keep: [1],
  adapters: [{}, { a: 1 }, { a: -0.5 }, { b: 1 }],
  tokens: [[], [' there', 5]],
  token: [' there', 7],
  against: [' fox', 8],
  position: [0, -1],
  edits: [
    [],
    [{ head: [0, 1], scale: 0 }],
    [{ cut: { layer: 1, query: [1, 2], key: 0 } }, { head: [2, 0], mean: 'the fox' }],
    [{ patch: 'the fox', layer: 0, positions: [[1, 1]] }],
    [{ add: new Float32Array(128).fill(0.1), layer: -1, positions: [1, 5] }],
    [
      { at: 'mlp.0.out', scale: 0 },
      { at: 'head.-1', heads: [0], scale: -1, positions: [0] },
    ],
    [
      { at: 'mlp.1.out', patch: 'the fox', positions: [[-1, 0]] },
      { at: 'head.-1', mean: 'the fox', positions: [-2] },
    ],
  ],
  points: [['embed'], ['resid.0', 'attn.0.weights', 'logits']],
  length: [2, 5],
  sequences: [1, 2],
  layer: [-1, 0, 2],
  head: [0, 3],
  query: [0, -1],
  scale: [1, -2],
  cache: [false],
  hub: [{}],
  stallTimeout: [100],
  integrity: [undefined, `sha256-${'0'.repeat(64)}`],
  // Mostly absent, as forms exclude one another.
  jsonSchema: [undefined, undefined, { type: 'integer' }, true, '{"enum": [1, "a"]}', { type: 'objet' }],
  regex: [undefined, undefined, /a+/, 'x|y', '('],
  grammar: [undefined, undefined, undefined, 'root ::= "a"', 'root ::='],
  choices: [undefined, undefined, ['a', 'b'], []],
  constraint: [undefined, undefined, undefined, {}],
  whitespace: [undefined, undefined, 'compact', { indent: 2 }],
  maxWhitespace: [undefined, undefined, 3],
  order: [undefined, undefined, 'any'],
  formats: [undefined, undefined, 'strict', 'annotate'],
  escapes: [undefined, undefined, 'canonical'],
  closed: [undefined, undefined, true],
  schemas: [undefined, undefined, {}, { 'https://a.example/b': '{"type": "null"}' }],
}

const texts = [
  'Once',
  'the fox',
  '',
  'Once upon a time there was a small fox who lived near a river. '.repeat(3),
  '\ud83d',
  'ünïcode 漢字 \u{1f98a}',
]
const prompts = [
  ...texts,
  [1, 2, 3],
  new Int32Array([5, 6]),
  [{ control: '<|im_start|>' }, 'x', { ids: [3] }],
  [{ image: shaded(3) }, 'x'],
]
const conversations = [
  [{ role: 'user', content: 'Hi' }],
  [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: 'Yes' },
    { role: 'user', content: '?' },
  ],
  [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: null, tool_calls: [{ id: '1', type: 'function', function: { name: 'look', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: '1', content: 'seen' },
  ],
]
const isIds = ids => Array.isArray(ids) && ids.every(Number.isSafeInteger)
const isVectors = vectors => Array.isArray(vectors) && vectors.every(vector => vector instanceof Float32Array)

/**
 * Disposes of something twice while calls on it run: all of them end, with a result or as `disposed`. Other errors are about the
 * arguments.
 */
async function whileDisposed(one, ...running) {
  const ending = Promise.allSettled(running.map(async call => call(one)))
  const disposals = [one.dispose(), one.dispose()]
  const ended = await ending
  await Promise.all(disposals)
  await assert.rejects(async () => one.generate('x'), { code: 'disposed' })
  const failed = ended.find(({ reason }) => reason && reason.code !== 'disposed')
  if (failed) throw failed.reason
  return ended.length
}

/** Writes in a fork of a fork, whose own session is disposed of at once; another fork is disposed of while the given calls run. */
async function branching(...given) {
  const [one, other] = await Promise.all([session.fork(), session.fork()])
  const inner = await other.fork()
  const written = inner.generate('x', { maxTokens: 3 })
  await other.dispose()
  assert.match((await written).finishReason, /^(stop|length|context)$/)
  await inner.dispose()
  return whileDisposed(
    one,
    fork => fork.generate(...given),
    async fork => (await fork.fork()).dispose(),
    fork => fork.save(),
    fork => fork.truncate(0),
  )
}

/** Whether a result is a text's score or those of continuations: a corrupted argument may lead to either. */
const isScore = result => [result].flat().every(({ logProbs }) => logProbs instanceof Float32Array)

/** The calls: their arguments before the options, and a check of their results. */
const calls = {
  generate: [() => [prompts], ending, (prompt, ...rest) => model.generate(prompt, ...rest)],
  'generate ': [() => [prompts], ending, (prompt, ...rest) => session.generate(prompt, ...rest)],
  chat: [() => [conversations], ending, (...args) => model.chat(...args)],
  'chat ': [() => [conversations], ending, (...args) => session.chat(...args)],
  compile: [() => [], ({ ignored }) => Array.isArray(ignored), (...args) => model.compile(...args)],
  append: [() => [prompts], result => result === undefined, (...args) => session.append(...args)],
  tokenize: [() => [prompts], isIds, (...args) => model.tokenize(...args)],
  detokenize: [
    () => [[[1, 2, 300]]],
    text => typeof text === 'string' || text instanceof Uint8Array,
    (...args) => model.detokenize(...args),
  ],
  logits: [() => [prompts], logits => logits instanceof Float32Array, (...args) => model.logits(...args)],
  attention: [() => [prompts], ({ weights }) => Array.isArray(weights), (...args) => model.attention(...args)],
  'attention ': [() => [prompts], ({ weights }) => Array.isArray(weights), (...args) => bert.attention(...args)],
  attentionParts: [() => [prompts], ({ scores }) => scores instanceof Float64Array, (...args) => model.attentionParts(...args)],
  'attentionParts ': [() => [prompts], ({ scores }) => scores instanceof Float64Array, (...args) => bert.attentionParts(...args)],
  valueNorms: [() => [prompts], ({ norms }) => Array.isArray(norms), (...args) => model.valueNorms(...args)],
  'valueNorms ': [() => [prompts], ({ norms }) => Array.isArray(norms), (...args) => bert.valueNorms(...args)],
  gates: [() => [prompts], () => true, (...args) => model.gates(...args)],
  trace: [() => [prompts], ({ tensors }) => Array.isArray(tensors), (...args) => model.trace(...args)],
  hidden: [() => [prompts], ({ states }) => isVectors(states), (...args) => model.hidden(...args)],
  'hidden ': [() => [prompts], ({ states }) => isVectors(states), (...args) => bert.hidden(...args)],
  lens: [
    () => [prompts],
    ({ layers }) => layers.every(({ predictions }) => Array.isArray(predictions)),
    (...args) => model.lens(...args),
  ],
  score: [() => [prompts], isScore, (...args) => model.score(...args)],
  'score ': [() => [prompts, [[' fox', [5, 6]], []]], isScore, (...args) => model.score(...args)],
  direction: [
    () => [[[' fox', [5, 6]], []], [['owls']]],
    ({ vector }) => vector.length === model.info.width,
    (...args) => model.direction(...args),
  ],
  findHeads: [() => [], Array.isArray, (...args) => model.findHeads(...args)],
  attribute: [() => [prompts], ({ heads }) => Array.isArray(heads), (...args) => model.attribute(...args)],
  loadAdapter: [
    () => [
      ['a', 'b'],
      [adapterFile(model.info).subarray(0, 300), new Uint8Array(9)],
    ],
    result => result === undefined,
    (...args) => model.loadAdapter(...args),
  ],
  unloadAdapter: [() => [['b', 'c']], result => result === undefined, (...args) => model.unloadAdapter(...args)],
  controlVector: [
    () => [[controlVectorFile(model.info, [1, 2]), new Uint8Array(9)]],
    edits => edits.every(({ add }) => add.length === model.info.width),
    (...args) => model.controlVector(...args),
  ],
  embed: [() => [[texts.slice(0, 2), [[5, 6], 'owls']]], isVectors, (...args) => bert.embed(...args)],
  rerank: [() => [texts, [texts]], Array.isArray, (...args) => bert.rerank(...args)],
  embedImages: [() => [[[goldenPicture()], []]], isVectors, (...args) => vit.embedImages(...args)],
  classify: [() => [[goldenPicture()]], Array.isArray, (...args) => vit.classify(...args)],
  imageAttention: [() => [[goldenPicture()]], ({ weights }) => Array.isArray(weights), (...args) => vit.imageAttention(...args)],
  truncate: [() => [[0, 3, 1000]], () => true, (...args) => session.truncate(...args)],
  restore: [() => [[new Uint8Array(9), new ArrayBuffer(0)]], () => true, (...args) => model.restore(...args)],
  chatTemplate: [
    () => [['default', undefined, '{{ x }}']],
    template => typeof template.source === 'string',
    (...args) => model.chatTemplate(...args),
  ],
  fork: [() => [], fork => fork.length >= 0 && Array.isArray(fork.tokens), () => session.fork()],
  session: [() => [], one => one.length === 0, () => model.session()],
  'generate  ': [() => [prompts], count => count === 4, branching],
  'chat  ': [
    () => [conversations],
    count => count === 2,
    async (messages, ...rest) =>
      whileDisposed(
        await session.fork(),
        one => one.chat(messages, ...rest),
        one => one.generate('x'),
      ),
  ],
  'generate   ': [
    () => [prompts],
    count => count === 4,
    async (prompt, ...rest) =>
      whileDisposed(
        await loadModel(goldenFile('llama-gqa'), { threads: 1 }),
        one => one.generate(prompt, ...rest),
        async one => (await one.session()).generate(prompt, ...rest),
        one => one.tokenize('x'),
        one => one.memory(),
      ),
  ],
  save: [() => [], bytes => bytes instanceof Uint8Array, () => session.save()],
  memory: [() => [], ({ bytes }) => bytes > 0, () => model.memory()],
}

/** A generation or a chat is left after a few tokens: without a limit, one may go on for long. */
async function ending(running) {
  let left = 4
  for await (const item of running) {
    assert.equal(typeof item, 'object')
    if (--left === 0) break
  }
  const { finishReason } = await running
  return /^(stop|length|context|abort|tool-calls|steps)$/.test(finishReason)
}

const optionsFor = name => options[name.trim()]

/** The hostile values in use, whose own parts are left alone. */
const hostiles = new Set()

/** Replaces a part of the arguments by a hostile value, or adds one. */
function spoil(args, below) {
  const value = hostile[below(hostile.length)]()
  hostiles.add(value)
  let holder = args,
    key = below(args.length + 1)
  while (below(3) > 0) {
    const part = holder[key]
    if (
      hostiles.has(part) ||
      typeof part !== 'object' ||
      part === null ||
      ArrayBuffer.isView(part) ||
      ![Object.prototype, Array.prototype].includes(Object.getPrototypeOf(part))
    )
      break
    const keys = Object.keys(part)
    holder = part
    key = keys.length === 0 || below(6) === 0 ? ['x', 'constructor', 'signal', 0][below(4)] : keys[below(keys.length)]
  }
  holder[key] = value
}

/** A copy of plain objects and lists, so that spoiling it changes nothing else. */
const copied = value =>
  Array.isArray(value)
    ? value.map(copied)
    : typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copied(part)]))
      : value

async function callAtRandom(seed) {
  const below = random(seed)
  const pick = list => list[below(list.length)]
  const name = pick(Object.keys(calls))
  const [needed, isRight, call] = calls[name]
  const args = needed().map(values => copied(pick(values)))
  const known = optionsFor(name)
  if (known && below(4) > 0) {
    const chosen = Object.keys(known).filter(() => below(4) === 0)
    args.push(Object.fromEntries(chosen.filter(option => option !== 'signal').map(option => [option, copied(pick(right[option]))])))
    // A text without a limit may consist of white space that a chat never shows, and have no end.
    if (chosen.includes('contextShift')) args.at(-1).maxTokens ??= 1200
    if (chosen.includes('signal')) {
      const controller = new AbortController()
      args.at(-1).signal = pick([null, controller.signal, AbortSignal.abort()])
      setImmediate(() => controller.abort())
    }
  }
  for (let spoiled = below(4) - 1; spoiled > 0; spoiled--) spoil(args, below)
  try {
    const running = call(...args)
    const result = isRight === ending ? running : await running
    assert.ok(await isRight(result), 'the result')
    await result?.dispose?.()
  } catch (error) {
    if (!(error instanceof HeedError)) throw new Error(`call ${seed}, ${name}: ${error?.stack ?? error}`)
    assert.notEqual(error.code, 'crashed', `call ${seed}, ${name}: ${error.message}`)
  }
}

test(`${count} random calls`, { timeout: 600_000 }, async () => {
  for (const call of Object.keys(calls)) {
    for (const name of Object.keys(optionsFor(call) ?? {}))
      assert.ok(name === 'signal' || Object.hasOwn(right, name), `a value for ${call}: ${name}`)
  }
  for (let seed = 0; seed < count; seed += together) {
    await Promise.all(Array.from({ length: together }, (_, at) => callAtRandom(seed + at)))
    if (seed % (together * 25) === 0) {
      assert.deepEqual(await reference(), expected, `after call ${seed}`)
      await session.truncate(0)
    }
  }
  assert.deepEqual(await reference(), expected)
  assert.equal({}.polluted, undefined)
})

test('random options of loadModel', { timeout: 600_000 }, async () => {
  const values = {
    threads: [1, 2],
    contextLength: [16, 64],
    kvCache: ['f32', 'q8', 'q4'],
    memoryLimit: [2 ** 26, 1],
    parallel: [1, 2],
    prefixCache: [0, 1000],
    projector: [projectorFile(128), defaultModelPath, new Uint8Array(9)],
    memory64: [false],
    keep: [true, false],
    keepBytes: [1e6],
    shared: [true],
    cache: [false],
    stallTimeout: [10],
    onProgress: [() => {}],
    integrity: [`sha256-${'0'.repeat(64)}`],
  }
  for (let seed = 0; seed < count / 25; seed++) {
    const below = random(seed)
    const chosen = Object.keys(values).filter(() => below(5) === 0)
    const args = [
      [undefined, defaultModelPath, `${defaultModelPath}x`][below(3)],
      Object.fromEntries(chosen.map(name => [name, values[name][below(values[name].length)]])),
    ]
    for (let spoiled = below(3); spoiled > 0; spoiled--) spoil(args, below)
    try {
      const loaded = await loadModel(...args)
      assert.equal((await loaded.tokenize('Once')).length > 0, true)
      await loaded.dispose()
    } catch (error) {
      if (!(error instanceof HeedError)) throw new Error(`call ${seed}: ${error?.stack ?? error}`)
      assert.notEqual(error.code, 'crashed', `call ${seed}: ${error.message}`)
    }
  }
})
