// The gates of recurrent layers, compared with intermediate results of llama.cpp.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { needsShared, rejectsWith, sharedFile, withModel } from './support.mjs'

const oracle = (...parts) => sharedFile('oracle26', ...parts)
const json = name => JSON.parse(readFileSync(oracle('ref', name), 'utf8'))
const near = (actual, expected, what) => {
  assert.ok(Math.abs(actual - expected) <= 1e-5 * Math.max(1, Math.abs(expected)), `${what}: ${actual}, and not ${expected}`)
}

test('decay and write gates match llama.cpp, for each head and token', needsShared, () =>
  withModel(oracle('models/qwen35.gguf'), {}, async model => {
    const trace = json('qwen35.trace.json')
    const { layers, decay, write, tokens } = await model.gates(json('qwen35.json').tokens)
    assert.deepEqual(layers, model.info.recurrentLayers)
    assert.ok(layers.length > 0 && layers.length < model.info.layers)
    for (const [index, layer] of layers.entries()) {
      const gates = { gate: decay[index].map(head => head.map(Math.log)), beta_sigmoid: write[index] }
      for (const [name, heads] of Object.entries(gates)) {
        const { mean, first, last } = trace.find(node => node.name === `${name}-${layer}`)
        assert.equal(heads.length, first.length)
        heads.forEach((values, head) => {
          assert.equal(values.length, tokens.length)
          near(values[0], first[head], `${name}-${layer}, head ${head}, the first token`)
          near(values.at(-1), last[head], `${name}-${layer}, head ${head}, the last token`)
        })
        const all = heads.flatMap(values => [...values])
        near(all.reduce((sum, value) => sum + value, 0) / all.length, mean, `the mean of ${name}-${layer}`)
      }
    }
  }),
)

test('selects layers, in any order; supports Mamba 2', needsShared, () =>
  withModel(oracle('models/mamba2.gguf'), {}, async model => {
    const whole = await model.gates('the fox and the hen')
    assert.deepEqual(whole.layers, [...Array(model.info.layers).keys()])
    assert.equal(whole.decay[0].length, model.info.recurrentHeads)
    assert.ok(whole.decay.flat().every(values => values.every(value => value > 0 && value < 1)))
    assert.ok(whole.write.flat().every(values => values.every(value => value > 0)))
    const part = await model.gates('the fox and the hen', { layers: [2, 0] })
    assert.deepEqual(part, {
      ...whole,
      layers: [2, 0],
      decay: [2, 0].map(i => whole.decay[i]),
      write: [2, 0].map(i => whole.write[i]),
    })
    await rejectsWith('invalid-argument', /layers: 9 is out of range/, model.gates('the fox', { layers: [9] }))
    await rejectsWith('invalid-argument', /gates has no option "heads"/, model.gates('the fox', { heads: [0] }))
  }),
)

test('rejects a model without recurrent layers', async () => {
  const model = await loadModel()
  assert.deepEqual(model.info.recurrentLayers, [])
  await rejectsWith('unsupported', /has no recurrent layers/, model.gates('the fox'))
  await model.dispose()
})

test('points of recurrent layers in the words of TransformerLens: by token and head', needsShared, () =>
  withModel(oracle('models/qwen35.gguf'), {}, async model => {
    const { tokens: ids } = json('qwen35.json')
    const words = ['beta.0', 'log_decay.0', 'q.0', 'k.0', 'v.0', 'recurrence.0', 'attn_gate.0', 'z_gated.0']
    const tensors = []
    for (const word of words) tensors.push(...(await model.trace(ids, { points: [word] })).tensors)
    const [beta, logDecay, ...others] = tensors
    const { decay, write } = await model.gates(ids, { layers: [0] })
    const heads = decay[0].length
    for (const { axes, shape } of [beta, logDecay]) {
      assert.deepEqual(axes, ['token', 'head'])
      assert.deepEqual(shape, [ids.length, heads])
    }
    for (let at = 0; at < ids.length * heads; at++) {
      const [token, head] = [Math.floor(at / heads), at % heads]
      assert.equal(beta.data[at], write[0][head][token])
      assert.equal(logDecay.data[at], Math.fround(Math.log(decay[0][head][token])))
    }
    for (const { point, shape, data } of others) {
      assert.equal(shape[0], ids.length, point)
      assert.ok(data.some(value => value !== 0) && data.every(Number.isFinite), point)
    }
  }),
)
