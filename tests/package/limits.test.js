// Inputs that no call may accept: endless lists, constraints that need endless work, memory that others need. Each is rejected, or
// processed in slices between which other calls and aborts are served. Large real inputs must pass: tests/real/limits.test.js.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HeedError, loadModel } from 'heed'
import { rejectsWith } from './support.mjs'

let model
before(async () => {
  model = await loadModel(undefined, { threads: 2 })
})
after(() => model.dispose())

const zeros = length => new Uint8Array(length)
const many = (length, item) => Array(length).fill(item)

test('lists are counted before they are copied', async () => {
  const vector = new Float32Array(model.info.width)
  const refused = {
    'positions of logits': [
      /positions: 1000000 are more than the context's \d+/,
      () => model.logits('Once', { positions: zeros(1e6) }),
    ],
    'positions of states': [/positions: 1000000 are more/, () => model.hidden('Once', { positions: zeros(1e6) })],
    'positions of the lens': [/positions: 1000000 are more/, () => model.lens('Once', { positions: zeros(1e6) })],
    layers: [/layers: expected at most 65536 items/, () => model.attention('Once', { layers: zeros(1e6) })],
    'layers of states': [/layers: expected at most 65536 items/, () => model.hidden('Once', { layers: zeros(1e6) })],
    'layers of gates': [/layers: expected at most 65536 items/, () => model.gates('Once', { layers: zeros(1e6) })],
    heads: [/heads: expected at most 65536 items/, () => model.valueNorms('Once', { heads: zeros(1e6) })],
    'heads while writing': [
      /heads: expected at most 65536 items/,
      () => model.generate('Once', { attention: { heads: zeros(1e6) } }),
    ],
    'tokens of the lens': [/tokens: expected at most 65536 items/, () => model.lens('Once', { tokens: many(1e5, ' a') })],
    'texts that stop': [/stop: expected at most 4096 items/, () => model.generate('Once', { stop: many(1e5, 'a') })],
    'texts that stop a chat': [
      /stop: expected at most 4096 items/,
      () => model.chat([{ role: 'user', content: 'Hi' }], { stop: many(1e5, 'a') }),
    ],
    choices: [/choices: expected at most 33554432 items in a call/, () => model.generate('Once', { choices: Array(2 ** 32 - 1) })],
    tools: [
      /tools: expected at most 33554432 items/,
      () => model.chat([{ role: 'user', content: 'Hi' }], { tools: Array(2 ** 32 - 1) }),
    ],
    'a source': [/source: expected at most 33554432 items/, () => model.attention('Once', { source: Array(2 ** 32 - 1) })],
    'a prompt': [/at most 33554432 items/, () => model.generate(zeros(2 ** 25 + 1))],
    ids: [/at most 33554432 items/, () => model.detokenize(zeros(2 ** 25 + 1))],
    'ids in parts': [/at most 33554432 items/, () => model.tokenize(many(3, { ids: zeros(2 ** 24) }))],
    'numbers of an edit': [
      /add: expected at most 1048576 items/,
      () => model.logits('Once', { edits: [{ add: new Float32Array(2 ** 21), layer: 0 }] }),
    ],
    'numbers of another edit': [
      /replace: expected at most 1048576 items/,
      () => model.generate('Once', { edits: [{ replace: many(2 ** 21, 0), head: [0, 0] }] }),
    ],
    edits: [/edits: expected at most 65536 items/, () => model.logits('Once', { edits: many(1e5, { head: [0, 0], scale: 1 }) })],
    'pairs of one cut': [
      /edits\[0\]: cut: 4194304 pairs/,
      () => model.logits('Once', { edits: [{ cut: { layer: 0, query: zeros(2048), key: zeros(2048) } }] }),
    ],
    'pairs of all cuts': [
      /edits\[2\]: cut: 3145728 pairs/,
      () => model.logits('Once', { edits: many(20, { cut: { layer: 0, query: zeros(1024), key: zeros(1024) } }) }),
    ],
    sequences: [/sequences: expected an integer from 1 to 65536/, () => model.findHeads({ sequences: 1e6 })],
  }
  for (const [name, [message, call]] of Object.entries(refused)) {
    await assert.rejects(
      async () => {
        await call()
      },
      error => {
        assert.ok(error instanceof HeedError, `${name}: ${error}`)
        assert.match(error.message, message, name)
        return error.code === 'invalid-argument'
      },
    )
  }
  const cut = { cut: { layer: 0, query: zeros(1024), key: zeros(1024) } }
  await model.logits([1, 2, 3], { edits: [cut, cut, { add: vector, layer: 0 }] }) // as many as there may be
  await model.generate('Once', { maxTokens: 2, stop: many(4096, 'zz') })
})

