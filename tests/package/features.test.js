// Dictionaries of features: against a plain implementation, as edits, and from files that are damaged.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { dictionaryConfig, dictionaryFiles, dictionaryTensors, safetensors } from '../support/dictionary.mjs'
import { rejectsWith } from './support.mjs'

const text = 'Once upon a time a fox'
const count = 24
let model, width, ids, tensors
before(async () => {
  model = await loadModel()
  width = model.info.width
  ids = await model.tokenize(text)
  tensors = dictionaryTensors(width, count)
})
after(() => model.dispose())

const cfg = more => dictionaryConfig(width, count, more)
const filesOf = (config, weights = safetensors(tensors)) => dictionaryFiles(config, weights)

/** Activations and reconstruction of one value, straight from the formulas. */
function naive(value) {
  const { W_enc, W_dec, b_enc, b_dec, threshold } = Object.fromEntries(
    Object.entries(tensors).map(([name, [, data]]) => [name, data]),
  )
  const activations = Array.from({ length: count }, (_, feature) => {
    let sum = b_enc[feature]
    for (let i = 0; i < width; i++) sum += (value[i] - b_dec[i]) * W_enc[i * count + feature]
    return sum > threshold[feature] ? sum : 0
  })
  const rebuilt = Float32Array.from(b_dec, (bias, i) =>
    activations.reduce((sum, on, feature) => sum + on * W_dec[feature * width + i], bias),
  )
  return { activations, rebuilt }
}

