// Where things stand: what is looked at in sight of what it is about, on every width, and nothing that jumps while it loads.
import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import { after, test } from 'node:test'
import { openPage, sample, visitPage, write, written } from './page.mjs'

const { browser, site } = await visitPage()

/** Passes the page on, with all that it fetches late, and its model later: what is still to come shows. */
const slow = createServer((asked, answer) => {
  const wait = /\.gguf$/.test(asked.url) ? 600 : /\.(js|wasm)$/.test(asked.url) ? 150 : 0
  setTimeout(() => request(new URL(asked.url, site.url), { headers: asked.headers }, got => {
    answer.writeHead(got.statusCode, got.headers)
    got.pipe(answer)
  }).end(), wait)
})
await new Promise(resolve => slow.listen(0, '127.0.0.1', resolve))
after(() => {
  slow.close()
  slow.closeAllConnections()
})

const box = (page, selector) => page.evaluate(selector => {
  const { top, bottom, left, right } = everywhere(selector)[0].getBoundingClientRect()
  return { top: top + scrollY, bottom: bottom + scrollY, left, right }
}, selector)

for (const [width, height] of [[1280, 900], [820, 1180], [390, 844]]) {
  test(`nothing jumps while the page loads in a window of ${width} pixels`, async () => {
    const page = await browser.context.newPage()
    await page.setViewportSize({ width, height })
    await page.addInitScript(() => {
      globalThis.shifts = []
      new PerformanceObserver(list => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
          if (!hadRecentInput) shifts.push([value, sources.map(({ node }) => node?.id || node?.className || node?.nodeName)])
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(`http://localhost:${slow.address().port}/`)
    await page.waitForFunction(() => globalThis.heed?.attention)
    await page.waitForFunction(() => /without a network/.test(document.getElementById('offline').textContent))
    await page.evaluate(() => new Promise(resolve => { requestAnimationFrame(() => setTimeout(resolve)) }))
    const shifts = await page.evaluate(() => globalThis.shifts)
    const total = shifts.reduce((sum, [value]) => sum + value, 0)
    assert.ok(total < 0.05, `${total}: ${JSON.stringify(shifts)}`)
    await page.close()
  })

  test(`the card of a token covers nothing in a window of ${width} pixels`, async () => {
    const page = await openPage(browser, site.url)
    await page.setViewportSize({ width, height })
    await write(page)
    await page.locator('.token.written').nth(5).click()
    await page.click('#go-on')
    await written(page)
    const card = await box(page, '#card')
    for (const other of ['#heads', '#map', '#layer', '#passage', '#other', '#replay', '#compose', '#texts']) {
      const place = ['#compose', '#texts'].includes(other) ? await page.locator(other).boundingBox() : await box(page, other)
      const { top = place.y, bottom = place.y + place.height, left = place.x, right = place.x + place.width } = place
      const apart = card.bottom <= top || bottom <= card.top || card.right <= left || right <= card.left
      assert.ok(apart, `${other}: ${JSON.stringify([card, place])}`)
    }
    await page.close()
  })
}

for (const [width, height] of [[1280, 900], [390, 844]]) {
  test(`the card keeps its height, and what is around it its place, in a window of ${width} pixels`, async () => {
    const page = await openPage(browser, site.url)
    await page.setViewportSize({ width, height })
    await sample(page, { seed: '7', maxTokens: '40' })
    await write(page)
    await page.locator('.token.written').nth(5).click()
    const places = async () => [await box(page, '#attention-title'), await box(page, '#passage')]
    const held = await places()
    await page.locator('.token.written').nth(5).click()  // let go: only pointed at
    assert.deepEqual(await places(), held)
    await page.close()
  })
}

test('on a phone the map is not far below, before and after a text is written', async () => {
  const page = await openPage(browser, site.url)
  await page.setViewportSize({ width: 390, height: 844 })
  assert.ok((await box(page, '#heat-map')).top < 950)
  await write(page)
  assert.ok(await page.evaluate(() => globalThis.heed.passage.written.length) > 60, 'a long text')
  const { top } = await box(page, '#heat-map')
  assert.ok(top < 1200, `${top} pixels`)
  await page.close()
})
