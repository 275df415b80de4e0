// Collections, probes, comparisons, weights, and the words that others have for points.
import assert from 'node:assert/strict'
import { open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { compareModels, loadModel } from 'heed'
import { rejectsWith } from './support.mjs'

const texts = ['Once upon a time', 'A small cat sat.', 'The sun was warm and the fox']
let model
before(async () => {
  model = await loadModel()
})
after(() => model.dispose())

/** The rows of all tokens of all texts at a point. */
const rowsAt = async point => {
  const traces = await Promise.all(texts.map(text => model.trace(text, { points: [point] })))
  return traces.flatMap(({ tensors: [{ data, shape }] }) =>
    Array.from({ length: shape[0] }, (_, row) => data.slice((row * data.length) / shape[0], ((row + 1) * data.length) / shape[0])),
  )
}
const floats = bytes => new Float32Array(bytes.slice().buffer)

function readNpy(bytes) {
  const length = bytes[8] + 256 * bytes[9]
  const header = new TextDecoder().decode(bytes.subarray(10, 10 + length))
  assert.equal((10 + length) % 64, 0)
  assert.ok(header.endsWith('\n'))
  const [, descr] = /'descr': '(.*?)'/.exec(header)
  const shape = /\((.*?)\)/.exec(header)[1].split(',').filter(Boolean).map(Number)
  return { descr, shape, data: bytes.subarray(10 + length) }
}

test('rows of a .npy file are those of the texts, in order, also through a stream', async () => {
  const rows = await rowsAt('resid.1')
  const { file, rows: count, points } = await model.collect(texts, { points: ['resid.1'], to: 'npy' })
  const { descr, shape, data } = readNpy(file)
  assert.deepEqual([descr, shape, count], ['<f4', [rows.length, model.info.width], rows.length])
  assert.deepEqual(points, [{ point: 'resid.1', width: model.info.width }])
  assert.deepEqual(floats(data), Float32Array.from(rows.flatMap(row => [...row])))
  const parts = []
  const to = new WritableStream({ write: part => void parts.push(part) })
  await model.collect(texts, { points: ['resid.1'], to })
  assert.deepEqual(Buffer.concat(parts), Buffer.from(file))
  to.getWriter()
  await assert.rejects(model.collect(texts, { points: ['resid.1'], to }), { code: 'invalid-argument', message: /locked/ })
  const halves = readNpy((await model.collect(texts, { points: ['resid.1'], to: 'npy', type: 'float16' })).file)
  assert.equal(halves.descr, '<f2')
  assert.equal(halves.data.length, data.length / 2)
})

test('several points with texts and positions, as safetensors and npz; last tokens, and chosen ones', async () => {
  const { file } = await model.collect(texts, { points: ['resid.1', 'head.0'], positions: [0, -1], to: 'safetensors' })
  const length = Number(new DataView(file.buffer).getBigUint64(0, true))
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)))
  assert.deepEqual(Object.keys(header), ['resid.1', 'head.0', 'text', 'position'])
  const part = name => file.subarray(8 + length + header[name].data_offsets[0], 8 + length + header[name].data_offsets[1])
  assert.deepEqual([...new Int32Array(part('text').slice().buffer)], [0, 0, 1, 1, 2, 2])
  const { tensors } = await model.trace(texts[1], { points: ['head.0'], positions: [-1] })
  const size = model.info.heads * model.info.headDim
  assert.deepEqual(floats(part('head.0')).slice(3 * size, 4 * size), tensors[0].data.slice())
  const zip = (await model.collect(texts, { points: ['resid.1'], positions: 'last', to: 'npz' })).file
  const view = new DataView(zip.buffer)
  assert.equal(view.getUint32(0, true), 0x04034b50)
  const start = 30 + view.getUint16(26, true)
  const member = zip.subarray(start, start + view.getUint32(22, true))
  assert.equal(crc32(member), view.getUint32(14, true))
  assert.deepEqual(readNpy(member).shape, [texts.length, model.info.width])
  const [token] = await model.tokenize(' the', { addSpecial: false })
  const chosen = await model.collect(texts, { points: ['resid.1'], tokens: [token], to: 'npy' })
  const ids = await Promise.all(texts.map(text => model.tokenize(text)))
  assert.equal(chosen.rows, ids.flat().filter(id => id === token).length)
})

test('an interrupted collection goes on in its file, with its sums', async () => {
  const path = join(tmpdir(), `heed-${process.pid}.npz`)
  const options = { points: ['resid.0', 'mlp.1.out'], as: 'npz' }
  try {
    const whole = await model.collect(texts, { ...options, to: 'npz' })
    const controller = new AbortController()
    const file = await open(path, 'w+')
    let state
    const onProgress = progress => {
      state = structuredClone(progress.state)
      controller.abort()
    }
    await rejectsWith('aborted', /./, model.collect(texts, { ...options, to: file, onProgress, signal: controller.signal }))
    assert.equal(state.texts, 1)
    await model.collect(texts, { ...options, to: file, resume: state })
    await file.close()
    assert.deepEqual(await readFile(path), Buffer.from(whole.file))
  } finally {
    await rm(path, { force: true })
  }
})

