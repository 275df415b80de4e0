// heed/elements in a page outside of the project, with the strictest policy: uses only attributes, properties, methods, events and
// user input.
import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { serve } from '../../tools/serve.mjs'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { serveSite, strictPolicy } from './site.mjs'
import { useBrowser } from './support.mjs'

const { inPage, open } = useBrowser()
const call = '<tool_call>\n{"name": "clock", "arguments": {"zone": "UTC"}}\n</tool_call>'
const markup = '# Title\n\n**Bold** <img src=x onerror="globalThis.harmed=1"> [x](javascript:alert(1))\n\n```js\nconst a = 1\n```\n'
/** Shared by the tests in the page. */
const helpers = `
  await import('./dist/elements.js')
  globalThis.violations = []
  document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective))
  export const next = (target, type) => new Promise(resolve => target.addEventListener(type, resolve, { once: true }))
  export function chatOf(attributes = {}, properties = {}) {
    const chat = document.createElement('heed-chat')
    for (const [name, value] of Object.entries({ src: 'chat.gguf', ...attributes })) chat.setAttribute(name, value)
    Object.assign(chat, properties)
    document.body.append(chat)
    return chat
  }
  export const find = (chat, part) => chat.shadowRoot.querySelector('[part~="' + part + '"]')
  export const shown = chat => [...find(chat, 'log').children].map(one => one.innerText.trim())
  export const loaded = chat => chat.model ?? next(chat, 'load').then(({ detail }) => detail)
  export function press(chat, key, more = {}) {
    find(chat, 'input').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
  }
  /** Resolves once the shown elements change so that this is true. */
  export async function until(chat, isSo) {
    while (!isSo()) {
      await new Promise(resolve => {
        const observer = new MutationObserver(() => {
          observer.disconnect()
          resolve()
        })
        observer.observe(chat.shadowRoot, { childList: true, subtree: true, characterData: true, attributes: true })
      })
    }
  }`

let site
/** Paths that pages have requested from it; they ask for these as "asked". */
const asked = []
before(async () => {
  site = await serveSite({
    handle(request, response) {
      if (request.url !== '/asked') return void asked.push(request.url)
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(asked))
      return true
    },
    policy: `${strictPolicy}; style-src 'self'`,
    change: dist => {
      const put = (name, bytes) => writeFileSync(join(dist, '..', name), bytes)
      put('helpers.js', helpers)
      put('chat.gguf', scriptedModel(['First answer.', 'Second answer.']))
      put('lazy.gguf', scriptedModel(['First answer.']))
      put('tools.gguf', scriptedModel([call, 'It is noon.']))
      put('markup.gguf', scriptedModel([markup]))
      put('waiting.gguf', scriptedModel(['Let me see.', 'Again.', 'Once more.'].map(text => `${text}\n${call}`)))
      put(
        'looks.css',
        '.dark { color-scheme: dark; background: #000; color: #fff } .phone { width: 358px } html { background: #fff }',
      )
      cpSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), join(dist, '..', 'axe.js'))
    },
  })
})
after(() => site.close())

test('one line of markup is a chat with the bundled model', async () => {
  const told = await inPage(site, async () => {
    const { find, loaded, shown } = await import('./helpers.js')
    document.body.innerHTML = '<heed-chat><button slot="suggestion">Write a story.</button></heed-chat>'
    const chat = document.querySelector('heed-chat')
    const log = []
    chat.addEventListener('message', ({ detail }) => log.push(detail.role))
    chat.options = { maxTokens: 8, seed: 1 }
    await loaded(chat)
    const answered = new Promise(resolve => {
      chat.addEventListener('message', ({ detail }) => detail.role === 'assistant' && resolve())
    })
    chat.firstElementChild.click()
    await answered
    return {
      log,
      first: shown(chat)[0],
      hasAnswer: chat.messages[1].content.length > 0,
      suggestions: find(chat, 'suggestions').hidden,
      light: chat.innerHTML,
      violations,
    }
  })
  assert.deepEqual(told, {
    log: ['user', 'assistant'],
    first: 'Write a story.',
    hasAnswer: true,
    suggestions: true,
    light: '<button slot="suggestion">Write a story.</button>',
    violations: [],
  })
})

