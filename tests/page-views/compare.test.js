// What quantizing changed, on the page: another file of the bundled model beside it, what both would say, a link and files.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { coarsened } from '../support/gguf_files.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { assertCalm, choose, chooseFiles, followEach, openPage, resize, visitPage } from '../page/page.mjs'

const { browser, site } = await visitPage({ acceptDownloads: true })
await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site.url).origin })
const coarse = coarsened(readFileSync(inRoot('models/heed-stories.gguf')))

/** Waits until the text in view has been compared. */
const compared = page =>
  page.waitForFunction(
    () =>
      document.querySelector('#compare > [role=status]')?.textContent === '' &&
      document.querySelectorAll('#compare .kl-text span').length ===
        heed.passage.promptTokens?.length + heed.passage.written.length,
  )

async function openCompare() {
  const page = await openPage(browser, site.url)
  await page.click('#compare summary')
  await page.locator('#compare input[type=file]').waitFor({ state: 'attached' })
  return page
}
const bring = (page, bytes, name = 'coarse.gguf') => chooseFiles(page, '#compare input[type=file]', [{ name, bytes }])
const figures = page => page.textContent('#compare .frame-shown > p')

test('a coarser file: tokens are marked by their divergence, and the table says where both part', async () => {
  const page = await openCompare()
  await bring(page, coarse)
  await compared(page)
  const { layers, tokens } = await page.evaluate(() => ({
    layers: heed.model.info.layers,
    tokens: heed.passage.promptTokens.map(({ text }) => text),
  }))
  const text = await page.locator('#compare .kl-text span').evaluateAll(spans =>
    spans.map(span => ({
      text: span.textContent,
      kl: Number.parseFloat(span.title),
      strength: Number(span.style.getPropertyValue('--probability')),
    })),
  )
  assert.deepEqual(
    text.map(({ text }) => text),
    tokens,
  )
  for (const { kl, strength } of text) assert.ok(Math.abs(strength - Math.min(1, Math.sqrt(kl / 0.5))) < 0.02, `${kl}: ${strength}`)
  const mean = text.reduce((sum, { kl }) => sum + kl, 0) / text.length
  const [, told] = /divergence is ([\d.]+) nats/.exec(await figures(page))
  assert.ok(Math.abs(mean - Number(told)) < 1e-3 && mean > 0.001, `${mean}, ${told}`)
  const rows = await page
    .locator('#compare tbody tr')
    .evaluateAll(all => all.map(row => [...row.querySelectorAll('td')].map(({ textContent }) => Number(textContent))))
  assert.deepEqual([rows.length, rows[0].length], [layers + 1, tokens.length])
  const sums = rows.map(row => row.reduce((sum, one) => sum + one, 0))
  assert.ok(sums.at(-1) > sums[0] && sums[0] > 0, 'they part on the way')
  assert.match(await figures(page), /They part most at (input|layer \d+)\.$/)
  assertCalm(page)
  await page.close()
})

test('a cell has what both would say there, from the keyboard, too', async () => {
  const page = await openCompare()
  await bring(page, coarse)
  await compared(page)
  assert.equal(await page.locator('#compare [role=grid] [tabindex="0"]').count(), 1, 'one stop')
  await page.locator('#compare td').last().focus()
  await page.keyboard.press('ArrowUp')
  const { layers } = await page.evaluate(() => heed.model.info)
  await page.waitForFunction(() => document.querySelectorAll('#compare .predictions li').length === 12)
  assert.match(await page.textContent('#compare .predictions h3'), new RegExp(`^Layer ${layers - 1}, after “`))
  assert.match(await page.textContent('#compare .predictions [role=status]'), /part|same token/)
  const [first] = await page.locator('#compare .predictions ol').first().locator('.bar-text').allTextContents()
  const expected = await page.evaluate(async layers => {
    const ids = heed.passage.promptTokens.map(({ id }) => id)
    const {
      layers: [{ predictions }],
    } = await heed.model.lens(ids, { positions: [-1], layers: [layers - 2], top: 1 })
    return predictions[0].top[0].text.trim() || '↵'
  }, layers)
  assert.equal(first, expected)
  assertCalm(page)
  await page.close()
})

