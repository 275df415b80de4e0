// A collection over many short texts: the memory that it takes does not grow with them, and one that was aborted twice has the same bytes.
// HEED_COLLECT_TEXTS is their number.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadModel } from 'heed'

const count = Number(process.env.HEED_COLLECT_TEXTS ?? 400)
const texts = Array.from({ length: count }, (_, index) =>
  Array.from({ length: 8 + (index % 5) }, (_, at) => 300 + ((31 * index + 17 * at) % 1500)),
)
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

const folder = mkdtempSync(join(tmpdir(), 'heed-collect-'))
let model
before(async () => {
  model = await loadModel()
})
after(async () => {
  await model.dispose()
  rmSync(folder, { recursive: true })
})

/** Writes the file, up to `stopAt` texts; resolves to the state from which it can go on. */
async function collect(name, { flags = 'w+', resume, stopAt, watch = () => {} } = {}) {
  const file = await open(join(folder, name), flags)
  const controller = new AbortController()
  let last
  try {
    await model.collect(texts, {
      points: ['resid.5', 'mlp.3.out'],
      to: file,
      as: 'safetensors',
      resume,
      signal: controller.signal,
      onProgress: ({ done, state }) => {
        last = state
        watch(done)
        if (done === stopAt) controller.abort()
      },
    })
    assert.equal(stopAt, undefined)
  } catch (error) {
    assert.equal(error.code, 'aborted')
  } finally {
    await file.close()
  }
  return structuredClone(last)
}

const digest = name =>
  createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')

test(`${count} texts: constant memory, and the same bytes after two aborts`, async () => {
  const megabytes = []
  await collect('whole', {
    watch: done => {
      if (done % (count / 20) !== 0) return
      collectGarbage()
      megabytes.push(process.memoryUsage.rss() / 1e6)
    },
  })
  const later = megabytes.slice(2) // once everything is loaded
  assert.ok(Math.max(...later) - later[0] < 10, `${megabytes.map(Math.round)} MB`)
  const first = await collect('parts', { stopAt: Math.floor(0.37 * count) })
  const second = await collect('parts', { flags: 'r+', resume: first, stopAt: Math.floor(0.71 * count) })
  await collect('parts', { flags: 'r+', resume: second })
  assert.equal(digest('parts'), digest('whole'))
})