test('answers, again, and from the beginning', async () => {
  const told = await inPage(site, async () => {
    const { chatOf, find, shown } = await import('./helpers.js')
    const chat = chatOf({ system: 'Be brief.', placeholder: 'Ask!' })
    const progress = []
    chat.addEventListener('progress', ({ detail }) => progress.push(detail.loaded))
    const results = [await chat.send('One?'), await chat.send([{ type: 'text', text: 'Two?' }])]
    const texts = results.map(({ text }) => text)
    const prompts = results[0].steps[0].prompt.map(part => part.control ?? part).join('')
    const all = chat.messages.map(({ role }) => role)
    const said = shown(chat).map(text => text.split('\n')[0])
    const buttons = [...find(chat, 'log').querySelectorAll('.actions button')].map(one => one.textContent)
    const again = (await chat.regenerate()).text
    const count = chat.messages.length
    chat.messages = [
      { role: 'user', content: 'Old?' },
      { role: 'assistant', content: 'Old.' },
      { role: 'user', content: 'New?' },
    ]
    const more = (await chat.regenerate()).text
    chat.clear()
    const cleared = [chat.messages.length, shown(chat).length, await chat.regenerate()]
    const { placeholder } = find(chat, 'input')
    return { texts, prompts, all, said, buttons, again, count, more, cleared, placeholder, progressed: progress.length > 0 }
  })
  assert.match(told.prompts, /Be brief\./)
  assert.deepEqual(
    { ...told, prompts: undefined },
    {
      prompts: undefined,
      texts: ['First answer.', 'Second answer.'],
      all: ['user', 'assistant', 'user', 'assistant'],
      said: ['One?', 'First answer.', 'Two?', 'Second answer.'],
      buttons: ['Copy', 'Answer again'],
      again: 'Second answer.',
      count: 4,
      more: 'Second answer.',
      cleared: [0, 0, null],
      placeholder: 'Ask!',
      progressed: true,
    },
  )
})

test('keys send, stop and make lines; an answer that is stopped stays', async () => {
  const told = await inPage(site, async () => {
    const { chatOf, find, loaded, press, until } = await import('./helpers.js')
    const tools = [{ name: 'clock', execute: () => new Promise(() => {}) }] // which never ends: the answer waits to be stopped
    const chat = chatOf({ src: 'waiting.gguf' }, { options: { tools } })
    await loaded(chat)
    const input = find(chat, 'input')
    chat.focus()
    const focused = chat.shadowRoot.activeElement === input
    press(chat, 'Enter') // nothing is written
    input.value = 'Go on.'
    press(chat, 'Enter', { shiftKey: true })
    press(chat, 'Enter', { isComposing: true })
    press(chat, 'Enter', { keyCode: 229 }) // as in Safari, where the composition has ended before
    const before = chat.messages.length
    press(chat, 'Enter')
    const [empty, busy] = [input.value, chat.isBusy]
    await until(chat, () => find(chat, 'call'))
    const label = find(chat, 'send').textContent
    press(chat, 'Escape')
    await until(chat, () => !chat.isBusy)
    const [, { content }] = chat.messages
    const ending = find(chat, 'log').querySelector('.ending').textContent
    // A second message ends the answer to the first.
    const calls = () => chat.shadowRoot.querySelectorAll('[part="call"]').length
    const first = chat.send('More.')
    await until(chat, () => calls() === 2)
    const second = chat.send('Else.')
    const { finishReason } = await first
    await until(chat, () => calls() === 3)
    find(chat, 'send').click()
    await second
    return {
      focused,
      before,
      empty,
      busy,
      label,
      stopped: content.startsWith('Let me see.'),
      ending,
      finishReason,
      after: find(chat, 'send').textContent,
    }
  })
  assert.deepEqual(told, {
    focused: true,
    before: 0,
    empty: '',
    busy: true,
    label: 'Stop',
    stopped: true,
    ending: 'Stopped.',
    finishReason: 'abort',
    after: 'Send',
  })
})

