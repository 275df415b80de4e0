// The worker in which the templates of chats run, in a page.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { serveSite } from './site.mjs'
import { useBrowser } from './support.mjs'

const { sites, inPage } = useBrowser()

test('an abort ends a template that runs, and the model answers the next chat', () =>
  inPage(sites.isolated, async () => {
    const model = await heed.loadModel(undefined, { threads: 1 })
    const messages = [{ role: 'user', content: 'Write a story about a fox.' }]
    const options = { temperature: 0, maxTokens: 5 }
    const { text } = await model.chat(messages, options)
    const endless = '{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}'
    const controller = new AbortController()
    // A long input allows more steps than any test would wait for.
    const chat = model.chat(messages, {
      ...options,
      template: `{% if work %}${endless}{% endif %}x`,
      variables: { work: 'x'.repeat(3e7) },
      signal: controller.signal,
    })
    for (let left = 20; left > 0; left--) await model.tokenize('x') // lets the threads exchange messages, so that the template runs
    controller.abort()
    const ended = await chat
    const next = await model.chat(messages, options)
    await model.dispose()
    return [ended.finishReason, ended.text, next.text === text]
  }).then(outcome => assert.deepEqual(outcome, ['abort', '', true])))

test("a template's thread that fails is an error, and the model stays", async () => {
  const change = dist =>
    writeFileSync(
      join(dist, 'heed-template.js'),
      `
    self.onmessage = () => { throw new Error('no memory is left') }
    self.postMessage('heed: started')`,
    )
  const site = await serveSite({ change })
  try {
    const [error, again, text] = await inPage(site, async () => {
      const model = await heed.loadModel(undefined, { threads: 1 })
      const failed = () =>
        model.chat([{ role: 'user', content: 'Hi' }]).then(
          () => undefined,
          ({ code, kind, message }) => ({ code, kind, message }),
        )
      const outcome = [await failed(), await failed(), (await model.generate('Once', { maxTokens: 3 })).text]
      await model.dispose()
      return outcome
    })
    assert.deepEqual([error.code, error.kind], ['template', 'SecurityError'])
    assert.match(error.message, /^the template ended its thread \(.*no memory is left\): it was stopped$/)
    assert.deepEqual(again, error)
    assert.notEqual(text, '')
  } finally {
    await site.close()
  }
})

test('heed/in-thread renders in the thread that uses the model', async () => {
  const site = await serveSite({ change: dist => writeFileSync(join(dist, 'heed-template.js'), 'throw new Error("must not run")') })
  try {
    const text = await inPage(site, async () => {
      const { loadModel } = await import('./dist/in-thread.js')
      const model = await loadModel('./dist/heed-stories.gguf')
      const { text } = await model.chat([{ role: 'user', content: 'Write a story about a fox.' }], { temperature: 0, maxTokens: 5 })
      await model.dispose()
      return text
    })
    assert.notEqual(text, '')
  } finally {
    await site.close()
  }
})
