// Files larger than 2^31 and 2^32 bytes. Tests that transfer them completely are slow, and run only if HEED_DOWNLOAD_MB is set.
import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { modelStore } from 'heed'
import { ggufHeader } from '../../tools/bench/models/gguf.mjs'
import { defaultModelBytes, hash, rejectsWith, withModel } from '../package/support.mjs'
import { stretchModel } from '../support/gguf_files.mjs'
import { useHub } from './support.mjs'

const folder = mkdtempSync(join(tmpdir(), 'heed-large-'))
after(() => rmSync(folder, { recursive: true }))
const logits = async model => hash(await model.logits([1, 5, 9], { positions: 'all' }))

/** The default model with a hole in the middle, as a sparse file that takes no disk space there. */
function sparseModel(gap) {
  const { before, after: rest, at } = stretchModel(defaultModelBytes(), gap)
  const path = join(folder, `${gap}.gguf`)
  const file = openSync(path, 'w')
  writeSync(file, before)
  writeSync(file, rest, 0, rest.length, at)
  closeSync(file)
  return { path, size: at + rest.length }
}

/** A virtual file of at least `bytes` bytes: a header, and zeros. */
function vast(bytes) {
  const columns = Math.ceil(bytes / 4096)
  const header = ggufHeader({ 'general.architecture': ['string', 'llama'] }, [
    { name: 'zeros', shape: [1024, columns], type: 'f32', bytes: columns * 4096 },
  ])
  const size = header.length + columns * 4096
  const read = (at, length) => {
    const piece = Buffer.alloc(Math.min(length, size - at))
    if (at < header.length) header.copy(piece, 0, at)
    return piece
  }
  return { size, read, sha256: 'f'.repeat(64) }
}

const files = { 'two.gguf': vast(2 ** 31 + 5e6), 'four.gguf': vast(2 ** 32 + 5e6) }
const use = useHub({ 'heed/large': files })

test('reads a model whose last tensor is beyond 2^32 bytes', async () => {
  const expected = await withModel(undefined, {}, logits)
  const { path, size } = sparseModel(2 ** 32 + 32)
  const read = await withModel(path, {}, async model => {
    assert.equal(model.info.fileBytes, size)
    return logits(model)
  })
  assert.equal(read, expected)
})

for (const [name, { size }] of Object.entries(files)) {
  test(`pauses a download of ${size} bytes`, async () => {
    const { options } = use
    const controller = new AbortController()
    const totals = new Set()
    await rejectsWith('aborted', /./, () =>
      modelStore.download(`hf:heed/large/${name}`, {
        ...options,
        signal: controller.signal,
        onProgress({ phase, total, loaded }) {
          if (phase === 'download') totals.add(total)
          if (loaded > 1e7) controller.abort()
        },
      }),
    )
    assert.deepEqual([...totals], [size])
    const [model] = await modelStore.list()
    assert.equal(model.total, size)
    assert.ok(model.bytes > 5e6 && !model.complete)
  })
}

const slow = { skip: process.env.HEED_DOWNLOAD_MB ? false : 'HEED_DOWNLOAD_MB is not set', timeout: 600_000 }

test('stores a model whose last tensor is beyond 2^32 bytes', slow, async () => {
  const { path, size } = sparseModel(2 ** 32 + 64)
  const file = openSync(path)
  const read = (at, length) => {
    const piece = Buffer.alloc(Math.min(length, size - at))
    readSync(file, piece, 0, piece.length, at)
    return piece
  }
  use.hub.put('heed/large', 'sparse.gguf', { size, read, sha256: 'e'.repeat(64) })
  const address = use.hub.address('heed/large', 'sparse.gguf')
  const expected = await withModel(undefined, {}, logits)
  for (let load = 0; load < 2; load++) assert.equal(await withModel(address, { cache: true }, logits), expected)
  closeSync(file)
  const [model] = await modelStore.list()
  assert.deepEqual([model.bytes, model.complete], [size, true])
  assert.ok(use.hub.served <= 1.02 * size, `${use.hub.served} bytes were sent`)
})

test('resumes beyond 2^31 and 2^32 bytes', slow, async () => {
  const { hub } = use
  hub.breaks = [
    { at: 2 ** 31 + 12345, how: 'reset' },
    { at: 2 ** 32 + 54321, how: 'end' },
  ]
  const model = await modelStore.download(hub.address('heed/large', 'four.gguf'))
  assert.equal(model.bytes, files['four.gguf'].size)
  assert.equal(model.complete, true)
  assert.ok(hub.served <= 1.02 * model.bytes + 2 * 2 ** 20, `${hub.served} bytes were sent`)
})
