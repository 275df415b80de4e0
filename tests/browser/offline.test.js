// Without a network: a page with a stored model, with the manual's service worker and without one; and the notice about a single
// thread.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { serve } from '../../tools/serve.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { blocksOf } from '../support/snippets.mjs'
import { browserName } from './support.mjs'

const only = { skip: browserName !== 'chromium' && 'Playwright takes the network from Chromium' }
const { source: worker } = blocksOf('docs/recipes/service-worker.md').find(({ source }) => source.includes('cache.addAll'))
let chromium, folder, server

before(async () => {
  if (only.skip) return
  folder = mkdtempSync(join(tmpdir(), 'heed-offline-'))
  cpSync(inRoot('dist'), join(folder, 'dist'), { recursive: true })
  const files = {
    'index.html': '<!doctype html><link rel="icon" href="data:,"><script type="module" src="page.js"></script>',
    'page.js': "import * as heed from './dist/index.js'\nglobalThis.heed = heed",
    'worker.js': worker,
    'chat.gguf': scriptedModel(['It sleeps.']),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  server = await serve(folder, { isolated: false })
  chromium = await startChromium()
})
after(async () => {
  await chromium?.close()
  await server?.close()
  if (folder) rmSync(folder, { recursive: true })
})

const opened = async () => {
  const page = await chromium.open(server.url)
  await page.waitForFunction(() => globalThis.heed)
  return page
}
const answer = page =>
  page.evaluate(async () => {
    const notices = []
    const outcome = await heed
      .loadModel('chat.gguf', { threads: 2, onProgress: ({ notice }) => notice && notices.push(notice) })
      .then(
        async model => {
          const { text } = await model.chat([{ role: 'user', content: 'Where?' }], { maxTokens: 20 })
          const { tokens } = await model.generate('a', { maxTokens: 3, choices: ['yes', 'no'] })
          await model.dispose()
          return { text, tokens: tokens.length > 0 }
        },
        ({ code, message }) => ({ code, message }),
      )
    return { outcome, notices }
  })

test('on a page that is not isolated: once a notice and a line on the console, with the remedy', only, async () => {
  const page = await opened()
  const lines = []
  page.on('console', message => lines.push(`${message.type()}: ${message.text()}`))
  await page.evaluate(() => heed.modelStore.download('chat.gguf'))
  const [first, second] = [await answer(page), await answer(page)]
  assert.equal(first.outcome.text, 'It sleeps.')
  const remedy =
    /one thread.*Cross-Origin-Opener-Policy: same-origin.*Cross-Origin-Embedder-Policy: require-corp.*Document-Isolation-Policy.*heed\/isolation/
  assert.equal(first.notices.length, 1)
  assert.match(first.notices[0], remedy)
  assert.deepEqual(second.notices, [])
  assert.equal(lines.length, 1)
  assert.match(lines[0], /^warning: /)
  assert.match(lines[0], remedy)
  await page.close()
})

test('no notice about threads if one thread was requested', only, async () => {
  const page = await opened()
  assert.deepEqual(
    await page.evaluate(async () => {
      const notices = []
      await (
        await heed.loadModel('chat.gguf', { threads: 1, onProgress: ({ notice }) => notice && notices.push(notice) })
      ).dispose()
      return notices
    }),
    [],
  )
  await page.close()
})

test(
  'an uncached file of the package: the error lists what a service worker must cache, and does not mention Vite',
  only,
  async () => {
    const page = await opened()
    await chromium.context.setOffline(true)
    const {
      outcome: { code, message },
    } = await answer(page)
    await chromium.context.setOffline(false)
    await page.close()
    assert.equal(code, 'network')
    assert.match(message, /heed-worker\.js cannot be fetched: this machine is offline\. .*service worker must keep heed-\*.*manual/)
    assert.doesNotMatch(message, /Vite/)
  },
)

test("with the manual's service worker: the page, the stored model, a chat and a form, isolated", only, async () => {
  const first = await opened()
  await first.evaluate(async () => {
    await navigator.serviceWorker.register('worker.js', { type: 'module' })
    await navigator.serviceWorker.ready
    await heed.modelStore.download('chat.gguf')
  })
  await first.close()
  await chromium.context.setOffline(true)
  try {
    const page = await opened()
    const { outcome, notices } = await answer(page)
    assert.deepEqual(outcome, { text: 'It sleeps.', tokens: true })
    assert.deepEqual(notices, [])
    assert.ok(await page.evaluate(() => crossOriginIsolated))
    await page.close()
  } finally {
    await chromium.context.setOffline(false)
  }
})
