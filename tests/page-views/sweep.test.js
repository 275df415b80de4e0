// The sweep on the page: a table that fills while it runs, the two answers of a cell, a link and files.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assertCalm, followEach, openPage, resize, visitPage } from '../page/page.mjs'

const { browser, site } = await visitPage({ acceptDownloads: true })
await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site.url).origin })
const prompt = 'A fox named Pip lost a lantern near the river. An owl called Ada found the lantern. The owl gave the lantern to'

const status = page => page.textContent('#sweep > [role=status]')
/** Waits for a sentence about the sweep. */
const says = (page, pattern) =>
  page.waitForFunction(
    source => new RegExp(source).test(document.querySelector('#sweep > [role=status]')?.textContent ?? ''),
    pattern.source,
  )

/** The page with the text, and the sweep open. */
async function openSweep() {
  const page = await openPage(browser, site.url)
  await page.fill('#prompt', prompt)
  await page.waitForFunction(prompt => heed.passage.prompt === prompt && heed.passage.promptTokens && heed.attention, prompt)
  await page.evaluate(() => {
    heed.viewer.token = undefined
  })
  await page.click('#sweep summary')
  await page.getByLabel('Another in its place').waitFor()
  return page
}

async function run(page, word, other, at) {
  await page.getByLabel('A word of the text').fill(word)
  await page.getByLabel('Another in its place').fill(other)
  if (at) await page.getByLabel('What each cell restores').selectOption(at)
  await page.getByRole('button', { name: 'Sweep', exact: true }).click()
}

const shares = page =>
  page
    .locator('#sweep tbody tr')
    .evaluateAll(rows => rows.map(row => [...row.querySelectorAll('td')].map(cell => Number(cell.textContent.replace('−', '-')))))

test('is fetched when it is opened, fills while it runs, and has the numbers of the package', async () => {
  const page = await openSweep()
  await page.evaluate(() => {
    globalThis.counts = []
    new MutationObserver(() => {
      const cells = [...document.querySelectorAll('#sweep td')]
      counts.push([cells.filter(({ textContent }) => textContent !== '').length, cells.length])
    }).observe(document.querySelector('#sweep > [role=status]'), { childList: true })
  })
  await run(page, 'Pip', 'Tom')
  await says(page, /up to layer/)
  assert.ok(
    (await page.evaluate(() => counts)).some(([filled, all]) => filled > 0 && filled < all),
    'it fills bit by bit',
  )
  const expected = await page.evaluate(async () => {
    const clean = heed.passage.promptTokens.map(({ id }) => id)
    const [pip, tom] = await Promise.all([' Pip', ' Tom'].map(text => heed.model.tokenize(text, { addSpecial: false })))
    const place = clean.indexOf(pip[0])
    const corrupted = clean.with(place, tom[0])
    const positions = clean.map((_, position) => position).slice(place)
    const { normalized, shape } = await heed.model.sweep({
      clean,
      corrupted,
      at: 'resid',
      metric: { token: pip[0], against: tom[0] },
      positions,
    })
    return { normalized: [...normalized], shape }
  })
  const found = await shares(page)
  assert.deepEqual([found.length, found[0].length], expected.shape)
  found.flat().forEach((share, at) => assert.ok(Math.abs(share - expected.normalized[at]) < 0.006, `${at}: ${share}`))
  assert.match(await status(page), /^“Pip” instead of “Tom”: at “Pip” up to layer \d, and in the end at “to”\.$/)
  assertCalm(page)
  await page.close()
})

test('a cell opens the two answers, from the keyboard, too', async () => {
  const page = await openSweep()
  await run(page, 'Pip', 'Tom')
  await says(page, /up to layer/)
  assert.equal(await page.locator('#sweep [role=grid] [tabindex="0"]').count(), 1, 'one stop')
  const answers = () => page.locator('#sweep .edits-answers p').allTextContents()
  const said = pattern =>
    page.waitForFunction(
      source => new RegExp(source).test(document.querySelector('[aria-label="State of the answers"]').textContent),
      pattern.source,
    )
  await page.locator('#sweep td').last().focus()
  for (const key of ['PageUp', 'Home']) await page.keyboard.press(key)
  assert.equal(await page.evaluate(() => document.activeElement.ariaSelected), 'true')
  assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /^Layer 1, “Pip”: 1\.00 restored$/)
  assert.equal(await page.textContent('#sweep h3'), 'Layer 1, “Pip”')
  await said(/differ|first/)
  const [other, restored] = await answers()
  assert.ok(other.includes('Tom') && restored.includes('Pip'), `${other} / ${restored}`)
  await page.keyboard.press('ArrowRight')
  await said(/^Both answers are the same/)
  assert.equal(await page.textContent('#sweep h3'), 'Layer 1, “lost”')

  await run(page, 'Pip', 'Tom', 'z')
  await says(page, /restores most of it|no cell/)
  const { layers, heads } = await page.evaluate(() => heed.model.info)
  const found = await shares(page)
  assert.deepEqual([found.length, found[0].length], [layers, heads])
  assertCalm(page)
  await page.close()
})

