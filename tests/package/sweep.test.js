// Sweeps: each cell has the bits of a call of its own, and an interrupted sweep goes on where it stopped.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { golden, goldenBytes } from '../support/golden.mjs'
import { rejectsWith, withModel } from './support.mjs'

let model, clean, corrupted, token, against
before(async () => {
  model = await loadModel()
  clean = await model.tokenize('The big dog ran to the house and')
  corrupted = [...clean]
  const [cat] = await model.tokenize(' cat', { addSpecial: false })
  corrupted[3] = cat
  const best = logits => logits.reduce((most, logit, id) => (logit > logits[most] ? id : most), 0)
  token = best(await model.logits(clean))
  against = token === 7 ? 8 : 7
})
after(() => model.dispose())

const metric = () => ({ token, against })
const measured = async edits => {
  const logits = await model.logits(corrupted, { edits })
  return logits[token] - logits[against]
}
const everywhere = () => corrupted.map((_, position) => [position, position])

test('states by layer and position, from the first and the last', async () => {
  const layers = [0, model.info.layers - 1]
  const swept = await model.sweep({ clean, corrupted, at: 'resid', metric: metric(), layers, positions: [3, -1] })
  assert.deepEqual(swept.axes, ['layer', 'position'])
  assert.deepEqual(swept.shape, [2, 2])
  assert.deepEqual(swept.indices, [layers, [3, corrupted.length - 1]])
  const values = []
  for (const layer of layers)
    for (const position of [3, corrupted.length - 1])
      values.push(await measured([{ patch: clean, layer, positions: [[position, position]] }]))
  assert.deepEqual([...swept.values], values)
  assert.equal(swept.normalized.at(-1), 1) // the last state decides alone
  assert.equal(swept.corrupted, await measured([]))
  assert.deepEqual(
    [...swept.effects],
    values.map(value => value - swept.corrupted),
  )
})

for (const [at, points] of Object.entries({
  z: layer => `head.${layer}`,
  q: layer => `attn.${layer}.q`,
  k: layer => `attn.${layer}.k`,
  v: layer => `attn.${layer}.v`,
})) {
  test(`${at} by head, also as plain calls`, async () => {
    const layer = model.info.layers >> 1
    const swept = await model.sweep({ clean, corrupted, at, metric: metric(), layers: [layer] })
    const heads = at === 'k' || at === 'v' ? model.info.kvHeads : model.info.heads
    assert.deepEqual(swept.shape, [1, heads])
    for (let head = 0; head < heads; head++) {
      const edits = [{ at: points(layer), patch: clean, heads: [head], positions: everywhere() }]
      assert.equal(swept.values[head], await measured(edits), `${at} ${head}`)
    }
  })
}

test('ablations by zero and by mean, and of one text alone', async () => {
  const texts = [await model.tokenize('A small cat sat.')]
  const options = { clean, metric: metric(), at: 'mlp_out', over: ['layer'], layers: [1] }
  const [zero, mean] = [await model.sweep({ ...options, ablate: 'zero' }), await model.sweep({ ...options, ablate: 'mean', texts })]
  assert.equal(zero.normalized, undefined)
  for (const [swept, change] of [
    [zero, { scale: 0 }],
    [mean, { mean: texts[0] }],
  ]) {
    const logits = await model.logits(clean, { edits: [{ at: 'mlp.1.out', ...change }] })
    assert.equal(swept.values[0], logits[token] - logits[against])
  }
})

test('rows of attention: those of the text itself change nothing, none at all is a head without output', () =>
  withModel(goldenBytes('llama-gqa'), { kvCache: 'f32', threads: 1 }, async exact => {
    const { tokens } = golden('llama-gqa')
    const layer = 1
    const options = { clean: tokens, at: 'weights', metric: { token: 5, against: 9 }, layers: [layer] }
    const own = await exact.sweep({ ...options, corrupted: tokens })
    for (const value of own.values) assert.ok(Math.abs(value - own.clean) < 1e-4, `${value} and ${own.clean}`)
    const none = await exact.sweep({ ...options, ablate: 'zero', heads: [2] })
    const logits = await exact.logits(tokens, { edits: [{ head: [layer, 2], scale: 0 }] })
    assert.ok(Math.abs(none.values[0] - none.clean) > 1e-2)
    assert.ok(Math.abs(none.values[0] - (logits[5] - logits[9])) < 1e-5)
  }))

