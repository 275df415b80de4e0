// The lens: each layer's prediction, as a grid, a link and files.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { goldenBytes } from '../support/golden.mjs'
import { say } from '../page/chatting.mjs'
import { assertCalm, choose, followEach, openPage, prepared, resize, sample, visitPage, write } from '../page/page.mjs'

const { browser, site } = await visitPage({ acceptDownloads: true })
await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site.url).origin })

/** Waits until the grid shows the last tokens of the viewer's text. */
const read = page =>
  page.waitForFunction(() => {
    const { passage } = globalThis.heed
    const count = (passage.promptTokens?.length ?? 0) + passage.written.length
    const columns = document.querySelectorAll('#lens-grid thead th').length - 1
    return (
      columns === Math.min(count, 40) &&
      document.getElementById('lens-status').textContent === '' &&
      globalThis.heed.versions.list.value.every(one => one.outcome)
    )
  })

async function openLens(page) {
  await page.click('#lens summary')
  await read(page)
}

const grid = page =>
  page.locator('#lens-grid tbody tr').evaluateAll(rows =>
    rows.map(row =>
      [...row.querySelectorAll('td')].map(cell => ({
        text: cell.textContent,
        probability: Number(cell.style.getPropertyValue('--probability')),
      })),
    ),
  )

const selected = page =>
  page.evaluate(() => {
    const [cell, ...others] = document.querySelectorAll('#lens-grid [aria-selected=true]')
    return others.length > 0 ? 'several' : cell && [cell.closest('tr').rowIndex - 1, cell.cellIndex - 1, cell.ariaLabel]
  })

test('shows what each layer would predict, and is fetched when it is opened', async () => {
  const page = await openPage(browser, site.url)
  const fetched = () => page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /lens-view/.test(name)))
  assert.equal(await fetched(), false)
  await openLens(page)
  assert.ok(await fetched())
  const { texts, layers } = await page.evaluate(async () => {
    const ids = heed.passage.promptTokens.map(({ id }) => id)
    const { layers } = await heed.model.lens(ids, { positions: 'all', top: 1 })
    return {
      texts: heed.passage.promptTokens.map(({ text }) => text.trim()),
      layers: layers.map(({ predictions }) =>
        predictions.map(({ top: [{ text, logprob }] }) => ({ text: text.trim(), probability: Math.exp(logprob) })),
      ),
    }
  })
  const shown = await grid(page)
  assert.deepEqual(await page.locator('#lens-grid thead th').allTextContents(), ['After', ...texts])
  assert.deepEqual(await page.locator('#lens-grid tbody th').allTextContents(), [
    'Input',
    ...layers.slice(1).map((_, index) => `Layer ${index + 1}`),
  ])
  layers.forEach((row, layer) =>
    row.forEach(({ text, probability }, column) => {
      if (text !== '') assert.equal(shown[layer][column].text, text)
      assert.ok(Math.abs(shown[layer][column].probability - probability) < 1e-3)
    }),
  )
  const right = await page
    .locator('#lens-grid td.right')
    .evaluateAll(cells => cells.map(cell => [cell.textContent, cell.cellIndex]))
  assert.ok(right.length > 0)
  for (const [text, column] of right) assert.equal(text, texts[column], 'underlined where the text goes on with it')
  assertCalm(page)
  await page.close()
})

test('follows the text: what is written, another text, and a text that is longer than the grid', async () => {
  const page = await openPage(browser, site.url)
  await openLens(page)
  await sample(page, { seed: '7', maxTokens: '60' })
  await write(page)
  await read(page)
  const last = await page.locator('#lens-grid thead th').last().textContent()
  assert.equal(last, await page.evaluate(() => heed.passage.written.at(-1).text.trim() || '↵'))
  const range = () => page.textContent('#lens-tokens')
  const count = Number(/of (\d+)/.exec(await range())[1])
  assert.equal(await range(), `Tokens ${count - 39} to ${count} of ${count}`)
  assert.ok(await page.isDisabled('#lens-later'))
  while (!(await page.isDisabled('#lens-earlier'))) {
    const before = await range()
    await page.click('#lens-earlier')
    await page.waitForFunction(before => document.getElementById('lens-tokens').textContent !== before, before)
  }
  assert.match(await range(), /^Tokens 1 to 40 of/)
  assert.equal(await page.locator('#lens-grid thead th').nth(1).textContent(), '<|begin|>')
  await page.fill('#prompt', 'a fox')
  await page.waitForFunction(() => document.querySelectorAll('#lens-grid thead th').length < 6)
  assert.ok(await page.isHidden('#lens-range'))
  assertCalm(page)
  await page.close()
})

