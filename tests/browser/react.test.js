// heed/react with React itself, under StrictMode, which mounts every component twice.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { developmentModule } from '../support/page_modules.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { serveSite } from './site.mjs'
import { useBrowser } from './support.mjs'

const turns = ['<tool_call>\n{"name": "clock", "arguments": {}}\n</tool_call>', 'It is noon.', 'You are welcome.']
const { inPage } = useBrowser()
const requested = []
let site

/** Puts into the page: React, the hooks, `show` to render under StrictMode, and the number of workers that run. */
const page = `
  import { createElement, createRoot, StrictMode } from './react-page.js'
  import * as hooks from './dist/react.js'
  let running = 0
  globalThis.Worker = class extends Worker {
    constructor(...given) { super(...given); running++ }
    terminate() { if (!this.ended) running--; this.ended = true; super.terminate() }
  }
  /** Renders a component whose state is its return value. */
  function show(component, props) {
    const root = createRoot(document.createElement('div'))
    const seen = { wake() {} }
    const Component = given => { seen.last = component(given); seen.wake(); return null }
    const render = given => root.render(createElement(StrictMode, null, createElement(Component, given)))
    render(props)
    return {
      render,
      get last() { return seen.last },
      async until(holds) {
        while (seen.last === undefined || !holds(seen.last)) await new Promise(resolve => { seen.wake = resolve })
        return seen.last
      },
      unmount: () => root.unmount(),
    }
  }
  const noWorkers = async () => { while (running > 0) await new Promise(resolve => setTimeout(resolve, 5)) }
  Object.assign(globalThis, { hooks, show, noWorkers, workers: () => running })
  globalThis.isReady = true`

before(async () => {
  const files = {
    'react-page.js': await developmentModule(inRoot('tests/support/react_page.js')),
    'hooks.js': page,
    'chat.gguf': scriptedModel(turns),
    'late.gguf': scriptedModel(turns),
    'bert.gguf': goldenBytes('bert'),
  }
  site = await serveSite({
    change(dist) {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(dist, '..', name), content)
      const script = readFileSync(join(dist, 'react.js'), 'utf8')
      writeFileSync(join(dist, 'react.js'), script.replace(/from\s*"react"/, 'from "../react-page.js"'))
    },
    handle(request, response) {
      requested.push(request.url)
      if (!request.url.includes('late.gguf') || requested.filter(url => url.includes('late.gguf')).length > 1) return false
      response.writeHead(404).end()
      return true
    },
  })
})
after(() => site.close())

test('components share a model, which StrictMode loads once, and of which nothing is left', async () => {
  requested.length = 0
  const seen = await inPage(site, async () => {
    await import('./hooks.js')
    const { hooks, show, noWorkers, workers } = globalThis
    const one = show(() => hooks.useModel('chat.gguf', { threads: 1 }))
    const other = show(() => hooks.useModel('chat.gguf', { threads: 1 }))
    const none = show(() => hooks.useModel(null))
    await one.until(({ status }) => status === 'ready')
    await other.until(({ status }) => status === 'ready')
    const isShared = one.last.model === other.last.model
    one.unmount()
    const { text } = await other.last.model.generate('a', { maxTokens: 1 })
    const before = workers()
    other.unmount()
    await noWorkers()
    return { isShared, text: typeof text, before, idle: none.last.status }
  })
  assert.deepEqual(seen, { isShared: true, text: 'string', before: 1, idle: 'idle' })
  assert.equal(requested.filter(url => url.includes('chat.gguf')).length, 1)
})

test('a hundred mounts leave no worker, however soon each ends', async () => {
  const { most, left } = await inPage(site, async () => {
    await import('./hooks.js')
    const { hooks, show, noWorkers, workers } = globalThis
    let most = 0
    for (let mount = 0; mount < 100; mount++) {
      const shown = show(() => hooks.useModel('chat.gguf', { threads: 1 }))
      if (mount % 20 === 0) await shown.until(({ status }) => status === 'ready')
      else if (mount % 3 === 0) await shown.until(({ status }) => status === 'loading')
      else await new Promise(resolve => setTimeout(resolve, mount % 7))
      most = Math.max(most, workers())
      shown.unmount()
    }
    await noWorkers()
    return { most, left: workers() }
  })
  assert.equal(left, 0)
  assert.ok(most >= 1 && most < 50, `${most} at a time`) // a worker that is being ended may take its time
})

