// heed/prompt-api in browsers that have a LanguageModel of their own. Debian's Chromium 156 has one that is "unavailable" and whose create()
// rejects; that of the headless shell is "downloadable" and answers with the text that it gets.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { browserObstacle, needBrowser } from '../../tools/browsers/install.mjs'
import { Unavailable } from '../../tools/environments/install.mjs'
import { serveSite } from '../browser/site.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { realTest } from './shelf.mjs'

const browserOf = name => async () => {
  const obstacle = browserObstacle(name)
  if (obstacle) throw new Unavailable(obstacle)
  return (await needBrowser(name)).chromium
}

/** Whose answer each way of installation gives, and whether sessions are instances. */
async function answersIn(executablePath) {
  const site = await serveSite({
    change: dist => writeFileSync(join(dist, '..', 'chat.gguf'), scriptedModel(['Ours.'], { context: 256 })),
  })
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
  try {
    const page = await browser.newPage()
    await page.goto(site.url)
    await page.waitForFunction(() => globalThis.heed)
    return await page.evaluate(async () => {
      const { install } = await import('./dist/prompt-api.js')
      const own = globalThis.LanguageModel
      const answer = async () => {
        const session = await LanguageModel.create({ monitor() {} })
        return [session instanceof LanguageModel, await session.prompt('Echo')]
      }
      const options = { source: 'chat.gguf', load: heed.loadModel, threads: 1 }
      const state = own && (await own.availability())
      install(globalThis, options)
      const besides = await answer()
      Object.defineProperty(globalThis, 'LanguageModel', { value: own, configurable: true, writable: true })
      install(globalThis, { ...options, replace: true })
      return { hasOwn: typeof own === 'function', state, besides, replaced: await answer() }
    })
  } finally {
    await browser.close()
    await site.close()
  }
}

realTest('Chromium, whose own LanguageModel is unavailable', browserOf('whole chromium'), async path => {
  const { hasOwn, state, besides, replaced } = await answersIn(path)
  if (hasOwn) assert.equal(state, 'unavailable')
  assert.deepEqual([besides, replaced], Array(2).fill([true, 'Ours.']))
})

realTest('the headless shell, whose own LanguageModel answers', browserOf('chromium'), async path => {
  const { hasOwn, state, besides, replaced } = await answersIn(path)
  const ownAnswers = hasOwn && state !== 'unavailable'
  assert.equal(besides[0], true)
  if (ownAnswers) assert.match(besides[1], /Echo/)
  else assert.equal(besides[1], 'Ours.')
  assert.deepEqual(replaced, [true, 'Ours.'])
})