test('works with the keyboard, and each cell has a name', async () => {
  const page = await openPage(browser, site.url)
  await openLens(page)
  const [rows, columns] = [(await grid(page)).length, (await grid(page))[0].length]
  assert.equal(await page.locator('#lens-grid [tabindex="0"]').count(), 1, 'one stop')
  await page.focus('#lens summary')
  await page.keyboard.press('Tab')
  const [row, column, name] = await selected(page)
  assert.deepEqual([row, column], [rows - 1, columns - 1])
  assert.match(name, /^Layer \d+ after “\.”: “.+” [\d.]+ %, “.+” .* %, “.+” .* %$/)
  assert.equal(Number.parseInt(name.slice(6), 10), await page.evaluate(() => heed.model.info.layers), 'the last layer')
  for (const [key, place] of [
    ['ArrowUp', [rows - 2, columns - 1]],
    ['ArrowLeft', [rows - 2, columns - 2]],
    ['Home', [rows - 2, 0]],
    ['ArrowLeft', [rows - 2, 0]],
    ['PageUp', [0, 0]],
    ['ArrowUp', [0, 0]],
    ['ArrowRight', [0, 1]],
    ['PageDown', [rows - 1, 1]],
    ['End', [rows - 1, columns - 1]],
    ['ArrowDown', [rows - 1, columns - 1]],
  ]) {
    await page.keyboard.press(key)
    assert.deepEqual((await selected(page)).slice(0, 2), place, key)
    assert.equal(
      await page.evaluate(() => document.activeElement.ariaSelected),
      'true',
      'the focus is on the cell that is selected',
    )
    assert.equal(await page.locator('#lens-grid [tabindex="0"]').count(), 1, 'one stop')
  }
  await page.keyboard.press('PageUp')
  assert.equal(await page.textContent('#lens-title'), 'Input, after “.”')
  assert.equal(await page.locator('#lens-alternatives li').count(), 8)
  const [, , label] = await selected(page)
  assert.ok(label.includes(await page.locator('#lens-alternatives .bar-share').first().textContent()))
  await page.locator('#lens-grid tbody tr').nth(3).locator('td').nth(2).click()
  assert.deepEqual((await selected(page)).slice(0, 2), [3, 2])
  assert.match(await page.textContent('#lens-title'), /^Layer 3, after/)
  assertCalm(page)
  await page.close()
})

const copied = async page => {
  await page.click('#lens-link')
  await page.waitForFunction(() => /copied\.$/.test(document.getElementById('lens-note').textContent))
  return page.evaluate(() => navigator.clipboard.readText())
}

test('a link leads to the same cell of the same text', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '7', maxTokens: '48' })
  await write(page)
  await openLens(page)
  await page.click('#lens-earlier')
  await page.waitForFunction(() => document.querySelector('#lens-tokens').textContent.startsWith('Tokens 1 '))
  await page.locator('#lens-grid tbody tr').nth(4).locator('td').nth(5).click()
  const name = (await selected(page))[2]
  const link = await copied(page)
  assert.match(link, /lens=4\.5/)
  const other = await browser.open(link)
  await other.waitForFunction(name => document.querySelector('#lens-grid [aria-selected=true]')?.ariaLabel === name, name)
  await read(other)
  assert.ok(await other.evaluate(() => document.getElementById('lens').getBoundingClientRect().top < innerHeight))
  for (const each of [page, other]) {
    assertCalm(each)
    await each.close()
  }
  const wrong = ['x', '1', '999.1', '1.9999', '-1.2', ''].map((lens, at) => ({ prompt: `a fox ${at}`, rest: `lens=${lens}` }))
  await followEach(browser, site.url, wrong, () => {})
})