test('instances share a model, which is freed once both have left', async () => {
  const told = await inPage(site, async () => {
    const { chatOf, loaded } = await import('./helpers.js')
    const [one, other] = [chatOf(), chatOf()]
    const apart = chatOf({}, { loadOptions: { contextLength: 64 } })
    const [model, same, different] = await Promise.all([one, other, apart].map(loaded))
    const answers = await Promise.all([one.send('x'), other.send('x')])
    const box = document.createElement('div')
    document.body.append(box)
    box.append(one) // moved
    other.remove()
    const task = () => new Promise(resolve => setTimeout(resolve))
    for (let tasks = 0; tasks < 4; tasks++) await task()
    const whileOne = model.isLost
    one.remove()
    for (let tasks = 0; tasks < 4; tasks++) await task()
    const given = await heed.loadModel('chat.gguf')
    const owner = chatOf({}, { model: given })
    const texts = [(await owner.send('x')).text]
    owner.remove()
    for (let tasks = 0; tasks < 4; tasks++) await task()
    document.body.append(one)
    texts.push((await one.send('y')).text)
    return {
      shared: model === same,
      apart: model !== different,
      whileOne,
      after: model.isLost,
      given: given.isLost,
      texts,
      count: answers.length,
    }
  })
  assert.deepEqual(told, {
    shared: true,
    apart: true,
    whileOne: false,
    after: true,
    given: false,
    texts: ['First answer.', 'Second answer.'],
    count: 2,
  })
})

test('with loading="lazy", nothing is fetched until somebody begins to write', async () => {
  const told = await inPage(site, async () => {
    const { chatOf, find, loaded } = await import('./helpers.js')
    const asked = async () => (await (await fetch('asked')).json()).filter(url => url.endsWith('lazy.gguf')).length
    const chat = chatOf({ src: 'lazy.gguf', loading: 'lazy' })
    await loaded(chatOf()) // a later one, with all that it fetches
    const before = [chat.model, await asked()]
    find(chat, 'input').focus()
    await loaded(chat)
    return { before, after: await asked(), answer: (await chat.send('x')).text }
  })
  assert.deepEqual(told, { before: [null, 0], after: 1, answer: 'First answer.' })
})

test('what is wrong is said, and can be tried again', async () => {
  const told = await inPage(site, async () => {
    const { chatOf, find, loaded, next } = await import('./helpers.js')
    const chat = chatOf({ src: 'missing.gguf' })
    const { error, message } = await next(chat, 'error')
    const alert = find(chat, 'error')
    const shown = [alert.getAttribute('role'), alert.hidden, alert.innerText.includes(message)]
    const sending = chat.send('x')
    const again = next(chat, 'error')
    const tried = [(await again).error.code, await sending, chat.isBusy]
    chat.setAttribute('src', 'chat.gguf')
    await loaded(chat)
    const afterwards = [alert.hidden]
    chat.options = { temprature: 1 }
    const failed = next(chat, 'error')
    afterwards.push(await chat.send('x'), /temprature/.test((await failed).message))
    chat.options = {}
    afterwards.push((await chat.send('x')).text)
    const thrown = []
    for (const wrong of [() => (chat.labels = { sent: 'x' }), () => (chat.labels = { send: 5 }), () => (chat.messages = 'x')]) {
      try {
        wrong()
        thrown.push('nothing')
      } catch (error) {
        thrown.push(error.name)
      }
    }
    const name = promise => promise.catch(error => error.name)
    thrown.push(await name(chat.send(5)))
    return { code: error.code, shown, tried, afterwards, thrown }
  })
  assert.deepEqual(told, {
    code: 'network',
    shown: ['alert', false, true],
    tried: ['network', null, false],
    afterwards: [true, null, true, 'First answer.'],
    thrown: ['TypeError', 'TypeError', 'TypeError', 'TypeError'],
  })
})

test('Markdown is rendered, and never as HTML', async () => {
  const told = await inPage(site, async () => {
    const { chatOf, find } = await import('./helpers.js')
    const chat = chatOf({ src: 'markup.gguf' })
    await chat.send('x')
    const text = find(chat, 'text')
    return {
      tags: [...text.querySelectorAll('*')].map(({ localName }) => localName),
      says: text.textContent.includes('<img src=x onerror='),
      harmed: globalThis.harmed === undefined,
      code: text.querySelector('pre').textContent,
      violations,
    }
  })
  assert.deepEqual(told, {
    tags: ['h3', 'p', 'strong', 'span', 'div', 'p', 'span', 'button', 'pre', 'code'],
    says: true,
    harmed: true,
    code: 'const a = 1',
    violations: [],
  })
})

