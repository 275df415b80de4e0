// Edits on the page: answers without and with them, side by side, links to them, and their file.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { assertCalm, choose, followEach, openPage, visitPage } from '../page/page.mjs'

const { browser, site } = await visitPage({ acceptDownloads: true })
await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site.url).origin })
const { example } = JSON.parse(readFileSync(inRoot('models/heed-stories.interventions.json'), 'utf8'))

const status = page => page.textContent('#edits-status')
const openEdits = async page => {
  await page.click('#edits summary')
  await page.waitForSelector('#edits-run')
}
/** Waits for the answers after `act`. */
const compared = async (page, act) => {
  await page.evaluate(() => {
    document.getElementById('edits-status').textContent = 'not yet'
  })
  await act()
  await page.waitForFunction(() => /same|differ/.test(document.getElementById('edits-status').textContent))
  return page.evaluate(() => ['without', 'with'].map(name => document.getElementById(`edits-${name}`).textContent))
}
const copied = async page => {
  await page.click('#edits-link')
  await page.waitForFunction(() => /copied\.$/.test(document.getElementById('edits-note').textContent))
  return page.evaluate(() => navigator.clipboard.readText())
}

test('the lesson leads to an edit that changes the answer, and to the layers before it', async () => {
  const page = await openPage(browser, site.url)
  const links = page.locator('#lesson-inside a')
  await links.nth(1).waitFor()
  await links.nth(1).click()
  await page.waitForFunction(() => /^The first \d+ tokens/.test(document.getElementById('edits-status').textContent))
  assert.equal(await page.textContent('#edits-without'), example.answer)
  assert.equal(await page.textContent('#edits-with'), example.patched)
  assert.deepEqual(await page.locator('#edits-answers del').allTextContents(), [` ${example.word}`])
  assert.deepEqual(await page.locator('#edits-answers ins').allTextContents(), [` ${example.other}`])
  assert.ok(
    await page.evaluate(() => {
      const { top } = document.getElementById('edits').getBoundingClientRect()
      return top > -2 && top < innerHeight
    }),
    'they are in view',
  )
  await links.nth(0).click()
  await page.waitForFunction(() => /^Layer 4, after/.test(document.getElementById('lens-title')?.textContent ?? ''))
  assertCalm(page)
  await page.close()
})

test('edits are added, changed, switched off and removed; the answer follows', async () => {
  const page = await openPage(browser, site.url)
  await openEdits(page)
  const [plain, same] = await compared(page, () => page.click('#edits-run'))
  assert.equal(same, plain)
  assert.equal(await status(page), 'Both answers are the same.')

  const [, ablated] = await compared(page, () => page.click('#edit-add [value=head]'))
  assert.notEqual(ablated, plain)
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'SELECT', 'the focus is in the new edit')
  const slider = page.locator('#edit-list input[type=range]')
  const [, whole] = await compared(page, () => slider.fill('1'))
  assert.equal(whole, plain, 'times 1')
  await compared(page, () => slider.fill('-2'))
  const [, off] = await compared(page, () => page.uncheck('#edit-list input[type=checkbox]'))
  assert.equal(off, plain)
  const [, steered] = await compared(page, () => page.click('#edit-add [value=steer]'))
  assert.notEqual(steered, plain)
  await compared(page, () => page.locator('#edit-list li').nth(1).getByText('Remove').click())
  const [, hidden] = await compared(page, () => page.click('#edit-add [value=cut]'))
  assert.equal(await page.locator('#edit-list li').count(), 2)
  assert.match(await page.textContent('.edit-key'), /^“.*”$/)
  assert.equal(typeof hidden, 'string')
  assertCalm(page)
  await page.close()
})

