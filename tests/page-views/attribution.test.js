// Attribution on the page: bars that add up to the logit, of the selected token; heads lead to the viewer.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { goldenBytes } from '../support/golden.mjs'
import { assertCalm, choose, openPage, sample, visitPage, write } from '../page/page.mjs'

const { browser, site } = await visitPage({ acceptDownloads: true })
await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site.url).origin })

const open = async page => {
  await page.click('#attribution summary')
  await page.waitForFunction(() => document.querySelectorAll('#attribution-parts li').length > 0)
}
/** The sentence, and the texts of the bars. */
const read = page =>
  page.evaluate(() => ({
    sum: document.getElementById('attribution-sum').textContent,
    parts: [...document.querySelectorAll('#attribution-parts .bar-share')].map(({ textContent }) =>
      Number(textContent.replace('−', '-')),
    ),
  }))

test('the bars add up to the logit of the token that would follow, or that is selected', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '7', maxTokens: '24' })
  await write(page)
  await page.evaluate(() => {
    heed.viewer.token = undefined
  })
  await open(page)
  const shown = async () => {
    const { sum, parts } = await read(page)
    const [, token, total] = /^“(.*)”: the parts add up to (\d+\.\d\d), its score \(logit\)\.$/.exec(sum) ?? assert.fail(sum)
    assert.ok(Math.abs(parts.reduce((all, part) => all + part, 0) - Number(total)) < 0.01 * parts.length, sum)
    const { layers, heads } = await page.evaluate(() => heed.model.info)
    assert.equal(parts.length, 1 + layers * (heads + 1))
    return token
  }
  await shown()
  const selected = await page.evaluate(() => {
    heed.viewer.token = heed.passage.promptTokens.length + 3
    return heed.passage.written[3].text.trim()
  })
  await page.waitForFunction(text => document.getElementById('attribution-sum').textContent.startsWith(`“${text}”`), selected)
  assert.equal(await shown(), selected)
  const expected = await page.evaluate(async () => {
    const ids = [...heed.passage.promptTokens, ...heed.passage.written].map(({ id }) => id)
    const place = heed.viewer.token
    return (await heed.model.attribute(ids.slice(0, place), { token: ids[place] })).sum
  })
  assert.ok((await read(page)).sum.includes(expected.toFixed(2)))
  assertCalm(page)
  await page.close()
})

test('a head leads to its attention, a link to the view, and the file has all parts', async () => {
  const page = await openPage(browser, site.url)
  await open(page)
  const button = page.getByRole('button', { name: 'Show layer 4, head 2' })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => heed.viewer.layer === 3 && heed.viewer.head === 1 && heed.attention.layer === 3)
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#attribution-csv')])
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
    .map(line => line.split(','))
  const { parts } = await read(page)
  assert.equal(lines.length, parts.length + 2)
  const values = lines.slice(1).map(line => Number(line[2]))
  assert.ok(Math.abs(values.slice(0, -1).reduce((sum, value) => sum + value, 0) - values.at(-1)) < 1e-6)
  await page.click('#attribution-link')
  await page.waitForFunction(() => /copied\.$/.test(document.getElementById('attribution-note').textContent))
  const other = await browser.open(await page.evaluate(() => navigator.clipboard.readText()))
  await other.waitForFunction(() => document.querySelectorAll('#attribution-parts li').length > 0)
  for (const each of [page, other]) {
    assertCalm(each)
    await each.close()
  }
})

test('for a model whose state is not a sum, a note says so in its place', async () => {
  const page = await openPage(browser, site.url)
  await open(page)
  await choose(page, 'gemma4', goldenBytes('gemma4-e'))
  await page.waitForFunction(() => /cannot be attributed/.test(document.getElementById('attribution-status').textContent))
  assert.ok(await page.isHidden('#attribution-shown'))
  assertCalm(page)
  await page.close()
})
