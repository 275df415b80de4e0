// “Find heads”: the heads of each kind, each with a button that shows its attention.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { assertCalm, choose, openPage, visitPage } from '../page/page.mjs'

const { browser, site } = await visitPage()

const found = page => page.waitForFunction(() => document.querySelectorAll('#found-kinds li').length > 0)

test('lists the heads of each kind, and shows one in the viewer', async () => {
  const page = await openPage(browser, site.url)
  await page.click('#found-heads summary')
  await found(page)
  assert.deepEqual(
    await page
      .locator('#found-kinds section')
      .evaluateAll(sections =>
        sections.map(section => [
          document.getElementById(section.getAttribute('aria-labelledby')).textContent !== '',
          section.querySelectorAll('li').length,
        ]),
      ),
    Array(4).fill([true, 5]),
  )
  const known = JSON.parse(readFileSync(inRoot('models/heed-stories.heads.json'), 'utf8'))
  for (const [list, name] of [
    ['previousToken', 'previous'],
    ['induction', 'repeated'],
  ]) {
    const { layer, head } = known.find(({ kind }) => kind === name)
    const buttons = page.locator(`section[aria-labelledby=found-${list}] button`)
    // Two heads attend to the token after the last occurrence: which of them is better depends on the text.
    const place = (await buttons.allTextContents()).indexOf(`Layer ${layer + 1}, head ${head + 1}`)
    assert.ok(place >= 0 && place < (name === 'repeated' ? 2 : 1), `${place}`)
    const button = buttons.nth(place)
    await button.focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      ([layer, head]) => heed.viewer.layer === layer && heed.viewer.head === head && heed.attention.layer === layer,
      [layer, head],
    )
  }
  const shares = await page.locator('section[aria-labelledby=found-induction] .bar-share').allTextContents()
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => parseFloat(b) - parseFloat(a)),
    'the best first',
  )
  assertCalm(page)
  await page.close()
})

test('heads are measured again for another model, and not offered for encoders', async () => {
  const page = await openPage(browser, site.url)
  await page.click('#found-heads summary')
  await found(page)
  await choose(page, 'bert', goldenBytes('bert'))
  assert.ok(await page.isHidden('#found-heads'))
  await choose(page, 'llama', goldenBytes('llama-gqa'))
  await found(page)
  const names = await page.locator('#found-kinds button').allTextContents()
  assert.ok(
    names.every(name => Number(/Layer (\d+)/.exec(name)[1]) <= 2),
    'its layers',
  )
  assertCalm(page)
  await page.close()
})
