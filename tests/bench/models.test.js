// The benchmark's random models: every format loads and gives finite logits; mixes match llama.cpp's.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadModel } from 'heed'
import { costsOf } from '../../tools/bench/costs.mjs'
import { formats } from '../../tools/bench/models/formats.mjs'
import { ggufHeader } from '../../tools/bench/models/gguf.mjs'
import { writeModel } from '../../tools/bench/models/index.mjs'
import { shapes, tensorsOf } from '../../tools/bench/models/shapes.mjs'
import { towerCosts, towers, towerTensors, writePair } from '../../tools/bench/models/towers.mjs'

const folder = mkdtempSync(join(tmpdir(), 'heed-bench-'))
after(() => rmSync(folder, { recursive: true }))

for (const format of formats) {
  test(`gives finite, distinct logits: ${format}`, async () => {
    const path = join(folder, `${format}.gguf`)
    writeModel(path, 'tiny', format)
    const model = await loadModel(path)
    const { layers, width, vocabulary } = shapes.tiny
    const { info } = model
    assert.deepEqual([info.layers, info.width, info.vocabulary], [layers, width, vocabulary])
    const logits = await model.logits([1, 70, 300, 12])
    assert.ok(logits.every(Number.isFinite))
    assert.ok(new Set(logits).size > vocabulary / 2)
    assert.ok(Math.max(...logits.map(Math.abs)) < 100)
    await model.dispose()
  })
}

/** Small values for the fields of a shape; a shape only takes those for fields that it has. */
const small = {
  width: 256,
  layers: 4,
  heads: 4,
  kvHeads: 2,
  headDim: 64,
  feedForward: 512,
  vocabulary: 320,
  attending: [1, 3],
  ropeDims: 32,
  delta: { heads: 4, keyHeads: 2, dim: 64, taps: 4 },
  mamba: { heads: 8, dim: 64, groups: 1, state: 32, taps: 4 },
  localDim: 32,
  period: 2,
  sharing: 2,
  perLayer: 64,
  latent: { rank: 64, plain: 32, rotated: 32, value: 64 },
}

for (const [name, shape] of Object.entries(shapes).filter(([, { family }]) => family !== 'llama')) {
  test(`gives finite, distinct logits at a small size: ${name}`, async () => {
    const smaller = Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, small[key] ?? value]))
    if (shape.experts) smaller.experts = { ...shape.experts, count: 8, used: 2, feedForward: 256 }
    if (shape.family === 'olmoe') smaller.kvHeads = smaller.heads
    const path = join(folder, `${name}.gguf`)
    writeModel(path, name, 'q4_0', smaller)
    const model = await loadModel(path)
    const { info } = model
    assert.deepEqual([info.architecture, info.layers, info.vocabulary], [shape.family, 4, 320])
    const logits = await model.logits([1, 70, 300, 12])
    assert.ok(logits.every(Number.isFinite))
    assert.ok(new Set(logits).size > info.vocabulary / 2)
    assert.ok(Math.max(...logits.map(Math.abs)) < 100)
    await model.dispose()
    rmSync(path)
  })
}

const smallTower = { width: 64, layers: 2, heads: 4, feedForward: 112, image: 64, rows: 256 }

for (const [name, shape] of Object.entries(towers)) {
  test(`a pair reads an image: ${name}, at a small size`, async () => {
    const positions = shape.projector === 'gemma3' ? 256 : 16
    const image = shape.projector === 'gemma3' ? 16 * shape.patch : smallTower.image
    const more = shape.more.preproc_image_size ? { ...shape.more, preproc_image_size: ['u32', image] } : shape.more
    const paths = { model: join(folder, `${name}-text.gguf`), projector: join(folder, `${name}-mmproj.gguf`) }
    const smaller = { ...shape, ...smallTower, image, positions, more }
    writePair(paths, name, 'q8_0', smaller)
    const model = await loadModel(paths.model, { projector: paths.projector })
    const pixels = { width: 80, height: 60, data: Uint8Array.from({ length: 80 * 60 * 4 }, (_, at) => at % 251) }
    const {
      images: [{ patches }],
      states: [rows],
    } = await model.hidden([{ image: pixels }], { layers: [-1] })
    assert.ok(patches.length >= 2 && rows.every(Number.isFinite) && new Set(rows).size > rows.length / 2)
    const named = await model.tokenize(
      [...(smaller.control ?? [])].map(control => ({ control })),
      { addSpecial: false },
    )
    assert.equal(named.length, smaller.control.length)
    await model.dispose()
    for (const path of Object.values(paths)) rmSync(path)
  })
}