test('activations, errors and figures of a text, from Files and from a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heed-sae-'))
  try {
    await writeFile(join(folder, 'cfg.json'), JSON.stringify(cfg()))
    await writeFile(join(folder, 'sae_weights.safetensors'), safetensors(tensors))
    for (const source of [filesOf(cfg()), folder]) {
      const sae = await model.loadFeatures(source)
      assert.deepEqual(
        [sae.kind, sae.point, sae.pointOut, sae.width, sae.features],
        ['jumprelu', 'resid_post.1', 'resid_post.1', width, count],
      )
      const found = await model.features(text, { sae, top: 3, activations: true, reconstruction: true })
      const { data } = (await model.trace(text, { points: ['resid.1'] })).tensors[0]
      for (const token of ids.keys()) {
        const { activations, rebuilt } = naive(data.subarray(token * width, (token + 1) * width))
        activations.forEach((value, feature) => assert.ok(Math.abs(value - found.activations[token * count + feature]) < 1e-4))
        rebuilt.forEach((value, i) => assert.ok(Math.abs(value - found.reconstruction[token * width + i]) < 1e-4))
        assert.equal(found.l0[token], activations.filter(value => value !== 0).length)
        const [best] = [...activations].sort((a, b) => b - a)
        if (best > 0) assert.ok(Math.abs(found.top[token][0].value - best) < 1e-4)
        assert.ok(found.top[token].length <= 3)
      }
      assert.ok(found.explainedVariance < 1 && found.mse > 0)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('sums have the bits of the plain loop, for few tokens and for many, in a dictionary that is sent in parts', async () => {
  const many = Math.ceil((2.2 * 2 ** 21) / width)
  const numbers = (length, size) => Float32Array.from({ length }, (_, index) => (((7919 * index) % 2003) / 1000 - 1) * size)
  const W_enc = numbers(width * many, 0.3)
  const b_dec = numbers(width, 0.1)
  const b_enc = numbers(many, 0.2)
  const threshold = numbers(many, 0.2).map(Math.abs)
  const large = {
    W_enc: [[width, many], W_enc],
    W_dec: [[many, width], W_enc],
    b_enc: [[many], b_enc],
    b_dec: [[width], b_dec],
    threshold: [[many], threshold],
  }
  const sae = await model.loadFeatures(dictionaryFiles(dictionaryConfig(width, many), safetensors(large)))
  const long = Array.from({ length: 9 }, (_, index) => ids[index % ids.length])
  const { data } = (await model.trace(long, { points: ['resid.1'] })).tensors[0]
  const plain = (token, feature) => {
    let sum = 0
    for (let i = 0; i < width; i++) {
      const value = Math.fround(data[token * width + i] - b_dec[i])
      sum = Math.fround(sum + Math.fround(value * W_enc[i * many + feature]))
    }
    return sum + b_enc[feature] > threshold[feature] ? Math.fround(sum + b_enc[feature]) : 0
  }
  for (const length of [2, 9]) {
    const { activations, l0 } = await model.features(long.slice(0, length), { sae, activations: true })
    assert.equal(activations.length, length * many)
    for (let token = 0; token < length; token++) {
      for (let feature = token; feature < many; feature += 997)
        assert.equal(activations[token * many + feature], plain(token, feature))
      assert.ok(l0[token] > many / 8)
    }
  }
})

test('edits by features are those that one would write by hand, bit for bit', async () => {
  const sae = await model.loadFeatures(filesOf(cfg()))
  const logits = edits => model.logits(ids, { edits, positions: 'all' })
  const direction = sae.direction(5)
  assert.deepEqual(await logits([{ feature: [sae, 5], scale: 3 }]), await logits([{ add: direction, layer: 1, scale: 3 }]))
  const { reconstruction } = await model.features(ids, { sae, reconstruction: true })
  const spliced = [2, 4].map(position => ({
    replace: reconstruction.slice(position * width, (position + 1) * width),
    layer: 1,
    positions: [position],
  }))
  assert.deepEqual(await logits([{ splice: sae, positions: [2, 4] }]), await logits(spliced))
  const clamped = [{ feature: [sae, 5], clamp: 2, positions: [3] }]
  const { activations } = await model.features(ids, { sae, activations: true })
  const [at] = (await model.trace(ids, { points: ['resid.1'], positions: [3], edits: clamped })).tensors
  const [plain] = (await model.trace(ids, { points: ['resid.1'], positions: [3] })).tensors
  at.data.forEach((value, i) => {
    assert.ok(Math.abs(value - (plain.data[i] + (2 - activations[3 * count + 5]) * direction[i])) < 1e-4)
  })
  // Clamps that follow each other are of the activations before the first of them.
  const both = [...clamped, { feature: [sae, 6], clamp: 1, positions: [3] }]
  const [last] = (await model.trace(ids, { points: ['resid.1'], positions: [3], edits: both })).tensors
  last.data.forEach((value, i) => {
    const added = (1 - activations[3 * count + 6]) * sae.direction(6)[i]
    assert.ok(Math.abs(value - (at.data[i] + added)) < 1e-4)
  })
  const steered = { edits: [{ feature: [sae, 5], scale: 3 }], temperature: 0, maxTokens: 5 }
  const added = { edits: [{ add: direction, layer: 1, scale: 3 }], temperature: 0, maxTokens: 5 }
  assert.equal((await model.generate(text, steered)).text, (await model.generate(text, added)).text)
  await rejectsWith('invalid-argument', /feature: 99 is out of range/, logits([{ feature: [sae, 99], scale: 1 }]))
  await rejectsWith('invalid-argument', /what model\.loadFeatures gives/, logits([{ splice: {} }]))
})

test('a text that is written with clamp and splice is that of a loop that reads it again after each token', async () => {
  const sae = await model.loadFeatures(filesOf(cfg()))
  const steer = { add: sae.direction(9), layer: 0, scale: 2, positions: [-1] }
  const here = { ...steer, positions: [ids.length - 1] }
  const before = { positions: [ids.length + 2], layer: 0, add: sae.direction(3), scale: 4 }
  const clamps = [5, 6].map(feature => ({ feature: [sae, feature], clamp: 3 }))
  const cases = [
    [clamps, () => clamps],
    [[{ splice: sae }], () => [{ splice: sae }]],
    [[steer, before, clamps[0]], length => [here, ...(length > before.positions[0] ? [before] : []), clamps[0]]],
    [[{ ...clamps[0], positions: [1, -1] }], () => [{ ...clamps[0], positions: [1, ids.length - 1] }]],
  ]
  const texts = new Set()
  for (const [edits, editsFor] of cases) {
    const all = [...ids]
    for (let count = 0; count < 8; count++) {
      const logits = await model.logits(all, { edits: editsFor(all.length) })
      all.push(logits.indexOf(Math.max(...logits)))
    }
    const { tokens, finishReason, timings } = await model.generate(text, { edits, temperature: 0, maxTokens: 8, stopAtEnd: false })
    assert.deepEqual([...ids, ...tokens.map(({ id }) => id)], all)
    assert.deepEqual([finishReason, timings.generatedTokens, timings.speculation], ['length', 8, 'off'])
    texts.add(all.join())
  }
  assert.equal(texts.size, cases.length)
})

test('seeds, stop strings, constraints, logprobs, events and ends hold beside clamp and splice', async () => {
  const sae = await model.loadFeatures(filesOf(cfg()))
  // At a position that is not reached, nothing is set: the text must be that of a call without edits, bit for bit.
  const nothing = [{ feature: [sae, 5], clamp: 3, positions: [10 ** 6] }]
  const same = async options => {
    const written = []
    for (const edits of [undefined, nothing]) {
      const streamed = []
      const generation = model.generate(text, { maxTokens: 12, seed: 3, ...options, edits })
      for await (const token of generation) streamed.push(token)
      const { timings: _, tokens, ...end } = await generation
      assert.deepEqual(tokens, streamed)
      written.push({ ...end, tokens })
    }
    assert.deepEqual(written[1], written[0])
    return written[0]
  }
  const { text: drawn } = await same({ topLogprobs: 2, temperature: 1.2, repetitionPenalty: 1.3, frequencyPenalty: 0.2 })
  assert.notEqual((await same({ seed: 4, temperature: 1.2 })).text, (await same({ seed: 5, temperature: 1.2 })).text)
  assert.equal((await same({ speculate: 'off', stop: [drawn.slice(9, 12), 'zzz'] })).finishReason !== 'context', true)
  assert.equal((await same({ temperature: 0, stop: [(await same({ temperature: 0 })).text.slice(6, 9)] })).finishReason, 'stop')
  assert.ok(['red', 'green'].includes((await same({ choices: ['red', 'green'] })).text))
  await same({ attention: { layers: [0], heads: [1] }, maxTokens: 4 })

  const edits = [{ feature: [sae, 5], clamp: 3 }]
  const room = model.info.contextLength - 2
  const long = Array.from({ length: room }, (_, index) => ids[index % ids.length])
  const full = await model.generate(long, { edits, temperature: 0, stopAtEnd: false })
  assert.deepEqual([full.finishReason, full.tokens.length], ['context', 3])
  const stopped = new AbortController()
  const aborted = model.generate(text, { edits, stopAtEnd: false, signal: stopped.signal })
  for await (const _ of aborted) stopped.abort()
  assert.equal((await aborted).finishReason, 'abort')
  const both = [1, 2].map(seed => model.generate(text, { edits, seed, maxTokens: 4 }))
  for (const [index, seed] of [1, 2].entries())
    assert.equal((await both[index]).text, (await model.generate(text, { edits, seed, maxTokens: 4 })).text)

  await rejectsWith('unsupported', /contextShift/, model.generate(text, { edits, contextShift: { keep: 2 } }))
  await rejectsWith(
    'unsupported',
    /choiceProbabilities/,
    model.generate(text, { edits, choices: ['a', 'b'], choiceProbabilities: true }),
  )
  const past = { edits: [{ ...edits[0], positions: [-99] }] }
  await rejectsWith('invalid-argument', /edits\[0\]: position -99 is out of range/, model.generate(text, past))
  const session = await model.session()
  await rejectsWith('unsupported', /a session/, session.generate(text, { edits }))
})

test('tokens that a feature raises and lowers are those of the head’s matrix', async () => {
  const sae = await model.loadFeatures(filesOf(cfg()))
  const { raw } = await model.featureEffect(sae, 2, { top: 2 })
  const name = await model.weights('output.weight', { rows: [0, 1] }).then(
    () => 'output.weight',
    () => 'token_embd.weight',
  )
  const direction = sae.direction(2)
  for (const { id, value } of [...raw.top, ...raw.bottom]) {
    const { data } = await model.weights(name, { rows: [id, id + 1] })
    assert.ok(Math.abs(data.reduce((sum, weight, i) => sum + weight * direction[i], 0) - value) < 1e-4)
  }
  assert.ok(raw.top[0].value >= raw.top[1].value && raw.bottom[0].value <= raw.bottom[1].value)
})

test('files that are damaged, contradict themselves, or are for another model', async () => {
  const load = (config, weights) => () => model.loadFeatures(filesOf(config, weights))
  const spoil = change => safetensors(tensors, header => change(header) ?? header)
  const cases = [
    ['invalid-file', /d_in is 7/, load(cfg({ d_in: 7 }))],
    ['invalid-argument', /has no resid_post\.99/, load(cfg({ metadata: { hook_name: 'blocks.99.hook_resid_post' } }))],
    ['invalid-file', /hook somewhere is not known/, load(cfg({ metadata: { hook_name: 'somewhere' } }))],
    ['unsupported', /the architecture temporal/, load(cfg({ architecture: 'temporal' }))],
    ['invalid-file', /k 25, which must be/, load(cfg({ architecture: 'topk', k: count + 1 }))],
    [
      'invalid-file',
      /no tensor W_dec/,
      load(
        cfg(),
        spoil(header => void delete header.W_dec),
      ),
    ],
    [
      'invalid-file',
      /overlaps/,
      load(
        cfg(),
        spoil(header => void (header.b_enc.data_offsets = header.threshold.data_offsets)),
      ),
    ],
    [
      'invalid-file',
      /outside the file/,
      load(
        cfg(),
        spoil(header => void (header.b_dec.data_offsets = [-4, 0])),
      ),
    ],
    [
      'invalid-file',
      /unknown dtype/,
      load(
        cfg(),
        spoil(header => void (header.b_dec.dtype = 'Q4')),
      ),
    ],
    [
      'invalid-file',
      /more elements than any file/,
      load(
        cfg(),
        spoil(header => void (header.b_dec.shape = [2 ** 50])),
      ),
    ],
    ['invalid-file', /outside the file/, load(cfg(), safetensors(tensors).subarray(0, -8))],
    ['invalid-file', /longer than the file/, load(cfg(), Buffer.alloc(64, 0xff))],
    ['invalid-file', /not a JSON object/, () => model.loadFeatures([new File(['[]'], 'cfg.json')])],
    ['invalid-file', /no sae_weights/, () => model.loadFeatures([new File([JSON.stringify(cfg())], 'cfg.json')])],
    [
      'invalid-file',
      /the archive has no end/,
      () => model.loadFeatures([new File(['no zip'], 'params.npz')], { hook: 'blocks.0.hook_resid_pre' }),
    ],
    ['invalid-argument', /expected a folder/, () => model.loadFeatures(7)],
  ]
  for (const [code, message, loading] of cases) await rejectsWith(code, message, loading)
  const nan = { ...tensors, b_dec: [[width], new Float32Array(width).fill(NaN)] }
  await rejectsWith('invalid-file', /not finite/, load(cfg(), safetensors(nan)))
})
