// The viewer's panels below the map, in the page: several heads side by side, and one token across all layers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCalm, openPage, visitPage } from './page.mjs'

const { browser, site } = await visitPage()

/** A text in the viewer, whose shadow tree `inViewer(selector)` searches. */
async function openText(text = 'Once there was a fox. The fox had a lantern.') {
  const page = await openPage(browser, site.url)
  await page.evaluate(async text => {
    globalThis.inViewer = selector => heed.viewer.shadowRoot.querySelector(selector)
    await heed.viewer.show(text)
  }, text)
  return page
}

/** Waits until the panel's canvas has been painted. */
const painted = (page, canvas) => page.waitForFunction(id => {
  const { width, height } = inViewer(id)
  return width > 1 && inViewer(id).getContext('2d').getImageData(0, 0, width, height).data.some(value => value > 0)
}, canvas)

test('several heads side by side: what is selected in one is selected in all', async () => {
  const page = await openText()
  await page.evaluate(() => { Object.assign(heed.viewer, { layer: 1, head: 2, panel: 'heads' }) })
  await painted(page, '#small-map-2')
  assert.deepEqual(await page.evaluate(() => heed.viewer.heads), [{ layer: 1, head: 2 }, { layer: 1, head: 3 }])
  await page.evaluate(() => { Object.assign(heed.viewer, { layer: 4, head: 'mean' }) })
  await page.click('#add-head')
  await painted(page, '#small-map-3')
  assert.ok(await page.isDisabled('#add-head'), 'it is there already')

  // Keys in the third map move the selection in all of them, and say the weight.
  await page.focus('#small-map-3')
  for (const key of ['ArrowUp', 'Home', 'ArrowRight']) await page.keyboard.press(key)
  const expected = await page.evaluate(async () => {
    const { tokens } = heed.viewer.attention
    const row = tokens.length - 2
    const { weights } = await heed.model.attention(tokens.map(({ id }) => id), { layers: [1, 4] })
    const mean = weights[1].reduce((sum, head) => sum + head[row * tokens.length + 1], 0) / weights[1].length
    const share = weight => weight < 0.001 ? '< 0.1 %' : `${(weight * 100).toFixed(1)} %`
    return [weights[0][2][row * tokens.length + 1], weights[0][3][row * tokens.length + 1], mean].map(share)
  })
  const said = await page.locator('#side-by-side .small-readout').allTextContents()
  assert.deepEqual(said.slice(0, 3).map(text => text.split(': ').at(-1)), expected)
  assert.match(await page.textContent('#speech'), /^“.*” to “.*”: .* %$/)

  // A name shows its head above; a head can be removed, down to one.
  await page.click('#side-by-side figure:nth-child(1) button:first-child')
  assert.deepEqual(await page.evaluate(() => [heed.viewer.layer, heed.viewer.head]), [1, 2])
  await page.getByRole('button', { name: 'Remove Layer 2, head 3' }).click()
  assert.equal(await page.evaluate(() => heed.viewer.heads.length), 2)
  await page.getByRole('button', { name: 'Remove Layer 2, head 4' }).click()
  assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 0)
  assertCalm(page)
  await page.close()
})

test('one token across all layers: a row for each, of the head chosen', async () => {
  const page = await openText()
  await page.evaluate(() => { Object.assign(heed.viewer, { panel: 'layers', head: 1 }) })
  await page.waitForFunction(() => /Select a token/.test(inViewer('#across-layers').innerText))
  await page.evaluate(() => { heed.viewer.token = 6 })
  await painted(page, '#layers-map')
  await page.focus('#layers-map')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  for (let layer = 0; layer < 6; layer++) await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await page.waitForFunction(() => inViewer('#speech').textContent.startsWith('Layer 2, to'))
  const { said, weight, layer } = await page.evaluate(async () => {
    const { tokens } = heed.viewer.attention
    const { weights } = await heed.model.attention(tokens.map(({ id }) => id), { layers: [1], heads: [1] })
    return { said: inViewer('#speech').textContent, weight: weights[0][0][6 * tokens.length + 1], layer: heed.viewer.layer }
  })
  assert.equal(layer, 1)
  assert.match(said, /^Layer 2, to “.*”: /)
  assert.ok(Math.abs(Number.parseFloat(said.split(': ')[1]) / 100 - weight) < 6e-4, `${said}: ${weight}`)
  await page.evaluate(() => { heed.viewer.panel = undefined })
  assert.equal(await page.locator('details.panel[open]').count(), 0)
  assertCalm(page)
  await page.close()
})

