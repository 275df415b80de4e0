// Features on the page: those under each token, what is known of one, steering by it, the user's own files, a link and files.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { dictionaryConfig, dictionaryTensors, safetensors } from '../support/dictionary.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { assertCalm, choose, chooseFiles, followEach, openPage, resize, visitPage } from '../page/page.mjs'

const { browser, site } = await visitPage({ acceptDownloads: true })
await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site.url).origin })

const status = page => page.textContent('#features > [role=status]')
const read = page =>
  page.waitForFunction(
    () =>
      document.querySelectorAll('#features th[scope=col]').length ===
        heed.passage.promptTokens?.length + heed.passage.written.length + 1 &&
      document.querySelector('#features > [role=status]').textContent === '',
  )

async function openFeatures() {
  const page = await openPage(browser, site.url)
  await page.click('#features summary')
  await read(page)
  return page
}
/** Waits until the panel has the tokens that the feature raises. */
const told = page => page.waitForFunction(() => /likelier/.test(document.querySelector('.feature-panel').textContent))
/** Waits for steered answers after `act`. */
async function steered(page, act) {
  await page.evaluate(() => {
    document.querySelector('[aria-label="State of the steered answer"]').textContent = 'not yet'
  })
  await act()
  await page.waitForFunction(() =>
    /same|differ/.test(document.querySelector('[aria-label="State of the steered answer"]').textContent),
  )
  return page.locator('.feature-panel .edits-answers p').allTextContents()
}

test('the page’s own dictionary: the largest features of each token, without a download of the package', async () => {
  const page = await openFeatures()
  const found = await page
    .locator('#features tbody tr')
    .evaluateAll(rows =>
      rows.map(row => [...row.querySelectorAll('td')].map(({ ariaLabel }) => Number(/feature (\d+)/.exec(ariaLabel)?.[1]))),
    )
  const expected = await page.evaluate(async () => {
    const [{ name }] = await (await fetch('dictionaries/catalogue.json')).json()
    const sae = await heed.model.loadFeatures(new URL(`dictionaries/${name}`, location.href))
    const ids = heed.passage.promptTokens.map(({ id }) => id)
    return (await heed.model.features(ids, { sae, top: 3 })).top.map(best => best.map(({ feature }) => feature))
  })
  assert.ok(expected.every(best => best.length > 0))
  expected.forEach((best, token) =>
    best.forEach((feature, row) => {
      assert.equal(found[row][token], feature)
    }),
  )
  assert.match(await page.textContent('#features .frame-shown'), /On average \d+\.\d of \d+ features are on/)
  assert.match(await page.textContent('#features .frame-shown'), / % of what varies in the state after layer 6\./)
  assertCalm(page)
  await page.close()
})

test('a feature: its places, the tokens that it raises, and a slider that steers, from the keyboard', async () => {
  const page = await openFeatures()
  assert.equal(await page.locator('#features [role=grid] [tabindex="0"]').count(), 1, 'one stop')
  await page.locator('#features td').last().focus()
  await page.keyboard.press('PageUp')
  await told(page)
  const feature = Number(/^Feature (\d+)/.exec(await page.textContent('.feature-panel h3'))[1])
  assert.match(await page.evaluate(() => document.activeElement.ariaLabel), new RegExp(`feature ${feature}\\b`))
  assert.ok((await page.locator('[aria-label="In this text"] li').count()) > 0)
  const slider = page.locator('.feature-panel input[type=range]')
  const [plain, same] = await steered(page, () => slider.dispatchEvent('change'))
  assert.equal(same, plain)
  const most = Number(await slider.getAttribute('max'))
  const [, changed] = await steered(page, () => slider.fill(`${most}`))
  const expected = await page.evaluate(
    async ({ feature, scale, plain }) => {
      const [{ name }] = await (await fetch('dictionaries/catalogue.json')).json()
      const sae = await heed.model.loadFeatures(new URL(`dictionaries/${name}`, location.href))
      const ids = heed.passage.promptTokens.map(({ id }) => id)
      const say = async edits => (await heed.model.generate(ids, { temperature: 0, maxTokens: 40, edits })).text
      return [(await say([])) === plain, await say([{ feature: [sae, feature], scale }])]
    },
    { feature, scale: most, plain },
  )
  assert.deepEqual(expected, [true, changed])
  assert.notEqual(changed, plain)
  assertCalm(page)
  await page.close()
})

