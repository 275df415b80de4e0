// Values at points of a pass, the sums that they must satisfy, and edits.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { golden, goldenBytes } from '../support/golden.mjs'
import { rejectsWith } from './support.mjs'

const text = 'Once upon a time, a fox'
let model
before(async () => {
  model = await loadModel()
})
after(() => model.dispose())

const byName = ({ tensors }) => Object.fromEntries(tensors.map(({ point, data }) => [point, data]))
const layersOf = ({ layers }) => [...Array(layers).keys()]

/** Loads a golden model in full precision, for `use`. */
async function withGolden(name, use) {
  const loaded = await loadModel(goldenBytes(name), { kvCache: 'f32', threads: 1 })
  try {
    await use(loaded, golden(name).tokens)
  } finally {
    await loaded.dispose()
  }
}

for (const name of [
  'llama-gqa',
  'gpt2',
  'gemma2',
  'gptneox-parallel',
  'granite',
  'granitemoe',
  'deepseek2-lite-mla',
  'qwen3',
  'lfm2',
]) {
  test(`${name}: what the blocks of a layer add to a state gives the next, and rows of weights are whole`, () =>
    withGolden(name, async (loaded, tokens) => {
      // The error for an unknown point lists the existing ones.
      const [, known] = await loaded
        .trace(tokens, { points: ['all'] })
        .then(assert.fail, ({ message }) => /which has (.*)$/.exec(message))
      const outs = known.split(', ').filter(form => form.endsWith('.out'))
      const { logits, ...at } = byName(await loaded.trace(tokens, { points: ['embed', 'logits'] }))
      assert.deepEqual(logits, await loaded.logits(tokens, { positions: 'all' }))
      let state = at.embed
      for (const layer of layersOf(loaded.info)) {
        const sum = Float32Array.from(state)
        for (const form of outs) {
          const point = form.replace('L', layer)
          const out = await loaded.trace(tokens, { points: [point] }).catch(error => assert.match(error.message, /is not there/))
          out?.tensors[0].data.forEach((value, i) => (sum[i] += value))
        }
        state = byName(await loaded.trace(tokens, { points: [`resid.${layer}`] }))[`resid.${layer}`]
        const scale = Math.sqrt(state.reduce((squares, value) => squares + value ** 2, 0) / state.length)
        assert.ok(
          sum.every((value, i) => Math.abs(value - state[i]) <= 1e-5 * scale + 1e-6 * Math.abs(value)),
          `layer ${layer}`,
        )
        const attending = await loaded
          .trace(tokens, { points: [`attn.${layer}.weights`, `attn.${layer}.scores`] })
          .catch(() => undefined)
        if (!attending) continue
        const [weights, scores] = attending.tensors
        assert.deepEqual(weights.axes, ['head', 'query', 'key'])
        assert.deepEqual(weights.shape, [loaded.info.heads, tokens.length, tokens.length])
        for (let row = 0; row < weights.data.length; row += tokens.length) {
          const exps = scores.data.subarray(row, row + tokens.length).map(Math.exp)
          const whole = exps.reduce((all, one) => all + one)
          weights.data.subarray(row, row + tokens.length).forEach((weight, key) => {
            assert.ok(Math.abs(weight - exps[key] / whole) < 1e-4)
          })
        }
      }
    }))
}

test('the parts of the first state, and the logits before their cap', async () => {
  await withGolden('gpt2', async (loaded, tokens) => {
    const at = byName(await loaded.trace(tokens, { points: ['embed', 'hook_embed', 'hook_pos_embed'] }))
    assert.deepEqual(
      at['embed.token'].map((value, i) => value + at['embed.position'][i]),
      at.embed,
    )
  })
  await withGolden('gemma2', async (loaded, tokens) => {
    const { logits, ...at } = byName(await loaded.trace(tokens, { points: ['logits', 'logits_raw'] }))
    const raw = at['logits.raw']
    const closer = logits.every((value, i) => Math.abs(value) <= Math.abs(raw[i]) + 1e-6)
    assert.ok(closer, 'a cap brings each closer to 0')
    assert.ok(logits.some((value, i) => Math.abs(value - raw[i]) > 1e-3))
    assert.equal(raw.length, logits.length)
  })
})