test('tools run, and are shown', async () => {
  const told = await inPage(site, async () => {
    const { chatOf, find } = await import('./helpers.js')
    const asked = []
    const clock = {
      name: 'clock',
      description: 'Tells the time.',
      parameters: { type: 'object', properties: { zone: { type: 'string' } } },
      execute(given) {
        asked.push(given)
        return '12:00'
      },
    }
    const chat = chatOf({ src: 'tools.gguf' }, { options: { tools: [clock] } })
    const { text } = await chat.send('What time is it?')
    const written = find(chat, 'call').textContent
    const roles = chat.messages.map(({ role }) => role)
    const { messages } = chat
    chat.messages = messages // shown again, from the written text
    return { text, asked, written, again: find(chat, 'call').textContent, roles }
  })
  assert.deepEqual(told, {
    text: 'It is noon.',
    asked: [{ zone: 'UTC' }],
    written: 'clock{"zone":"UTC"}12:00',
    again: 'clock{"zone":"UTC"}12:00',
    roles: ['user', 'assistant', 'tool', 'assistant'],
  })
})

test('pictures are for models that read them', async () => {
  const { width, height, data } = shaded(3)
  const projector = projectorFile(128).toString('base64') // for the bundled model
  const told = await inPage(
    site,
    async ({ projector, image }) => {
      const { find, loaded } = await import('./helpers.js')
      const chat = document.createElement('heed-chat')
      chat.loadOptions = { projector: Uint8Array.from(atob(projector), character => character.charCodeAt(0)) }
      chat.options = { maxTokens: 3, seed: 1 }
      document.body.append(chat)
      await loaded(chat)
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: image.width, height: image.height })
      canvas.getContext('2d').putImageData(new ImageData(Uint8ClampedArray.from(image.data), image.width, image.height), 0, 0)
      const blob = await new Promise(resolve => canvas.toBlob(resolve))
      const files = new DataTransfer()
      files.items.add(new File([blob], 'shade.png', { type: 'image/png' }))
      files.items.add(new File(['x'], 'x.txt', { type: 'text/plain' }))
      const drop = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })
      find(chat, 'input').dispatchEvent(drop)
      const chosen = [...chat.shadowRoot.querySelectorAll('.chosen button')].map(({ ariaLabel }) => ariaLabel)
      find(chat, 'input').value = 'What is this?'
      const answered = new Promise(resolve => {
        chat.addEventListener('message', ({ detail }) => detail.role === 'assistant' && resolve())
        chat.addEventListener('error', ({ message }) => resolve(message))
      })
      find(chat, 'send').click()
      const failed = await answered
      const [{ content }] = chat.messages
      return {
        failed,
        taken: drop.defaultPrevented,
        add: find(chat, 'add').hidden,
        chosen,
        parts: content.map(({ type }) => type),
        shown: find(chat, 'user').querySelectorAll('canvas').length,
        left: chat.shadowRoot.querySelectorAll('.chosen').length,
      }
    },
    { projector, image: { width, height, data: [...data] } },
  )
  assert.deepEqual(told, {
    taken: true,
    add: false,
    chosen: ['Remove shade.png'],
    parts: ['image', 'text'],
    shown: 1,
    left: 0,
  })
})

test('what was set before the element is defined counts', async () => {
  const told = await inPage(site, async () => {
    const chat = document.createElement('heed-chat')
    document.body.append(chat)
    Object.assign(chat, { source: 'chat.gguf', labels: { send: 'Senden' }, suggestions: ['Eins', 'Zwei'] })
    const { find, loaded } = await import('./helpers.js')
    await loaded(chat)
    const suggested = [...chat.shadowRoot.querySelectorAll('[part="suggestion"]')].map(one => one.textContent)
    const answered = new Promise(resolve => {
      chat.addEventListener('message', ({ detail }) => detail.role === 'assistant' && resolve(detail.content))
    })
    const send = find(chat, 'send').textContent
    chat.shadowRoot.querySelector('[part="suggestion"]').click()
    return { send, suggested, answer: await answered, asked: chat.messages[0].content }
  })
  assert.deepEqual(told, { send: 'Senden', suggested: ['Eins', 'Zwei'], answer: 'First answer.', asked: 'Eins' })
})