test('a path from the last layer leads through nothing else; one to a head needs what it enters by', async () => {
  const last = model.info.layers - 1
  const swept = await model.sweep({ clean, corrupted, at: 'z', metric: metric(), layers: [last] })
  for (let head = 0; head < 2; head++) {
    const path = { from: [last, head], to: 'logits' }
    const { values } = await model.sweep({ clean, corrupted, path, metric: metric() })
    assert.equal(values[0], swept.values[head])
  }
  const path = { from: [0, 0], to: [last, 1], via: 'v' }
  const { values, effects, normalized } = await model.sweep({ clean, corrupted, path, metric: metric() })
  assert.ok([values[0], effects[0], normalized[0]].every(Number.isFinite))
  const all = await model.sweep({ clean, corrupted, path: { to: [1, 0], via: 'q' }, metric: metric() })
  assert.deepEqual(all.shape, [model.info.layers, model.info.heads])
  assert.ok(all.values.every((value, cell) => Number.isNaN(value) === cell >= model.info.heads))
  await rejectsWith(
    'invalid-argument',
    /via is required/,
    model.sweep({ clean, corrupted, path: { to: [1, 0] }, metric: metric() }),
  )
})

test('the KL divergence is 0 for the clean text itself', async () => {
  const swept = await model.sweep({ clean, corrupted, at: 'resid', metric: {}, layers: [model.info.layers - 1], positions: [-1] })
  assert.equal(swept.clean, 0)
  assert.ok(swept.corrupted > 0)
  assert.ok(Math.abs(swept.values[0]) < 1e-6)
})

test('an aborted sweep goes on from its state, beside other calls', async () => {
  const options = { clean, corrupted, at: 'resid', metric: metric() }
  const whole = await model.sweep(options)
  const controller = new AbortController()
  let state
  const told = []
  const aborted = model.sweep({
    ...options,
    signal: controller.signal,
    onProgress: progress => {
      told.push(controller.signal.aborted)
      if (progress.done === 0) return
      state = JSON.parse(JSON.stringify(progress.state))
      controller.abort()
    },
  })
  await rejectsWith('aborted', /./, aborted)
  assert.ok(state.values.length > 0 && state.values.length < whole.values.length)
  const seen = []
  const resumed = model.sweep({ ...options, resume: state, onProgress: ({ done, total }) => seen.push([done, total]) })
  const [again] = await Promise.all([resumed, model.logits(clean)])
  assert.ok(!told.includes(true), 'no progress after an abort')
  assert.deepEqual(again.values, whole.values)
  assert.deepEqual(seen[0], [state.values.length, whole.values.length])
  assert.deepEqual(seen.at(-1), [whole.values.length, whole.values.length])
  await rejectsWith('invalid-argument', /other options/, model.sweep({ ...options, at: 'mlp_out', resume: state }))
})

test('what a sweep refuses, before it runs', async () => {
  const options = { clean, corrupted, at: 'resid', metric: metric() }
  const cases = [
    [{ corrupted: corrupted.slice(1) }, /need the same number/],
    [{ at: 'nowhere' }, /at: nowhere is at no layer/],
    [{ at: 'mlp_out', over: ['layer', 'head'] }, /has no heads/],
    [{ over: ['head'] }, /'layer' and, after it/],
    [{ layers: [99] }, /layers: 99 is out of range/],
    [{ positions: [99] }, /positions: 99 is out of range/],
    [{ metric: { token: 1e6 } }, /outside the vocabulary/],
    [{ metric: { against: 3 } }, /against needs a token/],
    [{ ablate: 'mean' }, /texts: required/],
    [{ path: { to: 'logits' } }, /either at or path/],
    [{ surprise: 1 }, /no option "surprise"/],
    [{ corrupted: undefined }, /corrupted: required/],
  ]
  for (const [changes, message] of cases) await rejectsWith('invalid-argument', message, model.sweep({ ...options, ...changes }))
  assert.equal((await model.logits(clean)).length, model.info.vocabulary)
})