test('queries and keys have their norms before they are rotated; a token’s experts are the best of the router', async () => {
  await withGolden('qwen3', async (loaded, tokens) => {
    const names = ['q', 'q_norm', 'q_rot'].map(word => `${word}.1`)
    const [raw, normed, rotated] = (await loaded.trace(tokens, { points: names })).tensors
    assert.deepEqual(normed.shape, raw.shape)
    assert.deepEqual(
      normed.data.slice(0, normed.shape[1] * normed.shape[2]),
      rotated.data.slice(0, normed.shape[1] * normed.shape[2]),
    )
    assert.notDeepEqual(normed.data, raw.data)
  })
  await withGolden('granitemoe', async (loaded, tokens) => {
    const [router, experts, weights] = (await loaded.trace(tokens, { points: ['router.0', 'experts.0', 'expert_weights.0'] }))
      .tensors
    const [count, used] = [router.shape[1], experts.shape[1]]
    assert.deepEqual(weights.shape, experts.shape)
    tokens.forEach((_, token) => {
      const logits = router.data.slice(token * count, (token + 1) * count)
      const best = [...logits.keys()].sort((a, b) => logits[b] - logits[a]).slice(0, used)
      assert.deepEqual([...experts.data.slice(token * used, (token + 1) * used)], best)
    })
  })
})

test('today’s calls are parts of it', async () => {
  const { layers, heads, width, headDim } = model.info
  const all = layersOf(model.info)
  const points = all.flatMap(layer => [`resid.${layer}`, `attn.${layer}.weights`, `attn.${layer}.norms`, `head.${layer}`])
  const at = byName(await model.trace(text, { points }))
  const { tokens, states } = await model.hidden(text, { layers: all })
  const { weights } = await model.attention(text)
  const { norms } = await model.valueNorms(text)
  for (const layer of all) {
    assert.deepEqual(at[`resid.${layer}`], states[layer].slice())
    assert.equal(at[`head.${layer}`].length, tokens.length * heads * headDim)
    for (let head = 0; head < heads; head++) {
      const plane = tokens.length ** 2
      assert.deepEqual(at[`attn.${layer}.weights`].slice(head * plane, (head + 1) * plane), weights[layer][head].slice())
      assert.deepEqual(
        at[`attn.${layer}.norms`].slice(head * tokens.length, (head + 1) * tokens.length),
        norms[layer][head].slice(),
      )
    }
  }
  const last = await model.trace(text, { points: [`resid.${layers - 1}`, 'embed', 'attn.1.key'], positions: [-1, 0] })
  assert.deepEqual(last.positions, [tokens.length - 1, 0])
  assert.deepEqual(
    last.tensors.map(({ point, shape }) => [point, shape]),
    [
      [`resid.${layers - 1}`, [2, width]],
      ['embed', [2, width]],
      ['attn.1.key', [2, model.info.kvHeads, headDim]],
    ],
  )
  assert.deepEqual(last.tensors[0].data.slice(0, width), states[layers - 1].slice(-width))
  assert.deepEqual(last.tensors[0].data.slice(width), states[layers - 1].slice(0, width))
})

