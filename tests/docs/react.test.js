// The components of the manual with React itself, under StrictMode, which mounts every component twice.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { transformWithOxc } from 'vite'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { serveSite } from '../browser/site.mjs'
import { developmentModule } from '../support/page_modules.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { blocksOf } from '../support/snippets.mjs'

/** The component of a page, which imports React and the package by their addresses. */
async function component(path) {
  const { source } = blocksOf(path).find(({ language }) => language === 'jsx')
  const { code } = await transformWithOxc(source, 'component.jsx', { jsx: { runtime: 'classic' } })
  const imports = code
    .replace(/from ["']react["']/, 'from "./react-page.js"')
    .replace(/from ["']heed\/react["']/, 'from "./dist/react.js"')
    .replace(/from ["']heed["']/, 'from "./dist/index.js"')
  return `import * as React from './react-page.js'\n${imports}`
}

const page = `
  import { createElement, createRoot, StrictMode } from './react-page.js'
  import { Chat } from './chat.js'
  import { useOneModel } from './hook.js'
  let running = 0, started = 0
  globalThis.Worker = class extends Worker {
    constructor(...given) { super(...given); running++; started++ }
    terminate() { if (!this.ended) running--; this.ended = true; super.terminate() }
  }
  const show = component => {
    const root = createRoot(document.body.appendChild(document.createElement('div')))
    root.render(createElement(StrictMode, null, createElement(component)))
    return root
  }
  const Info = () => {
    const { model, error } = useOneModel('model.gguf')
    return error ? error.message : model ? 'heads: ' + model.info.heads : 'loading'
  }
  Object.assign(globalThis, { show, Chat, Info, workers: () => running, isReady: true })`

let site, chromium
before(async () => {
  const files = {
    'react-page.js': await developmentModule(inRoot('tests/support/react_page.js')),
    'chat.js': await component('docs/apis/react.md'),
    'hook.js': await component('docs/recipes/strict-mode.md'),
    'components.js': page,
    'model.gguf': scriptedModel(['In a den.']),
  }
  site = await serveSite({
    change(dist) {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(dist, '..', name), content)
      const script = readFileSync(join(dist, 'react.js'), 'utf8')
      writeFileSync(join(dist, 'react.js'), script.replace(/from\s*"react"/, 'from "../react-page.js"'))
    },
  })
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await site.close()
})

async function opened() {
  const page = await chromium.open(site.url)
  await page.evaluate(() => import('./components.js').then(() => {}))
  return page
}

test('the chat loads its model, sends a message and shows the answer', async () => {
  const page = await opened()
  await page.evaluate(() => {
    globalThis.root = globalThis.show(globalThis.Chat)
  })
  await page.fill('input', 'Where do foxes sleep?')
  await page.keyboard.press('Enter')
  await page.getByText('assistant: In a den.').waitFor()
  assert.equal(await page.evaluate(() => document.querySelector('p').textContent), 'user: Where do foxes sleep?')
  await page.evaluate(() => globalThis.root.unmount())
  await page.waitForFunction(() => globalThis.workers() === 0)
  assert.deepEqual(page.problems, [])
  await page.close()
})

test('the hook of one component has one model, and leaves nothing', async () => {
  const page = await opened()
  await page.evaluate(() => {
    globalThis.root = globalThis.show(globalThis.Info)
  })
  await page.getByText(/^heads: \d+$/).waitFor()
  await page.waitForFunction(() => globalThis.workers() === 1)
  await page.evaluate(() => globalThis.root.unmount())
  await page.waitForFunction(() => globalThis.workers() === 0)
  assert.deepEqual(page.problems, [])
  await page.close()
})
