// The template classroom: a text and an answer in the viewer, and questions whose right answers match the documented heads of the
// bundled model.
import assert from 'node:assert/strict'
import { siteTest } from './support.mjs'

const viewed = page =>
  page.evaluate(() => {
    const { layer, head, passage } = document.querySelector('heed-viewer')
    return { layer, head, written: passage.written.map(({ text }) => text).join('') }
  })

siteTest('classroom: texts are shown, and questions answered', { template: 'classroom', ready: '#show:enabled' }, async page => {
  assert.match((await viewed(page)).written, /^Ada/)
  await page.fill('#text', 'The owl sleeps.')
  await page.click('#show')
  await page.waitForFunction(() => document.querySelector('heed-viewer').passage?.prompt === 'The owl sleeps.')
  const expected = [
    ['red', 0, 0],
    ['Ada', 3, 3],
    ['Pip', 3, 3],
    ['drew', 1, 3],
  ]
  const cards = page.locator('#questions li')
  assert.equal(await cards.count(), expected.length)
  for (const [at, [word, layer, head]] of expected.entries()) {
    const card = cards.nth(at)
    await card.locator('text=Show it').click()
    await page.waitForFunction(
      ([layer, head]) => {
        const viewer = document.querySelector('heed-viewer')
        return viewer.layer === layer && viewer.head === head && !document.querySelector('#show').disabled
      },
      [layer, head],
    )
    const wrong = card.locator(`input:not([value=${word}])`).first()
    const verdict = card.locator('[role=status]')
    await wrong.check()
    await card.locator('text=Check').click()
    await card.locator(`[role=status]:has-text("No, it is “${word}”.")`).waitFor()
    await card.locator(`input[value=${word}]`).check()
    await card.locator('text=Check').click()
    await card.locator('[role=status]:has-text("Right.")').waitFor()
    const shares = [...(await verdict.innerText()).matchAll(/“(\w+)” (\d+) %/g)]
    assert.ok(Number(shares.find(([, name]) => name === word)[2]) > 30, 'a look that is worth a question')
  }
})