test('a problem is shown beside its edit', async () => {
  const page = await openPage(browser, site.url)
  await openEdits(page)
  await compared(page, () => page.click('#edits-run'))
  await page.click('#edit-add [value=patch]')
  const problem = text =>
    page.waitForFunction(text => document.querySelector('.edit-problem:not([hidden])')?.textContent.includes(text), text)
  const [word, other] = ['Read the word', 'as if it were'].map(name => page.getByLabel(name))
  await word.fill('zebra')
  await other.fill('fox')
  await other.press('Tab')
  await problem('does not contain “zebra”')
  await word.fill('fox')
  await other.fill('xylophonists and others')
  await other.press('Tab')
  await problem('choose a word of as many tokens')
  const [plain, changed] = await compared(page, async () => {
    await other.fill('hen')
    await other.press('Tab')
  })
  assert.equal(await page.locator('.edit-problem:visible').count(), 0)
  assert.ok(plain.includes('fox') && changed.includes('hen'), changed)
  await page.click('#edit-add [value=cut]')
  const token = page.locator('#edit-list input[type=number]')
  await token.fill('999')
  await token.press('Tab')
  await problem('there is no token 999')
  assertCalm(page)
  await page.close()
})

test('a link contains the edits; damaged edits do no harm', async () => {
  const page = await openPage(browser, site.url)
  await openEdits(page)
  await compared(page, () => page.click('#edits-run'))
  await compared(page, () => page.click('#edit-add [value=head]'))
  const answers = await compared(page, () => page.click('#edit-add [value=steer]'))
  const link = await copied(page)
  const other = await browser.open(link)
  await other.waitForFunction(([, changed]) => document.getElementById('edits-with')?.textContent === changed, answers)
  assert.equal(await other.locator('#edit-list li').count(), 2)
  for (const each of [page, other]) {
    assertCalm(each)
    await each.close()
  }
  const wrong = [
    'x',
    '[]',
    '[{"kind":"head"}]',
    '[{"kind":"constructor"}]',
    '[{"kind":"head","layer":99,"head":0,"scale":0}]',
    '{"kind":"cut"}',
    'null',
  ]
  const links = wrong.map((edits, at) => ({ prompt: `a fox ${at}`, rest: `edits=${encodeURIComponent(edits)}` }))
  await followEach(browser, site.url, links, async (odd, rest) => {
    if (rest.includes('99'))
      await odd.waitForFunction(() => /99|out of range/.test(document.querySelector('.edit-problem:not([hidden])')?.textContent))
  })
})

test('the file contains the edits as options of the package, and both answers', async () => {
  const page = await openPage(browser, site.url)
  await openEdits(page)
  assert.ok(await page.isDisabled('#edits-json'))
  await page.click('#edit-add [value=steer]')
  const [plain, steered] = await compared(page, () => page.click('#edits-run'))
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#edits-json')])
  assert.equal(download.suggestedFilename(), 'edits.json')
  const file = JSON.parse(readFileSync(await download.path(), 'utf8'))
  assert.deepEqual([file.without.text, file.with.text], [plain, steered])
  const again = await page.evaluate(
    async ({ prompt, edits }) =>
      (
        await heed.model.generate(
          prompt.map(({ id }) => id),
          { temperature: 0, maxTokens: 80, edits },
        )
      ).text,
    file,
  )
  assert.equal(again, steered)
  assertCalm(page)
  await page.close()
})

test('another model and another text have answers of their own', async () => {
  const page = await openPage(browser, site.url)
  await openEdits(page)
  await page.click('#edit-add [value=head]')
  await compared(page, () => page.click('#edits-run'))
  await page.fill('#prompt', 'Write a story about a hen.')
  await page.waitForFunction(() => heed.passage.prompt.endsWith('hen.') && document.getElementById('edits-answers').hidden)
  assert.equal(await page.locator('#edit-list li').count(), 1, 'the edits stay')
  await choose(page, 'bert', goldenBytes('bert'))
  assert.ok((await page.isHidden('#edits')) && (await page.isHidden('#attribution')))
  await choose(page, 'llama', goldenBytes('llama-gqa'))
  assert.equal(await page.locator('#edit-list li').count(), 0)
  await page.click('#edit-add [value=head]')
  await compared(page, () => page.click('#edits-run'))
  assertCalm(page)
  await page.close()
})