test('the same bits while others generate, after a cut of the text, and from a cached beginning', async () => {
  const points = ['resid.2', 'attn.1.weights', 'mlp.0.hidden', 'logits']
  const ids = await model.tokenize(text)
  const whole = await model.trace(ids, { points })
  const busy = model.generate('A fox and an owl', { maxTokens: 40, temperature: 0 })
  const [beside] = await Promise.all([model.trace(ids, { points }), busy])
  assert.deepEqual(byName(beside), byName(whole))
  const cut = await model.trace(ids.slice(0, 4), { points })
  const width = cut.tensors[0].shape[1]
  assert.deepEqual(cut.tensors[0].data, whole.tensors[0].data.slice(0, 4 * width))
  const end = await model.trace(ids, { points, positions: [-1] })
  for (const [i, { data, shape }] of end.tensors.entries()) {
    const all = whole.tensors[i]
    if (all.axes[0] === 'token') assert.deepEqual(data, all.data.slice(-data.length))
    else
      for (let head = 0; head < shape[0]; head++)
        assert.deepEqual(
          data.slice(head * ids.length, (head + 1) * ids.length),
          all.data.slice(((head + 1) * ids.length - 1) * ids.length, (head + 1) * ids.length * ids.length),
        )
  }
})

test('edits at points: values are read back there, and equal those of the other kinds of edits', async () => {
  const { width } = model.info
  const ids = await model.tokenize(text)
  const vector = Float32Array.from({ length: width }, (_, i) => Math.sin(i))
  const logits = edits => model.logits(ids, { edits })
  assert.deepEqual(await logits([{ at: 'head.0', heads: [1], scale: 0 }]), await logits([{ head: [0, 1], scale: 0 }]))
  assert.deepEqual(
    await logits([{ at: 'resid.2', add: vector, scale: 0.5 }]),
    await logits([{ add: vector, layer: 2, scale: 0.5 }]),
  )
  assert.deepEqual(
    await logits([{ at: 'embed', replace: vector, positions: [1] }]),
    await logits([{ replace: vector, layer: -1, positions: [1] }]),
  )
  const other = 'Once upon a dog, there was'
  const patch = { patch: other, positions: [[-1, 3]] }
  const patched = await logits([{ at: 'resid.1', ...patch }])
  assert.deepEqual(patched, await logits([{ layer: 1, ...patch }]))
  assert.notDeepEqual(patched, await logits([]))
  assert.deepEqual(await logits([{ at: 'head.1', heads: [2], mean: other }]), await logits([{ head: [1, 2], mean: other }]))
  const there = byName(await model.trace(other, { points: ['mlp.1.out', 'head.1'] }))
  const states = index => there['mlp.1.out'].subarray(index * width, (index + 1) * width)
  assert.deepEqual(
    await logits([{ at: 'mlp.1.out', ...patch }]),
    await logits([{ at: 'mlp.1.out', replace: states(3), positions: [-1] }]),
  )
  const count = there['mlp.1.out'].length / width
  const mean = Float32Array.from({ length: width }, (_, i) => {
    let sum = 0
    for (let index = 0; index < count; index++) sum += states(index)[i]
    return sum / count
  })
  assert.deepEqual(await logits([{ at: 'mlp.1.out', mean: other }]), await logits([{ at: 'mlp.1.out', replace: mean }]))
  const { heads, headDim } = model.info
  const ofHead = head => there['head.1'].subarray((3 * heads + head) * headDim).subarray(0, headDim)
  assert.deepEqual(
    await logits([{ at: 'head.1', ...patch }]),
    await logits(
      Array.from({ length: heads }, (_, head) => ({ at: 'head.1', heads: [head], replace: ofHead(head), positions: [-1] })),
    ),
  )
  const edits = [
    { at: 'mlp.1.out', scale: 0, positions: [2] },
    { at: 'attn.1.query', scale: 2 },
  ]
  const points = ['mlp.1.out', 'resid.1', 'attn.1.out', 'resid.0']
  const at = byName(await model.trace(ids, { points, edits }))
  const row = (name, t) => at[name].subarray(t * width, (t + 1) * width)
  assert.ok(row('mlp.1.out', 2).every(value => value === 0))
  assert.ok(row('mlp.1.out', 1).some(value => value !== 0))
  row('resid.1', 2).forEach((value, i) => assert.ok(Math.abs(value - row('resid.0', 2)[i] - row('attn.1.out', 2)[i]) < 1e-5))
  const ablated = { edits: [{ at: 'attn.0.out', scale: 0 }] }
  const parts = await model.attentionParts(ids, { layer: 1, head: 0, ...ablated })
  const { weights } = await model.attention(ids, { layers: [1], heads: [0], ...ablated })
  assert.deepEqual(parts.weights, weights[0][0].slice(-ids.length))
  assert.notDeepEqual(parts.weights, (await model.attentionParts(ids, { layer: 1, head: 0 })).weights)
  assert.notDeepEqual(await model.valueNorms(ids, { layers: [1], ...ablated }), await model.valueNorms(ids, { layers: [1] }))
})

