// Storing in a browser's private window: handles that return an error's number instead of throwing, here from a stand-in.
// tests/browser/private.test.js uses Chromium's own.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { blankModel, sha256 } from '../support/gguf_files.mjs'
import { startHub } from '../support/hub/index.mjs'
import { numberOf, privateStore } from '../support/private_files.mjs'

const model = blankModel(4e6)
const other = blankModel(3e6, 2)
const { store, files, fail } = privateStore()
let hub, url

before(async () => {
  hub = await startHub({ 'heed/noise': { 'noise.gguf': model } })
  url = hub.address('heed/noise', 'noise.gguf')
})
afterEach(() => {
  fail()
  files.clear()
  hub.served = 0
  hub.breaks = []
})
after(() => hub.close())

const notices = []
const report = {
  update({ notice }) {
    if (notice) notices.push(notice)
  },
  end() {},
}
const access = { openFile: async ({ bytes }) => fileOf(bytes) }
const fileOf = bytes => ({ name: 'noise.gguf', size: bytes.length, read: (at, place) => bytes.copy(place, 0, at), close() {} })
const outcome = promise =>
  promise.then(
    value => value,
    ({ code, message }) => (code ? `${code}: ${message}` : `untyped: ${message}`),
  )
const run = task => outcome(store.run(task, access, report))
const importing = (bytes = model) => run({ task: 'import', name: 'noise.gguf', source: { kind: 'set', parts: [{ bytes }] } })
const downloading = () => run({ task: 'download', request: { source: { kind: 'url', url }, cache: true } })
const listed = async () => (await run({ task: 'list' })).map(({ complete, sha256: sum }) => complete && sum)

/** The bytes that a load gets, or its error. */
const loading = source =>
  outcome(
    (async () => {
      const file = await store.open({ source, cache: source.kind === 'url' }, access, report)
      try {
        const whole = Buffer.alloc(5e6)
        let loaded = 0
        for (let count; (count = await file.read(loaded, whole.subarray(loaded, loaded + 1e6))) > 0; loaded += count) {
          assert.ok(count <= 1e6, `${count} bytes were read into 1000000`)
        }
        await file.complete?.(loaded)
        return sha256(whole.subarray(0, loaded))
      } finally {
        await file.close()
      }
    })(),
  )

const full = () => new DOMException('full', 'QuotaExceededError')
const writes = {
  'no space, as a number': [() => ['write', 2e6, numberOf.noSpace], 'out-of-space'],
  'no space at once': [() => ['write', 0, numberOf.noSpace], 'out-of-space'],
  'no space, thrown': [() => ['write', 2e6, full()], 'out-of-space'],
  'half of the bytes written': [() => ['write', 2e6, 'short'], 'out-of-space'],
  'a deleted file, as a number': [() => ['write', 2e6, numberOf.notFound], 'io'],
  'an error of the disk, as a number': [() => ['write', 2e6, numberOf.io], 'io'],
  'a count that is no number': [() => ['write', 2e6, NaN], 'io'],
}
const growths = {
  'no space to grow, in silence': [() => ['truncate', 2e6, 'nothing'], 'out-of-space'],
  'no space to grow, thrown': [() => ['truncate', 2e6, full()], 'out-of-space'],
}

for (const [name, [failing, code]] of Object.entries({ ...writes, ...growths })) {
  if (name in writes)
    test(`an import that meets ${name}: ${code}, and the earlier model stays`, async () => {
      await importing(other)
      fail(...failing())
      assert.match(await importing(), new RegExp(`^${code}: `))
      assert.deepEqual(await listed(), [sha256(other)])
      fail()
      assert.equal((await importing()).sha256, sha256(model))
      assert.deepEqual(await listed(), [sha256(model)])
    })

  test(`a download that meets ${name}: ${code}, and the next one is right`, async () => {
    fail(...failing())
    assert.match(await downloading(), new RegExp(`^${code}: `))
    assert.deepEqual(
      (await listed()).filter(sum => sum),
      [],
    )
    fail()
    assert.equal((await downloading()).sha256, sha256(model))
  })

  test(`a load that cannot be stored, as it meets ${name}: every byte, and a notice`, async () => {
    notices.length = 0
    fail(...failing())
    assert.equal(await loading({ kind: 'url', url }), sha256(model))
    assert.equal(notices.length, 1)
    assert.match(notices[0], /^Not stored: /)
    assert.deepEqual(await listed(), [])
  })
}

const reads = { 'a number for a deleted file': numberOf.notFound, 'a number for the disk': numberOf.io, 'an error': full() }
for (const [name, how] of Object.entries(reads)) {
  test(`a stored model whose reads give ${name}: \`io\`, and it loads afterwards`, async () => {
    await importing()
    fail('read', 2e6, how)
    assert.match(
      await loading({ kind: 'stored', source: 'store:noise.gguf' }),
      /^io: noise\.gguf: the store's file cannot be read: /,
    )
    fail()
    assert.equal(await loading({ kind: 'stored', source: 'store:noise.gguf' }), sha256(model))
  })

  test(`a download that is resumed and whose reads give ${name} is loaded without being stored`, async () => {
    hub.breaks = [
      {
        at: 3e6,
        how: () => {
          hub.refusals = [{ status: 404 }]
        },
      },
      { at: 3e6, how: 'end' },
    ]
    assert.match(await downloading(), /^network: .*404/)
    notices.length = 0
    fail('read', 0, how)
    assert.equal(await loading({ kind: 'url', url }), sha256(model))
    assert.match(notices.join(), /^Not stored: /)
  })
}

test('two imports at once, of which one has no space: it fails, the other is whole', async () => {
  fail('write', 3.5e6, numberOf.noSpace)
  const [first, second] = await Promise.all([
    importing(),
    run({ task: 'import', name: 'other.gguf', source: { kind: 'set', parts: [{ bytes: other }] } }),
  ])
  assert.match(first, /^out-of-space: /)
  assert.equal(second.sha256, sha256(other))
  assert.deepEqual(await listed(), [sha256(other)])
})
