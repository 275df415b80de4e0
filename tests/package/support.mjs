// Helpers of the package's tests in Node.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { loadModel } from 'heed'
import { inRoot } from '../../tools/paths.mjs'
import { isBuilt } from '../support/modules.mjs'

export const defaultModelPath = inRoot('dist/heed-stories.gguf')
export const defaultModelBytes = () => readFileSync(defaultModelPath)

const shared = inRoot('..', 'shared')

/** For tests that read files in ../shared, `test(name, needsShared, ...)`: they are skipped if there is none. */
export const needsShared = { skip: existsSync(shared) ? false : 'there is no ../shared' }
export const sharedFile = (...parts) => inRoot('..', 'shared', ...parts)

/** Loads a model, runs `body`, and disposes of the model whatever happens. */
export async function withModel(source, options, body) {
  const model = await loadModel(source, options)
  try {
    return await body(model)
  } finally {
    await model.dispose()
  }
}

/** Checks that a promise or a function fails with this error code and a matching message. */
export const rejectsWith = (code, message, promiseOrFunction) => {
  const expected = error => {
    assert.equal(error?.code, code, `${error?.code}: ${error?.message}`)
    assert.match(error.message, message)
    return true
  }
  const isFunction = typeof promiseOrFunction === 'function'
  return assert.rejects(isFunction ? async () => promiseOrFunction() : promiseOrFunction, expected)
}

const v8 = Number.parseInt(process.versions.v8, 10)
/** The modules that are built and run in this Node, and the options that force each. */
export const modules = ['simd128', ...(v8 >= 12 ? ['relaxed'] : []), ...(v8 >= 13 ? ['memory64'] : [])].filter(isBuilt)
export const forcing = name => (name === 'memory64' ? { memory64: true } : { simd: name, memory64: false })

export const hash = async values => Buffer.from(await crypto.subtle.digest('SHA-256', values)).toString('hex')

/** Pseudo-random integers below a bound: mulberry32. */
export function random(seed) {
  return bound => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % bound
  }
}