test('<heed-download> says what is loaded, how much, how fast and how long', async () => {
  const told = await inPage(site, async () => {
    await import('./helpers.js')
    const bar = document.createElement('heed-download')
    document.body.append(bar)
    bar.name = 'story.gguf'
    const parts = () => {
      const [what, progress, pace] = bar.shadowRoot.querySelectorAll('[part]')
      return [what.textContent, progress.position, pace.textContent, bar.shadowRoot.firstElementChild.hidden]
    }
    const said = [parts()]
    const at = progress => {
      bar.progress = { cached: 0, ...progress }
      said.push(parts())
    }
    at({ phase: 'resolve', loaded: 0 })
    at({ phase: 'download', loaded: 31e5, total: 124e5, bytesPerSecond: 1e5 })
    at({ phase: 'download', loaded: 31e5, bytesPerSecond: 1e5 })
    at({ phase: 'check', loaded: 12e9, total: 12e9 })
    bar.labels = { download: 'Lädt', of: 'von', left: 'übrig' }
    bar.report({ phase: 'download', loaded: 5e3, total: 1e6, cached: 0, bytesPerSecond: 100 })
    said.push(parts())
    bar.progress = undefined
    said.push(parts())
    return said
  })
  assert.deepEqual(told, [
    ['', -1, '', true],
    ['Opening story.gguf…', -1, '', false],
    ['Downloading story.gguf: 3.1 MB of 12.4 MB', 0.25, '25 %, 100 kB/s, 2 min left', false],
    ['Downloading story.gguf: 3.1 MB', -1, '100 kB/s', false],
    ['Preparing story.gguf…', 1, '', false],
    ['Lädt story.gguf: 5.0 kB von 1.0 MB', 0.005, '0 %, 100 B/s, 2 h 46 min übrig', false],
    ['Lädt story.gguf: 5.0 kB von 1.0 MB', 0.005, '0 %, 100 B/s, 2 h 46 min übrig', true],
  ])
})

for (const look of ['light', 'dark', 'light phone', 'dark phone']) {
  test(`axe finds nothing: ${look}`, async () => {
    const found = await inPage(
      site,
      async look => {
        const load = (tag, properties) =>
          new Promise((resolve, reject) => {
            document.head.append(Object.assign(document.createElement(tag), properties, { onload: resolve, onerror: reject }))
          })
        const { chatOf, next } = await import('./helpers.js')
        await load('link', { rel: 'stylesheet', href: 'looks.css' })
        await load('script', { src: 'axe.js' })
        document.documentElement.lang = 'en'
        document.body.innerHTML = '<main><h1>Fox</h1><h2>Chat</h2></main>'
        document.body.className = look
        const main = document.querySelector('main')
        const chat = chatOf({ src: 'markup.gguf' }, { suggestions: ['One', 'Two'] })
        main.append(chat)
        await chat.send('x')
        const empty = chatOf({ src: 'missing.gguf' }, { suggestions: ['One', 'Two'] })
        main.append(empty)
        await next(empty, 'error')
        const bar = document.createElement('heed-download')
        main.append(bar)
        bar.report({ phase: 'download', loaded: 31e5, total: 124e5, bytesPerSecond: 1e5, cached: 0 })
        const wide = Math.max(...[chat, empty, bar].map(one => one.scrollWidth - one.clientWidth))
        const { violations } = await axe.run(document, { resultTypes: ['violations'] })
        return {
          wide,
          found: violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => [id, target, failureSummary])),
        }
      },
      look,
    )
    assert.deepEqual(found, { wide: 0, found: [] })
  })
}

test('the example, with the package on another origin', async () => {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' }
  const cdn = await serve(inRoot('.'), { isolated: false, headers })
  const fromCdn = /https:\/\/cdn\.jsdelivr\.net\/npm\/heed@[\d.]+\//
  const own = await serve(inRoot('examples/elements'), { change: (_, content) => String(content).replace(fromCdn, cdn.url) })
  const page = await open(own.url)
  try {
    const told = await page.evaluate(async () => {
      const chat = document.querySelector('heed-chat')
      await customElements.whenDefined('heed-chat')
      chat.options = { maxTokens: 5 }
      const answered = new Promise((resolve, reject) => {
        chat.addEventListener('message', ({ detail }) => detail.role === 'assistant' && resolve(detail.content))
        chat.addEventListener('error', ({ error }) => reject(error))
      })
      chat.querySelector('button').click()
      const sharesMemory = typeof SharedArrayBuffer !== 'undefined' // WebKitGTK 2.50 has none, isolated or not
      return { hasAnswer: (await answered).length > 0, sharesMemory, threads: chat.model.info.threads > 1 }
    })
    assert.equal(told.hasAnswer, true)
    assert.equal(told.threads, told.sharesMemory)
  } finally {
    await page.close()
    await own.close()
    await cdn.close()
  }
})

test('can be imported where there is no DOM', async () => {
  assert.deepEqual(Object.keys(await import('heed/elements')).sort(), ['HeedChat', 'HeedDownload'])
})