test('the model itself differs nowhere; a link brings the same model, and files have the numbers', async () => {
  const page = await openCompare()
  await page.locator('#compare').getByRole('button', { name: 'The bundled model', exact: true }).click()
  await compared(page)
  assert.match(await figures(page), /after 100 % of \d+ tokens, and the mean divergence is 0\.0000 nats\.$/)
  const save = async name => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#compare').getByRole('button', { name }).click(),
    ])
    return readFileSync(await download.path())
  }
  const lines = `${await save('Save as CSV')}`.trimEnd().split('\r\n')
  const tokens = await page.locator('#compare .kl-text span').count()
  assert.equal(lines.length, tokens + 1)
  for (const line of lines.slice(1)) assert.match(line, /,0,1(,0)+$/)
  const npy = await save('Save as NPY')
  assert.match(npy.toString('latin1', 10, 128), new RegExp(`'shape': \\(11, ${tokens}\\)`))
  assert.match(`${await save('Save as a picture')}`, /^<svg.*Layer 10.*<\/svg>$/s)
  await page.click('#compare .copy-link')
  await page.waitForFunction(() => /copied\.$/.test(document.querySelector('#compare .sharing').textContent))
  const other = await browser.open(await page.evaluate(() => navigator.clipboard.readText()))
  await compared(other)
  for (const each of [page, other]) {
    assertCalm(each)
    await each.close()
  }
})

test('a copy of the bundled model with 4 bits a weight is made in the page: smaller, and close to it', async () => {
  const page = await openCompare()
  await page.locator('#compare').getByRole('button', { name: 'A copy of the bundled model with 4 bits a weight' }).click()
  await compared(page)
  const [, here, there] = /^([\d.]+) MB here and ([\d.]+) MB there/.exec(await figures(page)).map(Number)
  assert.ok(there < 0.6 * here, `${there} of ${here} MB`)
  const [, agreement, divergence] = /after ([\d.]+) % of .* divergence is ([\d.]+) nats/.exec(await figures(page)).map(Number)
  assert.ok(agreement > 80 && divergence > 0.0005 && divergence < 0.2, `${agreement} %, ${divergence} nats`)
  // After the layer of embeddings alone, states are as far apart as the rounding of 4 bits: some 8 % of their length.
  const distances = await page.locator('#compare tbody tr').first().locator('td').allTextContents()
  const mean = distances.reduce((sum, one) => sum + Number(one), 0) / distances.length
  assert.ok(mean > 0.02 && mean < 0.15, `${mean}`)
  assertCalm(page)
  await page.close()
})

test('it follows the text, and unloads the other model when it is folded up or the page’s model changes', async () => {
  const page = await openCompare()
  await bring(page, coarse)
  await compared(page)
  await page.fill('#prompt', 'A small owl slept.')
  await page.waitForFunction(() => heed.passage.prompt === 'A small owl slept.' && heed.passage.promptTokens)
  await compared(page)
  await page.click('#compare summary')
  await page.waitForFunction(() => document.querySelector('#compare .frame-shown').hidden)
  await page.click('#compare summary')
  await bring(page, coarse)
  await compared(page)
  await choose(page, 'other', goldenBytes('llama-gqa'))
  await page.waitForFunction(() => document.querySelector('#compare .frame-shown').hidden)
  await bring(page, coarse)
  await page.waitForFunction(() => /vocabularies of/.test(document.querySelector('#compare > [role=status]').textContent))
  await bring(page, Buffer.from('no model'))
  await page.waitForFunction(() => /GGUF/.test(document.querySelector('#compare > [role=status]').textContent))
  assertCalm(page)
  await page.close()
})

test('a link to a model elsewhere only proposes it, and it fits on a phone', async () => {
  const rests = ['compare=https%3A%2F%2Fexample.invalid%2Fa.gguf', 'compare=open']
  const links = rests.map((rest, at) => ({ prompt: `A fox ${at}.`, rest }))
  await followEach(browser, site.url, links, async (page, rest) => {
    await page.waitForFunction(() => document.querySelector('#compare input[type=text]'))
    if (rest !== 'compare=open')
      await page.waitForFunction(() => /example\.invalid/.test(document.querySelector('#compare input[type=text]').value))
    assert.equal(await page.textContent('#compare > [role=status]'), '')
  })
  const page = await openCompare()
  await resize(page, 390, 844)
  await bring(page, coarse)
  await compared(page)
  await page.locator('#compare td').first().click()
  await page.waitForFunction(() => document.querySelectorAll('#compare .predictions li').length === 12)
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'only the table scrolls')
  assertCalm(page)
  await page.close()
})