test('a model that cannot be loaded is an error, until it can', async () => {
  const seen = await inPage(site, async () => {
    await import('./hooks.js')
    const { hooks, show } = globalThis
    const shown = show(() => hooks.useModel('none.gguf', { threads: 1 }))
    const { error, retry } = await shown.until(({ status }) => status === 'error')
    retry()
    await shown.until(({ status }) => status === 'loading')
    await shown.until(({ status }) => status === 'error')
    shown.unmount()
    return error.code
  })
  assert.equal(seen, 'network')
})

test('a model that the second try has loaded is freed, too', async () => {
  const { before, left } = await inPage(site, async () => {
    await import('./hooks.js')
    const { hooks, show, noWorkers, workers } = globalThis
    const shown = show(() => hooks.useModel('late.gguf', { threads: 1 }))
    const { retry } = await shown.until(({ status }) => status === 'error')
    retry()
    await shown.until(({ status }) => status === 'ready')
    const before = workers()
    shown.unmount()
    await noWorkers()
    return { before, left: workers() }
  })
  assert.deepEqual([before, left], [1, 0])
})

test('a chat grows as it is written, runs tools, waits for its model, and is stopped', async () => {
  const seen = await inPage(site, async () => {
    await import('./hooks.js')
    const { hooks, show } = globalThis
    const clock = { name: 'clock', execute: () => 'noon' }
    const shown = show(() => {
      const { model } = hooks.useModel('chat.gguf', { threads: 1 })
      return hooks.useChat(model, { tools: [clock], temperature: 0, messages: [{ role: 'system', content: 'Be brief.' }] })
    })
    await shown.until(() => true)
    const { send } = shown.last
    const sending = send('What time is it?')
    const { messages: grown } = await shown.until(({ messages }) => /^It is/.test(messages.at(-1).content))
    const result = await sending
    const { messages, status } = await shown.until(({ status }) => status === 'idle')
    const isSame = shown.last.send === send
    const again = send('Thanks')
    shown.last.stop()
    await again
    await shown.until(({ status }) => status === 'idle')
    shown.last.setMessages([])
    const { messages: cleared } = await shown.until(({ messages }) => messages.length === 0)
    shown.unmount()
    return {
      isSame,
      roles: messages.map(({ role }) => role),
      grown: grown.length,
      last: messages.at(-1).content,
      text: result.text,
      status,
      cleared: cleared.length,
    }
  })
  assert.deepEqual(seen, {
    isSame: true,
    roles: ['system', 'user', 'assistant', 'tool', 'assistant'],
    grown: 5,
    last: 'It is noon.',
    text: 'It is noon.',
    status: 'idle',
    cleared: 0,
  })
})

test('a completion equals generate’s, and its error is in the hook’s state', async () => {
  const seen = await inPage(site, async () => {
    await import('./hooks.js')
    const { hooks, show } = globalThis
    const shown = show(
      ({ options }) => {
        const { model } = hooks.useModel('chat.gguf', { threads: 1 })
        return { model, options, ...hooks.useCompletion(model, options) }
      },
      { options: { maxTokens: 5, temperature: 0, stopAtEnd: false } },
    )
    const { model, complete } = await shown.until(({ model }) => model)
    const result = await complete('It')
    const { text } = await shown.until(({ status }) => status === 'idle')
    const expected = await model.generate('It', { maxTokens: 5, temperature: 0, stopAtEnd: false })
    shown.render({ options: { maxTokens: 0 } })
    await shown.until(({ options }) => options.maxTokens === 0)
    const failed = await complete('It')
    const { error } = await shown.until(({ status }) => status === 'error')
    shown.unmount()
    return {
      isSame: text === expected.text && result.text === text && text.length > 0,
      isUndefined: failed === undefined,
      code: error.code,
    }
  })
  assert.deepEqual(seen, { isSame: true, isUndefined: true, code: 'invalid-argument' })
})

test('vectors follow the texts', async () => {
  const seen = await inPage(site, async () => {
    await import('./hooks.js')
    const { hooks, show } = globalThis
    const shown = show(
      ({ texts }) => {
        const { model } = hooks.useModel('bert.gguf', { threads: 1 })
        return { model, ...hooks.useEmbedding(model, texts) }
      },
      { texts: ['a'] },
    )
    await shown.until(({ embeddings }) => embeddings?.length === 1)
    shown.render({ texts: ['a', 'b'] })
    const { embeddings, model } = await shown.until(({ embeddings }) => embeddings?.length === 2)
    const expected = await model.embed(['a', 'b'])
    shown.unmount()
    return expected.every((vector, at) => vector.every((value, index) => value === embeddings[at][index]))
  })
  assert.equal(seen, true)
})
