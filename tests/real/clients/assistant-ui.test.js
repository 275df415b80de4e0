// assistant-ui in a page, in Chromium, with the manual's component: a message, the streamed answer, and the next turn, under a policy that
// blocks other hosts.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { browserObstacle } from '../../../tools/browsers/install.mjs'
import { startChromium } from '../../../tools/browsers/chromium.mjs'
import { serveSite } from '../../browser/site.mjs'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { blocksOf } from '../../support/snippets.mjs'
import { fromNpm, realTest } from '../shelf.mjs'

const packages = {
  '@assistant-ui/react': '0.15.22',
  '@assistant-ui/ai-sdk': '0.0.7',
  '@ai-sdk/react': '4.0.177',
  ai: '7.0.173',
  react: '19.3.1',
  'react-dom': '19.3.1',
}

/** The component of the manual in a page, as one script beside the package, which it imports by its address. */
async function script(modules) {
  const { source } = blocksOf('docs/recipes/assistant-ui.md').find(({ language }) => language === 'jsx')
  const component = join(modules, '../assistant.jsx')
  const entry = join(modules, '../assistant-page.jsx')
  assert.match(source, /'hf:[^']*'/)
  writeFileSync(component, source.replace(/'hf:[^']*'/, "'chat.gguf'"))
  writeFileSync(
    entry,
    `import { createElement, StrictMode } from 'react'
    import { createRoot } from 'react-dom/client'
    import { Assistant } from './assistant.jsx'
    createRoot(document.body.appendChild(document.createElement('main'))).render(createElement(StrictMode, null, createElement(Assistant)))`,
  )
  const {
    output: [{ code }],
  } = await build({
    input: entry,
    platform: 'browser',
    write: false,
    logLevel: 'silent',
    external: /^heed/,
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    output: { format: 'es', codeSplitting: false, paths: { 'heed/ai-sdk': './dist/ai-sdk.js' } },
  })
  return code
}

const obstacle = browserObstacle('chromium')

realTest(
  'assistant-ui, with the component of the manual',
  () => fromNpm('client--assistant-ui', packages),
  async (modules, t) => {
    if (obstacle) return t.skip(obstacle)
    const code = await script(modules)
    const site = await serveSite({
      change(dist) {
        writeFileSync(join(dist, '../assistant.js'), code)
        writeFileSync(join(dist, '../chat.gguf'), scriptedModel(['Hello there, how are you?', 'In a den.']))
      },
    })
    t.after(() => site.close())
    const chromium = await startChromium()
    t.after(() => chromium.close())
    const page = await chromium.open(site.url)
    await page.evaluate(() => import('./assistant.js').then(() => {}))
    for (const [message, answer] of [
      ['Good morning!', 'Hello there, how are you?'],
      ['Where do foxes sleep?', 'In a den.'],
    ]) {
      await page.getByLabel('Message').fill(message)
      await page.getByText('Send').click()
      await page.getByText(message).waitFor()
      await page.getByText(answer).waitFor()
    }
    assert.deepEqual(page.problems, [])
    await page.close()
  },
)
