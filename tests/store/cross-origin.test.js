// Cross-Origin Storage, in place of the site's own store. The engine runs in this thread, which has a stand-in for the browser's; Node
// has no location and fetches no files, so this test gives it both.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { defaultModelBytes, rejectsWith } from '../package/support.mjs'
import { CrossOriginStorage } from '../support/cross_origin_storage.mjs'
import { sha256, splitModel } from '../support/gguf_files.mjs'
import { startHub } from '../support/hub/index.mjs'

const stories = defaultModelBytes()
const parts = splitModel(stories, 3, 'stories-Q5_K_M')
const { fetch, MessageChannel } = globalThis
/** Channels keep the process alive; the engine's own channel stays open for the next model. */
const channels = []
let hub, loadModel, storage

before(async () => {
  hub = await startHub({ 'heed/stories': { 'stories-Q8_0.gguf': stories, ...parts } })
  globalThis.location = new URL('http://localhost/')
  globalThis.fetch = async (address, options) =>
    String(address).startsWith('file:') ? new Response(readFileSync(fileURLToPath(String(address)))) : fetch(address, options)
  globalThis.MessageChannel = class extends MessageChannel {
    constructor() {
      super()
      channels.push(this)
    }
  }
  ;({ loadModel } = await import('heed/in-thread'))
})
after(async () => {
  for (const { port1 } of channels) port1.close()
  globalThis.fetch = fetch
  delete globalThis.location
  await hub.close()
})
if (!globalThis.navigator) globalThis.navigator = {} // Node 20 has none
beforeEach(() => {
  storage = new CrossOriginStorage()
  Object.defineProperty(globalThis.navigator, 'crossOriginStorage', { value: storage, configurable: true })
})
afterEach(() => {
  delete globalThis.navigator.crossOriginStorage
  Object.assign(hub, { requests: [], served: 0, breaks: [] })
})

/** Loads a model and lets it write; resolves to {text, notices}. */
async function write(source, options = {}) {
  const notices = []
  const onProgress = ({ notice }) => notice && notices.push(notice)
  const given = { crossOriginStorage: true, hub: { endpoint: hub.endpoint }, threads: 1, onProgress, ...options }
  const model = await loadModel(source, given)
  const { text } = await model.generate('Once', { maxTokens: 5, seed: 1 })
  await model.dispose()
  return { text, notices }
}
const name = 'hf:heed/stories:Q8_0'

test('a download is written for all sites, and the next load reads it from there', async () => {
  const first = await write(name, { cache: true })
  assert.deepEqual(first.notices, [])
  assert.equal(hub.served, stories.length)
  assert.deepEqual([...storage.entries.keys()], [sha256(stories)])
  assert.deepEqual(storage.asked, [{}, { create: true, origins: '*' }])
  hub.served = 0
  assert.deepEqual(await write(name), first)
  assert.equal(hub.served, 0)
  const integrity = `sha256-${sha256(stories)}`
  hub.requests = []
  assert.deepEqual(await write('http://localhost/none.gguf', { integrity }), first) // another site's address of the same file
  assert.deepEqual(hub.requests, [])
})

test('every part of a split model is a file there', async () => {
  const { text } = await write('hf:heed/stories:Q5_K_M')
  assert.deepEqual([...storage.entries.keys()].sort(), Object.values(parts).map(sha256).sort())
  hub.served = 0
  assert.equal((await write('hf:heed/stories:Q5_K_M')).text, text)
  assert.equal(hub.served, 0)
})

test('a browser with an earlier name of the method is asked by that', async () => {
  const asked = []
  const requestFileHandle = (...all) => {
    asked.push(all)
    return storage.getFileHandle(...all)
  }
  Object.defineProperty(globalThis.navigator, 'crossOriginStorage', { value: { requestFileHandle }, configurable: true })
  await write(name)
  assert.equal(asked.length, 2)
  assert.equal(storage.entries.size, 1)
})

test('without the option, without a checksum and without permission, nothing is written, and the model loads', async () => {
  const address = hub.address('heed/stories', 'stories-Q8_0.gguf')
  const { text } = await write(name, { crossOriginStorage: false })
  assert.equal((await write(address)).text, text)
  assert.deepEqual(storage.asked, [])
  storage.refuses = 'NotAllowedError'
  assert.equal((await write(name)).text, text)
  assert.equal(storage.entries.size, 0)
  assert.match((await write(name, { cache: true })).notices.join(), /^Not stored: /) // this thread has no other store
  delete globalThis.navigator.crossOriginStorage
  assert.equal((await write(name)).text, text)
})

test('a write that fails costs a notice, not the model', async () => {
  storage.room = stories.length / 2
  const { text, notices } = await write(name)
  assert.match(notices.join(), /^Not stored for all sites: no room$/)
  assert.equal(storage.entries.size, 0)
  storage.room = Infinity
  assert.deepEqual(await write(name), { text, notices: [] })
})

test('a load that is aborted leaves no file that is being written', async () => {
  const controller = new AbortController()
  const onProgress = ({ loaded }) => loaded > 1e6 && controller.abort()
  await rejectsWith('aborted', /./, write(name, { signal: controller.signal, onProgress }))
  await storage.settled()
  assert.equal((await write(name)).notices.length, 0)
  assert.equal(storage.entries.size, 1)
})

test('a file that is not what its checksum says is an error', async () => {
  storage.entries.set(sha256(stories), Buffer.concat([stories.subarray(0, -1), Buffer.from([1 ^ stories.at(-1)])]))
  await rejectsWith('invalid-file', /SHA-256/, write(name))
})