test('a link to a conversation opens the lens, too', async () => {
  const page = await openPage(browser, site.url)
  await page.check('#rooms [value=chat]')
  await sample(page, { maxTokens: '40', seed: '1' })
  await say(page, 'Write a story about a fox.')
  await page.click('#lens summary')
  await page.waitForFunction(() => document.querySelectorAll('#lens-grid td').length > 0)
  const link = await copied(page)
  assert.match(link, /chat=.*lens=/)
  const other = await browser.open(link)
  await other.waitForFunction(() => document.querySelector('#lens-grid [aria-selected=true]'))
  assertCalm(other)
  for (const each of [page, other]) await each.close()
})

test('files: all alternatives as CSV, and the grid as a picture', async () => {
  const page = await openPage(browser, site.url)
  await page.fill('#prompt', 'The fox said "no", <b>&')
  await page.waitForFunction(() => heed.passage.prompt.startsWith('The fox') && heed.passage.promptTokens)
  await openLens(page)
  const save = async button => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)])
    return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')]
  }
  const rows = await grid(page)
  const [name, csv] = await save('#lens-csv')
  assert.equal(name, 'lens.csv')
  const lines = csv.trimEnd().split('\r\n')
  assert.equal(lines[0], '"layer","position","token","rank","prediction","id","logprob","probability"')
  assert.equal(lines.length, 1 + rows.length * rows[0].length * 8)
  assert.ok(
    lines.some(line => line.includes('""')),
    'a quote is doubled',
  )
  const best = lines.map(line => /^(\d+),(\d+),"(?:[^"]|"")*",1,"(?:[^"]|"")*",\d+,[^,]+,([\d.e-]+)$/.exec(line)).filter(Boolean)
  assert.equal(best.length, rows.length * rows[0].length)
  for (const [, row, column, probability] of best) assert.ok(Math.abs(rows[row][column].probability - Number(probability)) < 1e-3)

  const [file, svg] = await save('#lens-svg')
  assert.equal(file, 'lens.svg')
  const { texts, rects, error } = await page.evaluate(svg => {
    const drawn = new DOMParser().parseFromString(svg, 'image/svg+xml')
    return {
      error: drawn.querySelector('parsererror')?.textContent,
      rects: drawn.querySelectorAll('rect').length,
      texts: [...drawn.querySelectorAll('text')].map(({ textContent }) => textContent),
    }
  }, svg)
  assert.equal(error, undefined)
  assert.equal(rects, 1 + rows.length * rows[0].length)
  assert.equal(texts.length, rows[0].length + rows.length * (rows[0].length + 1))
  assert.ok(texts.includes('Layer 6') && texts.includes('fox'))
  assertCalm(page)
  await page.close()
})

test('the lens is offered only for models that support it, and each model has its own', async () => {
  const page = await openPage(browser, site.url)
  await openLens(page)
  await choose(page, 'bert', goldenBytes('bert'))
  assert.ok(await page.isHidden('#lens'))
  await choose(page, 't5', goldenBytes('t5'))
  assert.ok(await page.isHidden('#lens'))
  await choose(page, 'llama', goldenBytes('llama-gqa'))
  await page.waitForFunction(() => document.querySelectorAll('#lens-grid tbody tr').length === heed.model.info.layers + 1)
  assertCalm(page)
  await page.close()
})

const withLens = prepared(async () => {
  const page = await openPage(browser, site.url)
  await page.setViewportSize({ width: 320, height: 740 })
  await openLens(page)
  return page
})

for (const width of [320, 390, 1280]) {
  test(`scrolls in itself in a window of ${width} pixels`, async () => {
    const page = await withLens()
    await resize(page, width, 740)
    const {
      page: wide,
      frame,
      inner,
    } = await page.evaluate(() => {
      const frame = document.querySelector('.lens-frame')
      return { page: document.documentElement.scrollWidth - innerWidth, frame: frame.clientWidth, inner: frame.scrollWidth }
    })
    assert.ok(wide <= 0, `the page is ${wide} pixels too wide`)
    assert.ok(inner > frame, 'the grid scrolls')
    await page.focus('#lens-grid [tabindex="0"]')
    await page.keyboard.press('Home')
    const [cell, head] = await page.evaluate(() =>
      [document.activeElement, document.activeElement.parentElement.querySelector('th')]
        .map(element => element.getBoundingClientRect())
        .map(({ left, right }) => ({ left, right })),
    )
    assert.ok(cell.left >= head.right - 1, 'the name of the layer does not cover the cell that has the focus')
  })
}
