// Helpers of the Prompt API tests: a LanguageModel on a scripted model, and checks of its exceptions.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { loadModel } from 'heed'
import { createLanguageModel } from 'heed/prompt-api'
import { scriptedModel } from '../support/scripted_model.mjs'

/** Loads a model that answers with these turns, for the tests of a file. */
export async function loadScripted(turns, options) {
  const model = await loadModel(scriptedModel(turns, options), { threads: 1 })
  after(() => model.dispose())
  return model
}

export const languageModel = async (turns, options) => createLanguageModel({ model: await loadScripted(turns, options) })

/** Checks that a promise rejects with a DOMException of this name. */
export const rejectsAs = (name, promise) =>
  assert.rejects(promise, error => {
    assert.ok(error instanceof DOMException, `${error}`)
    assert.equal(error.name, name, error.message)
    return true
  })

/** Checks that a promise rejects with exactly this value. */
export const rejectsExactly = (expected, promise) => assert.rejects(promise, error => error === expected)

/** Checks that a promise rejects with a QuotaExceededError with these numbers. */
export const rejectsQuota = (requested, quota, promise) =>
  assert.rejects(promise, error => {
    assert.equal(error.name, 'QuotaExceededError', `${error}`)
    assert.ok(error instanceof DOMException)
    assert.deepEqual([error.requested, error.quota], [requested, quota])
    return true
  })

export async function joined(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  assert.ok(chunks.every(chunk => typeof chunk === 'string'))
  return chunks.join('')
}

export const user = content => ({ role: 'user', content })
export const assistant = content => ({ role: 'assistant', content })
export const system = content => ({ role: 'system', content })

/** Checks that a call rejects with the signal's reason, whether it is aborted before or afterwards. */
export async function endsWithAbort(method) {
  for (const reason of [undefined, new Error('test')]) {
    const controller = new AbortController()
    const promise = method(controller.signal)
    controller.abort(reason)
    await rejectsExactly(controller.signal.reason, promise)
    await rejectsExactly(controller.signal.reason, method(controller.signal))
    if (!reason) assert.equal(controller.signal.reason.name, 'AbortError')
  }
}

/** A model that equals another one except for some methods, which get that one as their first argument. */
export const changedModel = (model, methods) =>
  new Proxy(model, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return (...args) => methods[name](target, ...args)
      return typeof target[name] === 'function' ? target[name].bind(target) : target[name]
    },
  })