test('computes what a tower costs', () => {
  const { products, attention, activationBytes } = towerCosts(towers['gemma-3-4b'], [{ patches: 4096, rows: 256 }])
  assert.equal(products, 4096 * (27 * (4 * 1152 ** 2 + 2 * 1152 * 4304) + 588 * 1152) + 256 * 1152 * 2560)
  assert.equal(attention, 2 * 27 * 4096 ** 2 * 1152)
  assert.equal(activationBytes, 4 * 4096 * (2 * 1152 + 4608))
  const types = new Set(
    towerTensors(towers['gemma-3-4b'], 'q8_0')
      .filter(({ name }) => name.includes('ffn_down.weight'))
      .map(({ type }) => type),
  )
  assert.deepEqual([...types], ['f16'], 'rows of 4304 are no whole blocks')
})

test('writes the same file each time and leaves no other files', () => {
  const path = join(folder, 'again.gguf')
  writeModel(path, 'tiny', 'q4_k_m')
  assert.ok(readFileSync(path).equals(readFileSync(join(folder, 'q4_k_m.gguf'))))
  assert.deepEqual(
    readdirSync(folder).filter(name => !name.endsWith('.gguf')),
    [],
  )
})

test('leaves no partial file if writing fails', () => {
  const taken = join(folder, 'taken.gguf')
  mkdirSync(taken)
  assert.throws(() => writeModel(taken, 'tiny', 'q8_0'), { code: 'EISDIR' })
  assert.deepEqual(
    readdirSync(folder).filter(name => name.startsWith('taken')),
    ['taken.gguf'],
  )
})

test('removes the partial files of killed processes', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const left = join(folder, `half.gguf.partial-${pid}`)
  const atWork = join(folder, `other.gguf.partial-${process.ppid}`)
  for (const path of [left, atWork]) writeFileSync(path, '')
  writeModel(join(folder, 'next.gguf'), 'tiny', 'q8_0')
  assert.deepEqual([existsSync(left), existsSync(atWork)], [false, true])
})

test('writes the largest vocabulary', () => {
  const ids = Array.from({ length: shapes['0.5b'].vocabulary }, (_, id) => id)
  const lists = { a: ['string', ids.map(String)], b: ['f32', ids], c: ['u32', 7] }
  const header = ggufHeader(lists, [])
  const strings = ids.reduce((sum, id) => sum + 8 + String(id).length, 0)
  const pairs = 3 * 9 + (4 + 12 + strings) + (4 + 12 + 4 * ids.length) + (4 + 4)
  assert.equal(header.length, Math.ceil((24 + pairs) / 32) * 32)
})

/** Counts the tensors of a file by type. */
function countTypes(shape, format) {
  const counts = {}
  for (const { type } of tensorsOf(shapes[shape], format)) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

test('gives some layers more bits, like llama-quantize', () => {
  // Q6_K: attn_v and ffn_down of layers 0, 1, 4, 7, 10, 13, 14 and 15 of 16, and the output head.
  assert.deepEqual(countTypes('1.1b', 'q4_k_m'), { q4_k: 1 + 16 * 7 - 16, f32: 33, q6_k: 17 })
  assert.deepEqual(countTypes('1.24b', 'q4_k_m'), { q4_k: 16 * 7 - 16, f32: 33, q6_k: 17 })
})

test('uses other types for rows that are not a multiple of 256, like llama-quantize', () => {
  const counts = countTypes('135m', 'q4_k_m') // 576 columns; only ffn_down has 1536
  assert.deepEqual(Object.keys(counts).sort(), ['f32', 'q4_k', 'q5_0', 'q6_k', 'q8_0'])
  assert.equal(counts.q4_k + counts.q6_k, 30)
})

test('computes costs from the shape', () => {
  const { layerProducts, weightBytes, fileBytes } = costsOf(tensorsOf(shapes['1.1b'], 'q4_0'))
  assert.equal(layerProducts, 16 * (2048 * (2048 * 2 + 512 * 2) + 3 * 2048 * 8192))
  const norms = 33 * 2048 * 4
  assert.equal(fileBytes, ((layerProducts + 2 * 32000 * 2048) * 18) / 32 + norms)
  assert.equal(weightBytes, ((layerProducts + 32000 * 2048 + 2048) * 18) / 32 + norms)
  const olmoe = costsOf(tensorsOf(shapes['olmoe-1b-7b'], 'q4_0')) // 7 billion parameters, 1 billion of them active per token
  assert.equal(olmoe.layerProducts, 16 * 2048 * (4 * 2048 + 64 + 8 * 3 * 1024))
  assert.equal(costsOf(tensorsOf(shapes['granite-4-h-1b'], 'q4_0')).attending, 4)
  const tied = costsOf(tensorsOf(shapes['1.24b'], 'q8_0'))
  assert.equal(tied.weightBytes, tied.fileBytes + (2048 * 34) / 32)
})
