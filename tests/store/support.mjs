// Helpers of the store's tests in Node: a hub, and a store in a temporary folder.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before } from 'node:test'
import { modelStore } from 'heed'
import { startHub } from '../support/hub/index.mjs'

/** Reads all files of the store: {name: bytes}. */
export const storedFiles = () =>
  Object.fromEntries(readdirSync(process.env.HEED_MODELS).map(name => [name, readFileSync(join(process.env.HEED_MODELS, name))]))

/**
 * Starts a hub for the tests of a file, resets it after each test, and empties the store then. `repos` is startHub's
 * argument. Returns an object whose `hub` and `options` are set once a test runs.
 */
export function useHub(repos) {
  const use = {}
  before(async () => {
    process.env.HEED_MODELS = mkdtempSync(join(tmpdir(), 'heed-models-'))
    use.hub = await startHub(repos)
    use.options = { hub: { endpoint: use.hub.endpoint } }
  })
  afterEach(async () => {
    await modelStore.clear()
    Object.assign(use.hub, { token: undefined, behavior: {}, breaks: [], refusals: [], requests: [], served: 0 })
  })
  after(async () => {
    await use.hub.close()
    rmSync(process.env.HEED_MODELS, { recursive: true })
  })
  return use
}

/** Pseudorandom numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}