test('an encoder-decoder: its encoder, its decoder, and cross-attention', async () => {
  await withGolden('t5', async t5 => {
    const { tokens, sourceTokens, tensors } = await t5.trace([0, 7, 9], {
      source: [5, 6, 7, 8, 1],
      points: ['encoder.attn.0.weights', 'cross.attn.0.weights', 'attn.0.weights', 'encoder.resid.0'],
    })
    assert.deepEqual([tokens.length, sourceTokens.length], [3, 5])
    const { heads, width } = t5.info
    assert.deepEqual(
      tensors.map(({ shape }) => shape),
      [
        [heads, 5, 5],
        [heads, 3, 5],
        [heads, 3, 3],
        [5, width],
      ],
    )
    for (const { data, shape } of tensors.slice(0, 3))
      for (let row = 0; row < data.length; row += shape[2])
        assert.ok(Math.abs(data.subarray(row, row + shape[2]).reduce((sum, weight) => sum + weight) - 1) < 1e-5)
  })
  await withGolden('bert', async bert => {
    const { tensors } = await bert.trace([2, 30, 40, 3], { points: ['encoder.resid.0', 'encoder.attn.0.weights'] })
    const { weights } = await bert.attention([2, 30, 40, 3], { layers: [0], heads: [1] })
    assert.deepEqual(tensors[1].data.slice(16, 32), weights[0][0].slice())
    await rejectsWith(
      'unsupported',
      /decoders alone/,
      bert.trace([2, 3], { points: ['encoder.embed'], edits: [{ at: 'encoder.embed', scale: 0 }] }),
    )
  })
})

test('the error for a missing point lists the existing ones', async () => {
  const rejects = (message, options) => rejectsWith('invalid-argument', message, model.trace(text, options))
  await rejects(/trace: points: required/, {})
  await rejects(/trace: points: expected an array of at least one/, { points: [] })
  await rejects(/points: resid\.99 is not there: the layers with it are 0, 1/, { points: ['resid.99'] })
  await rejects(/points: resid\.-1 is no point of this model/, { points: ['resid.-1'] })
  await rejects(/points: router\.0 is no point of this model, which has embed, attn\.L\.scale, attn\.L\.normalized/, {
    points: ['router.0'],
  })
  await rejects(/points: embed is listed twice/, { points: ['embed', 'embed'] })
  await rejects(/trace: positions: 999 is out of range/, { points: ['embed'], positions: [999] })
  await rejects(/trace: positions: expected/, { points: ['embed'], positions: [] })
  const wrong = (message, edit) => rejects(message, { points: ['embed'], edits: [edit] })
  await wrong(/edits\[0\]\.at: mlp\.99\.out is not there/, { at: 'mlp.99.out', scale: 0 })
  await wrong(/edits\[0\]\.at: attn\.1\.weights can be read, but not changed/, { at: 'attn.1.weights', scale: 0 })
  await wrong(/edits\[0\]\.vector: has 3 numbers/, { at: 'mlp.1.out', add: [1, 2, 3] })
  await wrong(/edits\[0\]\.head: 99 is out of range/, { at: 'head.1', heads: [99], scale: 0 })
  await wrong(/edits\[0\]: at: /, { at: 5, scale: 0 })
  await wrong(/edits\[0\]: scale: /, { at: 'mlp.1.out' })
  await rejectsWith('aborted', /./, model.trace(text, { points: ['embed'], signal: AbortSignal.abort() }))
})