test('a link opens the same feature with the same steering, and files have all that is on', async () => {
  const page = await openFeatures()
  await page.locator('#features td').first().click()
  await told(page)
  const slider = page.locator('.feature-panel input[type=range]')
  const [, changed] = await steered(page, async () => slider.fill(await slider.getAttribute('max')))
  const save = async name => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#features').getByRole('button', { name }).click(),
    ])
    return readFileSync(await download.path())
  }
  const tokens = (await page.locator('#features th[scope=col]').count()) - 1
  const lines = `${await save('Save as CSV')}`.trimEnd().split('\r\n')
  const npy = await save('Save as NPY')
  const length = npy.readUInt16LE(8)
  const [, rows, columns] = /'descr': '<f4', 'fortran_order': False, 'shape': \((\d+), (\d+)\)/.exec(
    npy.toString('latin1', 10, 10 + length),
  )
  assert.equal(Number(rows), tokens)
  const values = new Float32Array(npy.buffer.slice(npy.byteOffset + 10 + length, npy.byteOffset + npy.length))
  assert.equal(values.length, rows * columns)
  assert.equal(values.filter(value => value !== 0).length, lines.length - 1)
  assert.match(`${await save('Save as a picture')}`, /^<svg.*<\/svg>$/s)
  const title = await page.textContent('.feature-panel h3')
  await page.click('#features .copy-link')
  await page.waitForFunction(() => /copied\.$/.test(document.querySelector('#features .sharing').textContent))
  const other = await browser.open(await page.evaluate(() => navigator.clipboard.readText()))
  await other.waitForFunction(
    text => document.querySelectorAll('.feature-panel .edits-answers p')[1]?.textContent === text,
    changed,
  )
  assert.equal(await other.textContent('.feature-panel h3'), title)
  for (const each of [page, other]) {
    assertCalm(each)
    await each.close()
  }
})

test('the user’s own dictionary, one that is damaged, and a model without one', async () => {
  const page = await openFeatures()
  const { width } = await page.evaluate(() => heed.model.info)
  const files = change => [
    { name: 'cfg.json', bytes: JSON.stringify({ ...dictionaryConfig(width, 24), ...change }) },
    { name: 'sae_weights.safetensors', bytes: safetensors(dictionaryTensors(width, 24)) },
  ]
  await chooseFiles(page, '#features input[type=file]', files({}))
  await page.waitForFunction(() => / of 24 features are on/.test(document.querySelector('#features .frame-shown').textContent))
  await chooseFiles(page, '#features input[type=file]', files({ architecture: 'temporal' }))
  await page.waitForFunction(() => /temporal/.test(document.querySelector('#features > [role=status]').textContent))
  assert.ok(await page.locator('#features .frame-shown').isHidden())
  await page.locator('#features select').selectOption({ index: 0 })
  await read(page)
  await choose(page, 'other', goldenBytes('llama-gqa'))
  await page.waitForFunction(() => /^No dictionary comes/.test(document.querySelector('#features > [role=status]').textContent))
  assert.match(await status(page), /open the files of one/)
  assertCalm(page)
  await page.close()
})

test('damaged links do no harm, and it fits on a phone', async () => {
  const rests = [
    'features=%7B',
    'features=null',
    'features=%7B%22sae%22%3A%22none%22%7D',
    'features=%7B%22feature%22%3A99999%7D',
    'features=open',
  ]
  const links = rests.map((rest, at) => ({ prompt: `A fox ${at}.`, rest }))
  await followEach(browser, site.url, links, async page => {
    await read(page)
  })
  const page = await openFeatures()
  await resize(page, 390, 844)
  await page.locator('#features td').first().click()
  await told(page)
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'only the table scrolls')
  assertCalm(page)
  await page.close()
})