test('a sweep can be stopped, and words that do not fit are explained', async () => {
  const page = await openSweep()
  await run(page, 'zebra', 'Tom')
  await says(page, /does not contain “zebra”/)
  await run(page, 'Pip', 'xylophonists and others')
  await says(page, /choose a word of as many tokens/)
  await run(page, 'Pip', '')
  await says(page, /^Write a/)
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const stop = [...document.querySelectorAll('#sweep button')].find(({ textContent }) => textContent === 'Stop')
      if (!/of \d+ cells/.test(document.querySelector('#sweep > [role=status]').textContent)) return
      observer.disconnect()
      stop.click()
    }).observe(document.querySelector('#sweep > [role=status]'), { childList: true })
  })
  await run(page, 'Pip', 'Tom')
  await says(page, /^Stopped\.$/)
  assert.ok(await page.getByRole('button', { name: 'Sweep', exact: true }).isVisible())
  await run(page, 'Pip', 'Tom')
  await says(page, /up to layer/)
  assertCalm(page)
  await page.close()
})

test('a link runs the same sweep, and files have its numbers', async () => {
  const page = await openSweep()
  await run(page, 'Pip', 'Tom')
  await says(page, /up to layer/)
  await page.locator('#sweep tbody tr').nth(1).locator('td').first().click()
  const save = async name => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#sweep').getByRole('button', { name }).click(),
    ])
    return readFileSync(await download.path())
  }
  const found = (await shares(page)).flat()
  const lines = `${await save('Save as CSV')}`.trimEnd().split('\r\n')
  assert.equal(lines.length, found.length + 1)
  const restored = lines.slice(1).map(line => Number(line.split(',').at(-1)))
  restored.forEach((share, at) => assert.ok(Math.abs(share - found[at]) < 0.006))
  const npy = await save('Save as NPY')
  assert.equal(npy.toString('latin1', 1, 6), 'NUMPY')
  const length = npy.readUInt16LE(8)
  assert.equal((10 + length) % 64, 0)
  assert.match(npy.toString('latin1', 10, 10 + length), /'descr': '<f8', 'fortran_order': False, 'shape': \(10, \d+\)/)
  const numbers = [...new Float64Array(npy.buffer.slice(npy.byteOffset + 10 + length, npy.byteOffset + npy.length))]
  assert.deepEqual(numbers, restored)
  assert.match(`${await save('Save as a picture')}`, /^<svg[^>]*>.*Layer 10.*<\/svg>$/s)

  await page.click('#sweep .copy-link')
  await page.waitForFunction(() => /copied\.$/.test(document.querySelector('#sweep .sharing').textContent))
  const other = await browser.open(await page.evaluate(() => navigator.clipboard.readText()))
  await other.waitForFunction(() => /^Layer 2, “Pip”$/.test(document.querySelector('#sweep h3')?.textContent ?? ''))
  assert.deepEqual((await shares(other)).flat(), found)
  for (const each of [page, other]) {
    assertCalm(each)
    await each.close()
  }
})