test('means and covariances are those of all rows at once', async () => {
  const rows = await rowsAt('resid.2')
  const [{ count, mean, covariance }] = (await model.collect(texts, { points: ['resid.2'], statistics: 'covariance' })).statistics
  const width = model.info.width
  assert.equal(count, rows.length)
  const naive = Float64Array.from({ length: width }, (_, index) => rows.reduce((sum, row) => sum + row[index], 0) / count)
  for (let i = 0; i < width; i++) assert.ok(Math.abs(mean[i] - naive[i]) < 1e-9 * (1 + Math.abs(naive[i])))
  for (const [i, j] of [
    [0, 0],
    [3, 5],
    [5, 3],
    [width - 1, 2],
  ]) {
    const sum = rows.reduce((all, row) => all + (row[i] - naive[i]) * (row[j] - naive[j]), 0) / (count - 1)
    assert.ok(Math.abs(covariance[i * width + j] - sum) < 1e-9 * (1 + Math.abs(sum)))
  }
  assert.deepEqual((await model.means(texts, { points: ['resid.2'] }))[0].mean, mean)
})

test('a probe tells texts apart, and is at the optimum of its loss', async () => {
  const glad = ['What a joy!', 'I love it.', 'She was happy.'],
    sad = ['What a pity!', 'I hate it.', 'He was sad.']
  const found = await model.probe(glad, sad, { point: 'resid.2', l2: 0.5 })
  assert.equal(found.accuracy, 1)
  assert.ok(Math.abs(found.direction.reduce((sum, one) => sum + one * one, 0) - 1) < 1e-5)
  const values = await Promise.all(
    [...glad, ...sad].map(async text => (await model.trace(text, { points: ['resid.2'], positions: [-1] })).tensors[0].data),
  )
  const gradient = found.weights.map(weight => 0.5 * weight)
  values.forEach((value, index) => {
    const sign = index < glad.length ? 1 : -1
    const pull = -sign / (1 + Math.exp(sign * found.score(value)))
    gradient.forEach((_, at) => (gradient[at] += pull * value[at]))
  })
  assert.ok(Math.max(...gradient.map(Math.abs)) < 1e-6)
  await rejectsWith('invalid-argument', /each list needs a text/, model.probe([], sad, { point: 'resid.2' }))
})

test('a model is as it is: compared to itself, nothing differs', async () => {
  const { texts: compared, meanKl, agreement, residual } = await compareModels(model, model, texts)
  assert.deepEqual([meanKl, agreement], [0, 1])
  assert.deepEqual(residual, Array(model.info.layers + 1).fill(0))
  assert.deepEqual(
    compared.map(({ kl, tokens }) => kl.length === tokens.length),
    texts.map(() => true),
  )
})

test('weights by their names: the row of a token is what enters the first layer', async () => {
  const ids = await model.tokenize(texts[0])
  const { shape } = await model.weights('token_embd.weight', { rows: [0, 1] })
  assert.deepEqual(shape, [1, model.info.width])
  const { data } = await model.weights('token_embd.weight', { rows: [ids[1], ids[1] + 1] })
  const { tensors } = await model.trace(ids, { points: ['embed'], positions: [1] })
  assert.deepEqual(data.slice(), tensors[0].data.slice())
  const norm = await model.weights('output_norm.weight')
  assert.deepEqual(norm.shape, [model.info.width])
  await rejectsWith('invalid-argument', /nothing\.weight is no tensor/, model.weights('nothing.weight'))
  await rejectsWith('invalid-argument', /beyond the/, model.weights('output_norm.weight', { rows: [0, 99] }))
})

test('points have TransformerLens’s names, too, and norms add up', async () => {
  const names = ['blocks.1.hook_resid_mid', 'blocks.1.ln2.hook_normalized', 'blocks.1.ln2.hook_scale', 'mlp_norm.1', 'resid_pre.0']
  const { tensors } = await model.trace(texts[0], { points: names, positions: [1] })
  assert.deepEqual(
    tensors.map(({ point }) => point),
    ['resid.1.mid', 'mlp.1.normalized', 'mlp.1.scale', 'mlp.1.in', 'embed'],
  )
  const [mid, normalized, scale, normed] = tensors.map(({ data }) => data)
  const { data: weight } = await model.weights('blk.1.ffn_norm.weight')
  mid.forEach((value, index) => {
    assert.ok(Math.abs(value / scale[0] - normalized[index]) < 1e-5)
    assert.ok(Math.abs(normalized[index] * weight[index] - normed[index]) < 1e-4)
  })
  const twoNames = await model.trace(texts[0], {
    points: ['resid_pre.1', 'embed', 'resid_post.0', 'resid_pre.0'],
    positions: [1, 2],
  })
  assert.deepEqual(
    twoNames.tensors.map(({ point }) => point),
    ['resid.0', 'embed', 'resid.0', 'embed'],
  )
  const [before, embedded, after, first] = twoNames.tensors.map(({ data, shape }) => [shape, ...data])
  assert.deepEqual([before, first], [after, embedded])
  assert.notDeepEqual(before, first)
  const edits = [{ at: 'final.scale', replace: [1] }]
  const [plain, held] = [
    await model.trace(texts[0], { points: ['final.scale'] }),
    await model.trace(texts[0], { points: ['final.scale'], edits }),
  ]
  assert.ok(plain.tensors[0].data.some(value => value !== 1))
  assert.ok(held.tensors[0].data.every(value => value === 1))
})

test('a difference of two logits is the difference of their parts', async () => {
  const parts = token => model.attribute(texts[0], { token })
  const [a, b] = [await parts(5), await parts(9)]
  const both = await model.attribute(texts[0], { token: 5, against: 9 })
  assert.deepEqual([both.token.id, both.against.id], [5, 9])
  assert.ok(Math.abs(both.logit - (a.logit - b.logit)) < 1e-6)
  assert.ok(Math.abs(both.sum - both.beforeCap) < 1e-6)
  both.heads.forEach((heads, layer) =>
    heads.forEach((part, head) => assert.ok(Math.abs(part - (a.heads[layer][head] - b.heads[layer][head])) < 1e-9)),
  )
})
