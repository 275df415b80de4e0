// Faults of a server, a disk or a user end in an error that names them or in a clean restart, never in a wrong model, and
// leave no broken entry in the list.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { defaultModelBytes, rejectsWith, withModel } from '../package/support.mjs'
import { blankModel, sha256 } from '../support/gguf_files.mjs'
import { randomFrom, useHub } from './support.mjs'

const stories = defaultModelBytes()
const other = Buffer.from(stories)
other[15e5] ^= 1
const use = useHub({ 'heed/stories': { 'stories.gguf': stories }, 'heed/small': { 'small.gguf': blankModel(4e5) } })
const source = 'hf:heed/stories/stories.gguf'
const sum = `sha256-${sha256(stories)}`
const address = () => use.hub.address('heed/stories', 'stories.gguf')

const faults = {
  "a flipped byte, by the hub's listing": {
    behavior: { flip: 15e5 },
    expected: [/SHA-256 is [\da-f]{64}, and should be [\da-f]{64}/],
  },
  'a flipped byte, by integrity': { behavior: { flip: 15e5 }, integrity: sum, expected: [/SHA-256/] },
  'a truncated file, by the listing': {
    behavior: { cut: 15e5 },
    expected: [new RegExp(`1500000 bytes, but its listed size is ${stories.length}`)],
  },
  'a truncated file, by its header': {
    behavior: { cut: 15e5 },
    byAddress: true,
    expected: [new RegExp(`ends after 1500000 of ${stories.length}`)],
  },
  'a truncated header': { behavior: { cut: 5e3 }, byAddress: true, expected: [/inside its header/] },
  'a page instead of the file': { behavior: { html: true }, byAddress: true, expected: [/HTML page/] },
  "a page instead of the hub's file": { behavior: { html: true }, expected: [/HTML page/] },
}
for (const [
  name,
  {
    behavior,
    byAddress,
    integrity,
    expected: [message],
  },
] of Object.entries(faults)) {
  test(`rejects ${name}`, async () => {
    const { hub, options } = use
    const asked = byAddress ? address() : source
    const load = { ...options, stallTimeout: 2000 }
    for (const call of [
      () => modelStore.download(asked, { ...load, integrity }),
      () => loadModel(asked, { ...load, integrity, cache: true }),
      () => loadModel(asked, { ...load, integrity }),
    ]) {
      Object.assign(hub.behavior, behavior)
      const error = await call().then(
        () => undefined,
        error => error,
      )
      assert.ok(error, 'it was taken')
      assert.match(error.code, /^(invalid-file|network)$/, error.message)
      assert.match(error.message, message)
      assert.deepEqual(await modelStore.list(), [])
      hub.behavior = {}
    }
    // afterwards the right file is downloaded
    assert.equal((await modelStore.download(asked, options)).sha256, sha256(stories))
  })
}

test('a wrong Content-Length gives the right file or an error', async () => {
  const { hub, options } = use
  for (const asked of [source, address()]) {
    for (const length of [1e5, -1e5]) {
      hub.behavior = { length }
      const load = { ...options, stallTimeout: 2000 }
      const outcome = await modelStore.download(asked, load).then(
        ({ sha256: is }) => is,
        error => error.code,
      )
      assert.match(outcome, new RegExp(`^(${sha256(stories)}|invalid-file|network)$`))
      for (const { complete, sha256: is } of await modelStore.list()) if (complete) assert.equal(is, sha256(stories))
      hub.behavior = {}
      assert.equal((await modelStore.download(asked, load)).sha256, sha256(stories))
      await modelStore.clear()
    }
  }
})

test('rejects another file at the same URL by its hash', async () => {
  const { hub } = use
  hub.put('heed/stories', 'stories.gguf', other)
  try {
    for (const cache of [false, true]) {
      await rejectsWith('invalid-file', /SHA-256/, () => loadModel(address(), { cache, integrity: sum }))
    }
    assert.deepEqual(await modelStore.list(), [])
  } finally {
    hub.put('heed/stories', 'stories.gguf', stories)
  }
})

test('checks files and bytes from the user, too', async () => {
  const sri = `sha256-${Buffer.from(sha256(stories), 'hex').toString('base64')}`
  await withModel(new File([stories], 'model.gguf'), { integrity: sri }, () => {})
  await withModel(stories, { integrity: sum }, () => {})
  const damaged = Buffer.from(stories)
  damaged[15e5] ^= 1
  await rejectsWith('invalid-file', /SHA-256/, () => loadModel(damaged, { integrity: sum }))
})

test('does not take a stored file for the one whose hash is given', async () => {
  const { hub } = use
  hub.put('heed/stories', 'stories.gguf', other)
  await modelStore.download(address())
  hub.put('heed/stories', 'stories.gguf', stories)
  await withModel(address(), { cache: true, integrity: sum }, () => {})
  assert.equal((await modelStore.list())[0].sha256, sha256(stories))
})