test('at most one panel is open, which a property says; unknown panels and heads are refused', async () => {
  const page = await openText()
  const changes = await page.evaluate(async () => {
    const changes = []
    heed.viewer.addEventListener('panelchange', () => changes.push(heed.viewer.panel ?? 'none'))
    for (const panel of ['overview', 'heads', 'layers', undefined]) heed.viewer.panel = panel
    return changes
  })
  assert.deepEqual(changes, ['overview', 'heads', 'layers', 'none'])
  await page.click('#overview summary')
  await page.click('#across-layers summary')
  await page.waitForFunction(() => heed.viewer.panel === 'layers' && !inViewer('#overview').open)
  const messages = await page.evaluate(() => [
    () => { heed.viewer.panel = 'all' },
    () => { heed.viewer.heads = [{ layer: 99, head: 0 }] },
    () => { heed.viewer.heads = [{ layer: 0, head: 99 }] },
    () => { heed.viewer.heads = Array.from({ length: 7 }, (_, layer) => ({ layer, head: 0 })) },
  ].map(act => {
    try {
      act()
      return ''
    } catch (error) {
      return error.message
    }
  }))
  for (const [index, pattern] of [/unknown panel all/, /heads: 99 is out of range/, /heads: 99 is out of range/, /at most 6/].entries()) {
    assert.match(messages[index], pattern)
  }
  assertCalm(page)
  await page.close()
})

test('on a phone, the panels fit into the window', async () => {
  const page = await openText()
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [panel, canvas] of [['heads', '#small-map-1'], ['layers', '#layers-map']]) {
    await page.evaluate(panel => { Object.assign(heed.viewer, { panel, token: 8 }) }, panel)
    await painted(page, canvas)
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), panel)
  }
  assertCalm(page)
  await page.close()
})

test('a link has the panel and its heads', async () => {
  const page = await openText()
  const link = await page.evaluate(async () => {
    heed.viewer.heads = [{ layer: 0, head: 0 }, { layer: 4, head: 'mean' }]
    Object.assign(heed.viewer, { panel: 'heads', token: 5 })
    document.getElementById('copy-link').click()
    return new Promise(resolve => {
      const wait = () => location.hash.includes('panel=heads') ? resolve(location.href) : requestAnimationFrame(wait)
      wait()
    })
  })
  assert.match(link, /heads=1\.1_5\.mean/)
  const other = await browser.open(link)
  await other.waitForFunction(() => globalThis.heed?.viewer.panel === 'heads')
  assert.deepEqual(await other.evaluate(() => [heed.viewer.heads, heed.viewer.token]), [[{ layer: 0, head: 0 }, { layer: 4, head: 'mean' }], 5])
  for (const broken of ['panel=all', 'panel=heads&heads=0.1', 'panel=heads&heads=1.x']) {
    const third = await browser.open(`${site.url}#prompt=a+fox&token=1&${broken}`)
    await third.waitForFunction(() => globalThis.heed?.viewer.token === 1)
    assert.equal(await third.evaluate(() => heed.viewer.panel), broken === 'panel=all' ? undefined : 'heads')
    assertCalm(third)
    await third.close()
  }
  assertCalm(other)
  await other.close()
  await page.close()
})
