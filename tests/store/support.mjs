// What the tests of the store in Node share: a hub, and a store of their own in a fresh folder.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before } from 'node:test'
import { modelStore } from 'heed'
import { startHub } from '../support/hub/index.mjs'

/** Reads what the store keeps on the disk, to look for what must not be there. */
export const storedFiles = () => Object.fromEntries(readdirSync(process.env.HEED_MODELS)
  .map(name => [name, readFileSync(join(process.env.HEED_MODELS, name))]))

/**
 * A hub for the tests of a file, which behaves again after each of them, and an empty store before each.
 * `repos` as startHub takes them. Returns an object that is the hub once a test runs.
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
    Object.assign(use.hub, { token: undefined, behaviour: {}, breaks: [], refusals: [], requests: [], served: 0 })
  })
  after(async () => {
    await use.hub.close()
    rmSync(process.env.HEED_MODELS, { recursive: true })
  })
  return use
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {  // mulberry32
    state = state + 0x6d2b79f5 >>> 0
    let value = Math.imul(state ^ state >>> 15, state | 1)
    value ^= value + Math.imul(value ^ value >>> 7, value | 61)
    return ((value ^ value >>> 14) >>> 0) / 2 ** 32
  }
}