test('a stored file that was damaged is rejected, and downloaded again the next time', async () => {
  const { options } = use
  await modelStore.download(source, options)
  const path = join(
    process.env.HEED_MODELS,
    readdirSync(process.env.HEED_MODELS).find(name => name.endsWith('.gguf')),
  )
  const bytes = readFileSync(path)
  bytes.fill(0xff, 8, 16) // the number of tensors
  writeFileSync(path, bytes)
  await rejectsWith('invalid-file', /./, () => loadModel(source, { ...options, cache: true }))
  assert.deepEqual(await modelStore.list(), [])
  await withModel(source, { ...options, cache: true }, () => {})
  assert.equal((await modelStore.list())[0].sha256, sha256(stories))
})

test('a stored model that is read as another kind of file stays', async () => {
  const { source: imported } = await modelStore.import(new File([stories], 'fox.gguf'))
  const { source: downloaded } = await modelStore.download(address())
  await withModel(undefined, {}, async model => {
    for (const stored of [imported, downloaded]) {
      await rejectsWith('invalid-file', /adapter/, model.loadAdapter('a', stored))
      await rejectsWith('invalid-file', /./, model.controlVector(stored))
      assert.equal(await modelStore.has(stored), true, stored)
    }
  })
  await withModel(imported, {}, () => {})
})

test('a damaged model that was imported, or has no listed checksum, is removed when it is rejected', async () => {
  const { source: imported } = await modelStore.import(new File([stories], 'fox.gguf'))
  const { source: downloaded } = await modelStore.download(address())
  for (const name of readdirSync(process.env.HEED_MODELS).filter(name => name.endsWith('.gguf'))) {
    const path = join(process.env.HEED_MODELS, name)
    const bytes = readFileSync(path)
    bytes.fill(0xff, 8, 16) // the number of tensors
    writeFileSync(path, bytes)
  }
  for (const stored of [imported, downloaded]) {
    assert.equal(await modelStore.has(stored), true)
    await rejectsWith('invalid-file', /./, () => loadModel(stored))
    assert.equal(await modelStore.has(stored), false)
  }
  assert.deepEqual(await modelStore.list(), [])
})

/** `npm run test:all` sets 200, which take two minutes. */
const randomFaults = Number(process.env.HEED_STORE_FAULTS ?? 40)

/** Truncates a random file of the store, or flips one of its bits. */
function damage(random) {
  const folder = process.env.HEED_MODELS
  const names = readdirSync(folder)
  if (names.length === 0) return 'nothing'
  const path = join(folder, names[Math.floor(random() * names.length)])
  const bytes = readFileSync(path)
  const at = Math.floor(random() * bytes.length)
  if (random() < 0.5) {
    truncateSync(path, at)
  } else if (bytes.length > 0) {
    bytes[at] ^= 1 << Math.floor(random() * 8)
    writeFileSync(path, bytes)
  }
  return path
}

test(`after each of ${randomFaults} random faults, the file is right`, { timeout: 300_000 }, async () => {
  const { hub, options } = use
  const random = randomFrom(200)
  const load = { ...options, stallTimeout: 500 }
  const small = 'hf:heed/small/small.gguf'
  const right = hub.sum('heed/small', 'small.gguf')
  const size = blankModel(4e5).length
  const position = () => Math.floor(random() * size)
  const kinds = [
    () => {
      hub.behavior = { flip: position() }
    },
    () => {
      hub.behavior = { cut: position() }
    },
    () => {
      hub.behavior = { length: Math.floor(random() * 1e4) + 1 }
    },
    () => {
      hub.behavior = { html: true }
    },
    () => {
      hub.behavior = { gzip: true }
    },
    () => {
      hub.behavior = { ranges: false }
    },
    () => {
      hub.breaks = Array.from({ length: 8 }, () => ({ at: position(), how: random() < 0.5 ? 'reset' : 'end' }))
    },
    () => {
      hub.refusals = [{ status: [403, 404, 410, 500, 503][Math.floor(random() * 5)], from: random() < 0.5 ? 'hub' : 'storage' }]
    },
    () => damage(random),
  ]
  const outcomes = {}
  for (let fault = 0; fault < randomFaults; fault++) {
    kinds[Math.floor(random() * kinds.length)]()
    const outcome = await modelStore.download(small, load).then(
      ({ sha256: sum }) => (sum === right ? 'right' : 'wrong'),
      error => error.code,
    )
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    assert.match(outcome, /^(right|invalid-file|network|invalid-argument)$/)
    Object.assign(hub, { behavior: {}, breaks: [], refusals: [] })
    for (const { complete, sha256: sum } of await modelStore.list()) if (complete) assert.equal(sum, right)
    const { sha256: sum } = await modelStore.download(small, options)
    assert.equal(sum, right, `after fault ${fault}`)
    if (random() < 0.6) await modelStore.delete(small, options)
  }
  assert.ok(outcomes.right > randomFaults / 10 && Object.keys(outcomes).length > 1, JSON.stringify(outcomes))
})