test('a list of texts where one is meant is an error that names the way', async () => {
  for (const call of [
    () => model.logits(['a', 'b']),
    () => model.score(['a', 'b']),
    () => model.hidden(['a', 'b']),
    () => model.generate(['a', 'b']),
    () => model.attention(['a', 'b']),
    () => model.tokenize(['a', 'b']),
    () => model.logits([[1, 2], [3]]),
    () => model.generate([new Int32Array([1]), new Int32Array([2])]),
    () => model.direction([['a', 'b']], ['c'], { layer: 0 }),
    () => model.score('a', [['b', 'c']]),
    () => model.logits('a', { edits: [{ patch: ['a', 'b'], layer: 0, positions: [[0, 0]] }] }),
  ])
    await rejectsWith('invalid-argument', /expected one text, got a list of 2: call it for each, or join them/, call)
  assert.equal((await model.score('a', ['b', 'c'])).length, 2)
  assert.deepEqual(await model.tokenize(['Once']), await model.tokenize('Once'))
  const parts = ['Once', { control: '<|im_end|>' }, ' upon']
  assert.deepEqual(
    await model.tokenize(parts),
    await model.tokenize([{ ids: await model.tokenize('Once', { addSpecial: false }) }, ...parts.slice(1)]),
  )
})

test('errors give sizes, and show only the beginning of a long list', async () => {
  const vector = new Float32Array(4096).fill(0.5)
  vector[7] = NaN
  await assert.rejects(model.logits('Once', { edits: [{ add: vector, layer: 0 }] }), ({ message }) => {
    assert.match(message, /edits\[0\]: add: expected finite numbers, got NaN at index 7/)
    return message.length < 120
  })
  await assert.rejects(model.detokenize(new Float32Array(4096).fill(0.5)), ({ message }) => message.length < 160)
  await rejectsWith('invalid-argument', /99 is out of range: the model has \d+ layers/, model.attention('Once', { layers: [99] }))
  await rejectsWith(
    'invalid-argument',
    /99 is out of range: the model has \d+ layers, and -1/,
    model.hidden('Once', { layers: [99] }),
  )
  await rejectsWith('invalid-argument', /99 is out of range: the model has \d+ heads/, model.attention('Once', { heads: [99] }))
})

test('sequences are drawn one by one, until an abort', async () => {
  const controller = new AbortController()
  const reason = rejectsWith('aborted', /./, model.findHeads({ sequences: 65_536, length: 2, signal: controller.signal }))
  for (let calls = 0; calls < 40; calls++) await model.tokenize('Once')
  controller.abort()
  await reason
})

/** Rules that are each two of the next: texts of 2^count characters. */
const doubling = count =>
  [
    'root ::= r0',
    ...Array.from({ length: count }, (_, at) => `r${at} ::= ${at === count - 1 ? '"a" | "b"' : `r${at + 1} r${at + 1}`}`),
  ].join('\n')
const primes = [10007, 10009, 10037, 10039, 10061]
/** Constraints that take much work, and texts that take much work to compare with them. */
const laborious = {
  'nested bounds of a grammar': [{ grammar: 'root ::= ((( "a"{0,40} "b"? ){0,40} "c"? ){0,40} "d"? ){0,40}' }, 'a'.repeat(1000)],
  'nested bounds of rules': [
    { grammar: 'root ::= x{0,50}\nx ::= (y{0,50} "b"?){0,50}\ny ::= "a" | "(" root ")"' },
    'a'.repeat(1000),
  ],
  'nested bounds of an expression': [{ regex: '(((a{0,40}b?){0,40}c?){0,40}d?){0,40}' }, 'a'.repeat(1000)],
  'a rule of itself twice': [{ grammar: 'root ::= s\ns ::= s s | "a" | ""' }, 'a'.repeat(1000)],
  'multiples of five primes': [{ jsonSchema: { type: 'integer', allOf: primes.map(multipleOf => ({ multipleOf })) } }, '1'],
  'fractions of five primes': [{ jsonSchema: { type: 'number', allOf: primes.map(prime => ({ multipleOf: prime / 1e7 })) } }, '1'],
  'rules that double': [{ grammar: doubling(60) }, 'a'.repeat(1000)],
}

