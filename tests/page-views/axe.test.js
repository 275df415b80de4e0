// axe finds no fault with the page: on the first screen, with everything open, in a conversation and in the lesson, in each of its
// color schemes and on a phone.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { answered, say } from '../page/chatting.mjs'
import { chirp, wavFile, whisperModel } from '../support/whisper_model.mjs'
import { assertCalm, chooseFiles, openPage, sample, visitPage, write } from '../page/page.mjs'

const { browser, site } = await visitPage()
// Runs before the page, whose policy forbids foreign scripts.
await browser.context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })

/** The violated rules, each with its elements and reasons. */
const findings = page =>
  page.evaluate(async () => {
    // With forced colors, scripts only see the background's.
    const rules = { 'color-contrast': { enabled: !matchMedia('(forced-colors: active)').matches } }
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'], rules })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    )
  })

/**
 * Colors fade: a measurement during the transition is neither the old nor the new one. The transition begins in the frame after a
 * change.
 */
const settled = page =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    await Promise.allSettled(
      document
        .getAnimations({ subtree: true })
        .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    )
  })

const looks = [
  ['light', { colorScheme: 'light' }, { width: 1280, height: 800 }],
  ['dark', { colorScheme: 'dark' }, { width: 1280, height: 800 }],
  ['forced colors', { forcedColors: 'active' }, { width: 820, height: 1180 }],
  ['a phone', { colorScheme: 'light' }, { width: 390, height: 844 }],
]

for (const [name, media, size] of looks) {
  test(`axe finds no problems: ${name}`, async () => {
    const first = await browser.open(site.url)
    await first.emulateMedia(media)
    await first.setViewportSize(size)
    await first.waitForFunction(() => globalThis.heed?.model && heed.viewer.token !== undefined && heed.attention)
    await settled(first)
    assert.deepEqual(await findings(first), [], 'the first screen')
    await sample(first, { temperature: '0' })
    await say(first, 'A fox named Pip lost a lantern near the river. Who lost the lantern?')
    await answered(first)
    await settled(first)
    assert.deepEqual(await findings(first), [], 'a conversation')
    assertCalm(first)
    await first.close()
  })
}

/** The background color of the page, which may change after the media query and the text. */
const papers = { light: 'rgb(250, 248, 243)', dark: 'rgb(22, 21, 19)' }

test('axe finds no problems: a text with everything open', async () => {
  const page = await openPage(browser, site.url)
  await write(page)
  await page.locator('.token.written').nth(5).click()
  await page.evaluate(() => {
    for (const details of everywhere('details')) details.open = true
  })
  await page.waitForFunction(() => document.querySelectorAll('#attribution-parts li').length > 0)
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    await page.waitForFunction(paper => getComputedStyle(document.documentElement).backgroundColor === paper, papers[colorScheme])
    await settled(page)
    assert.deepEqual(await findings(page), [], colorScheme)
  }
  assertCalm(page)
  await page.close()
})

for (const [name, media, size] of looks) {
  test(`axe finds no problems in a transcript that can be played: ${name}`, async () => {
    const page = await browser.open(site.url)
    await page.emulateMedia(media)
    await page.setViewportSize(size)
    await page.waitForFunction(() => globalThis.heed?.model)
    const words = Array.from({ length: 50_256 }, (_, id) => Buffer.from(id === 0 ? ' ' : ` w${id}`))
    await chooseFiles(page, '#file', [{ name: 'ggml-random.bin', bytes: whisperModel({ positions: 50, words }) }])
    await page.waitForFunction(() => globalThis.heed.model.info.transcribes && !document.getElementById('transcript').hidden)
    await chooseFiles(page, '#transcript input[type=file]', [{ name: 'talk.wav', bytes: wavFile(chirp(2)) }])
    await page.waitForFunction(() => document.querySelector('.speech-status').textContent === 'Done.')
    await page.evaluate(() => document.querySelector('.heard .word').focus())
    await page.waitForFunction(() => document.querySelector('#transcript audio').readyState > 0)
    await settled(page)
    assert.deepEqual(await findings(page), [])
    assertCalm(page)
    await page.close()
  })
}