test('paths from each head to the token that follows, and to a later head, on a phone and from a link, too', async () => {
  const page = await openSweep()
  await resize(page, 390, 844)
  const layer = page.getByLabel('Layer of that head')
  const end = page.getByLabel('Where the path leads')
  const asIn = path =>
    page.evaluate(async path => {
      const clean = heed.passage.promptTokens.map(({ id }) => id)
      const [pip, tom] = await Promise.all([' Pip', ' Tom'].map(text => heed.model.tokenize(text, { addSpecial: false })))
      const corrupted = clean.map(id => (id === pip[0] ? tom[0] : id))
      const { normalized } = await heed.model.sweep({ clean, corrupted, path, metric: { token: pip[0], against: tom[0] } })
      return [...normalized]
    }, path)
  const assertShows = async (page, expected) => {
    const found = (await shares(page)).flat()
    assert.equal(found.length, expected.length)
    found.forEach((share, at) => {
      if (Number.isNaN(expected[at])) assert.ok(Number.isNaN(share))
      else assert.ok(Math.abs(share - expected[at]) < 0.006, `${at}: ${share}, not ${expected[at]}`)
    })
  }
  assert.deepEqual([await end.isVisible(), await layer.isVisible()], [false, false])
  await run(page, 'Pip', 'Tom', 'path')
  await says(page, /restores most of it|no cell/)
  assert.deepEqual([await end.isVisible(), await layer.isVisible()], [true, false])
  await assertShows(page, await asIn({ to: 'logits' }))
  await end.selectOption('v')
  await layer.fill('99')
  await layer.press('Enter')
  assert.ok(await layer.evaluate(input => input.validity.rangeOverflow), 'the model has fewer layers')
  await layer.fill('6')
  await layer.press('Enter')
  const expected = await asIn({ to: [5, 0], via: 'v' })
  await page.waitForFunction(() => document.querySelector('#sweep tbody tr:last-child td')?.textContent === '–')
  await says(page, /restores most of it|no cell/)
  await assertShows(page, expected)
  assert.match(await page.locator('#sweep td').last().getAttribute('aria-label'), /no path leads from here$/)
  await page.locator('#sweep td').first().click()
  await page.waitForFunction(() => /no answer is written/.test(document.querySelector('.sweep-cell [role=status]').textContent))
  assert.equal(await page.locator('#sweep .edits-answers').isVisible(), false)
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'only the table scrolls')

  await page.click('#sweep .copy-link')
  await page.waitForFunction(() => /copied\.$/.test(document.querySelector('#sweep .sharing').textContent))
  const other = await browser.open(await page.evaluate(() => navigator.clipboard.readText()))
  await other.waitForFunction(() => /^Layer 1, Head 1$/.test(document.querySelector('#sweep h3')?.textContent ?? ''))
  await assertShows(other, expected)
  assert.equal(await other.getByLabel('Layer of that head').inputValue(), '6')
  for (const each of [page, other]) {
    assertCalm(each)
    await each.close()
  }
})

for (const width of [1280, 390])
  test(`a word of what the user wrote is proposed, and what is missing is said at its field, at ${width} px`, async () => {
    const page = await openSweep()
    await resize(page, width, 844)
    const proposed = () => page.getByLabel('A word of the text').inputValue()
    assert.equal(await proposed(), 'lantern')
    assert.match(await page.textContent('#sweep form p'), /in the place of one that the text depends on/)
    await page.getByRole('button', { name: 'Sweep', exact: true }).click()
    await says(page, /^Write another word to take the place of “lantern”/)
    assert.ok(await page.getByLabel('Another in its place').evaluate(field => field === document.activeElement))
    // A short prompt, whose longest word is shorter than the marks of the model.
    await page.fill('#prompt', 'A cat and a')
    await page.waitForFunction(() => document.querySelector('#sweep input').value === 'cat')
    await page.check('#rooms [value=chat]')
    await page.fill('#message', 'Who hid the bell?')
    await page.press('#message', 'Enter')
    await page.waitForFunction(() => heed.conversation.last?.ending && heed.passage.written.length > 0)
    await page.waitForFunction(() => ['Who', 'hid', 'the', 'bell'].includes(document.querySelector('#sweep input').value))
    assertCalm(page)
    await page.close()
  })

test('damaged links do no harm, and the table fits on a phone', async () => {
  const pathTo = (to, via) =>
    `sweep=${encodeURIComponent(JSON.stringify({ word: 'fox', other: 'owl', at: 'path', path: { to, via } }))}`
  const rests = [
    'sweep=%7B',
    'sweep=null',
    'sweep=%7B%22word%22%3A1%7D',
    'sweep=%5B%5D',
    'sweep=open',
    pathTo([0]),
    pathTo('logits', 'v'),
  ]
  const links = rests.map((rest, at) => ({ prompt: `A fox ${at}.`, rest }))
  await followEach(browser, site.url, links, async page => {
    await page.waitForFunction(() => document.getElementById('sweep').open)
    assert.equal(await page.locator('#sweep td').count(), 0)
  })
  const page = await openSweep()
  await resize(page, 390, 844)
  await run(page, 'Pip', 'Tom')
  await says(page, /up to layer/)
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'only the table scrolls')
  assertCalm(page)
  await page.close()
})