for (const [name, [form, text]] of Object.entries(laborious)) {
  test(`others are served while a form is worked on: ${name}`, { timeout: 300_000 }, async () => {
    const ended = []
    const told = (what, call) =>
      call
        .then(
          () => 'done',
          error => {
            assert.match(error.code, /^(unsupported|out-of-memory|aborted)$/, error.message)
            assert.match(error.message, /too large|memory|aborted/)
            return error.code
          },
        )
        .finally(() => {
          ended.push(what)
        })
    const controller = new AbortController()
    const work = told(
      'work',
      model.compile(form).then(async constraint => {
        await constraint.accepts(text).catch(error => {
          if (error.code !== 'unsupported') throw error
        })
        await constraint.dispose()
      }),
    )
    const left = told('left', model.compile({ ...form, signal: controller.signal }))
    const written = told('written', model.generate('Once', { ...form, maxTokens: 1, signal: controller.signal }).result)
    await model.tokenize('Once')
    controller.abort()
    const [one] = await Promise.all([left, written])
    assert.match(one, /aborted|done/)
    await told('other', model.generate('Once', { maxTokens: 3, regex: 'a+' }).result)
    await work
    assert.deepEqual(await model.generate('Once', { regex: 'abc' }).result.then(({ text: given }) => given), 'abc')
  })
}

test('messages are bounded', async () => {
  const long = 'x'.repeat(1e6)
  const calls = {
    'a value': [/topK: expected .* got "x+ … x+"$/s, () => model.generate('Once', { topK: long })],
    'a name': [/^hidden has no option "x+ … .*its options are/s, () => model.hidden('Once', { [long]: 1 })],
    'an adapter': [/x … x/, () => model.logits('Once', { adapters: { [long]: 1 } })],
    'a grammar': [/^1:1000001: rule "x+ … x/, () => model.compile({ grammar: long })],
    'a template': [/x … x/, () => model.chatTemplate(long)],
  }
  for (const [name, [pattern, call]] of Object.entries(calls)) {
    await assert.rejects(
      async () => {
        await call()
      },
      error => {
        assert.ok(error instanceof HeedError, `${name}: ${error}`)
        assert.match(error.message, pattern, name)
        assert.ok(error.message.length < 4100, `${name}: ${error.message.length}`)
        return true
      },
    )
  }
})

test('of a list inside of a value no more is read for a message than it shows', async () => {
  let reads = 0
  const endless = new Proxy([], {
    has: () => true,
    get: (list, name) => (name === 'length' ? 1e8 : /^\d+$/.test(String(name)) ? ++reads : Reflect.get(list, name)),
  })
  for (const part of [{ control: endless }, { control: [[endless], endless] }]) {
    await rejectsWith('invalid-argument', /tokenize: .*got \{"control":\[/, model.tokenize([part]))
    assert.ok(reads < 1000, `${reads} items were read`)
  }
})

test('a comparison is left at an abort, and others are compared meanwhile', async () => {
  const [form, text] = laborious['nested bounds of a grammar']
  const slow = await model.compile(form),
    quick = await model.compile({ regex: 'a+' })
  const controller = new AbortController(),
    ended = []
  const comparing = slow
    .accepts(text)
    .catch(({ code }) => code)
    .finally(() => ended.push('slow'))
  const leaving = rejectsWith('aborted', /./, slow.accepts(text, { signal: controller.signal }))
  assert.equal(await quick.accepts('aaa'), true)
  ended.push('quick')
  controller.abort()
  await leaving
  await comparing
  assert.deepEqual(ended, ['quick', 'slow'])
  await rejectsWith('invalid-argument', /accepts: signal/, quick.accepts('a', { signal: 1 }))
  await rejectsWith('invalid-argument', /accepts has no option "x"/, quick.accepts('a', { x: 1 }))
  await Promise.all([slow.dispose(), quick.dispose()])
})

test('constraints that nobody holds leave their memory to others', { timeout: 300_000 }, async () => {
  for (const letter of 'wxyz') {
    const constraint = await model.compile({ jsonSchema: { const: letter.repeat(1e6) } })
    assert.ok(constraint.size > 1e8)
    await constraint.dispose()
  }
  const held = await model.compile({ jsonSchema: { const: 'a' } })
  assert.equal(await held.accepts('"a"'), true)
  assert.equal((await model.generate('Once', { constraint: held, maxTokens: 5 })).text, '"a"')
  await held.dispose()
})
