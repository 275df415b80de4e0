// Attention on the page: the numbers are right, and so are the images of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { assertCalm, heatStops, openPage, ready, sample, visitPage, write } from '../page/page.mjs'

const prompt = 'Write a story about a fox and a lantern.'
const { browser, site } = await visitPage({ viewport: { width: 1280, height: 900 } })

const percent = share => (share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(1)} %`)

const shownAttention = page =>
  page.evaluate(() => {
    const { layer, rows: size, heads, tokens } = globalThis.heed.attention
    return { layer, size, heads: heads.map(head => [...head]), ids: tokens.map(token => token.id) }
  })

function assertCausal({ size, heads }) {
  for (const weights of heads) {
    for (let row = 0; row < size; row++) {
      const seen = weights.slice(row * size, row * size + row + 1)
      assert.ok(Math.abs(seen.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-4, `row ${row} sums to 1`)
      const unseen = weights.slice(row * size + row + 1, (row + 1) * size)
      assert.ok(
        unseen.every(weight => weight === 0),
        `row ${row} after the diagonal`,
      )
    }
  }
}

/** The colors of the heat map at the centers of cells [row, column]. */
const colorsAt = (page, cells) =>
  page.evaluate(cells => {
    const [canvas] = everywhere('#heat-map')
    const side = canvas.height / globalThis.heed.attention.rows
    const context = canvas.getContext('2d')
    return cells.map(([row, column]) => [
      ...context.getImageData(Math.floor((column + 0.5) * side), Math.floor((row + 0.5) * side), 1, 1).data,
    ])
  }, cells)

/** The colors of weights in the style sheet's scale: interpolated between evenly spaced stops, by `strength` of the weight. */
async function expectedColors(page, weights, strength) {
  const stops = await heatStops(page)
  return weights.map(weight => {
    const at = strength(weight) * (stops.length - 1)
    const from = Math.min(Math.floor(at), stops.length - 2)
    return stops[from].map((value, channel) => value + (stops[from + 1][channel] - value) * (at - from))
  })
}

async function assertPainted(page, weights, size, strength = Math.sqrt) {
  const cells = []
  for (let row = 0; row < size; row += Math.ceil(size / 12)) {
    for (let column = 0; column <= row; column += Math.ceil(size / 12)) cells.push([row, column])
  }
  const colors = await colorsAt(page, cells)
  const expected = await expectedColors(
    page,
    cells.map(([row, column]) => weights[row * size + column]),
    strength,
  )
  cells.forEach(([row, column], index) => {
    const [red, green, blue, alpha] = colors[index]
    assert.equal(alpha, 255, `cell ${row}, ${column}`)
    for (const [channel, value] of [red, green, blue].entries()) {
      const message = `cell ${row}, ${column}: ${colors[index]} for ${expected[index]}`
      assert.ok(Math.abs(value - expected[index][channel]) <= 2, message)
    }
  })
  const [beyond] = await colorsAt(page, [[0, size - 1]])
  assert.equal(beyond[3], 0, 'nothing is painted where nothing can be attended to')
}

test('the heat map of the prompt: rows sum to 1, are 0 after the diagonal, and are painted by weight', async () => {
  const page = await openPage(browser, site.url)
  const shown = await shownAttention(page)
  assertCausal(shown)
  const mean = shown.heads[0].map((_, index) => shown.heads.reduce((sum, head) => sum + head[index], 0) / shown.heads.length)
  await assertPainted(page, mean, shown.size)
  await page.check('input[name=head][value="1"]', { force: true })
  await assertPainted(page, shown.heads[1], shown.size)

  const model = await loadModel()
  const { weights, tokens } = await model.attention(prompt, { layers: [shown.layer] })
  await model.dispose()
  assert.deepEqual(
    shown.ids,
    tokens.map(token => token.id),
  )
  assert.deepEqual(
    shown.heads,
    weights[0].map(head => [...head]),
  )
  assertCalm(page)
  await page.close()
})

/** The thumbnails of the heads, the mean's first, once the layer's attention is shown: their pixels, row-major. */
const thumbnailsOf = (page, layer) =>
  page.evaluate(async layer => {
    const { viewer } = globalThis.heed
    viewer.layer = layer
    await viewer.settled()
    return everywhere('#heads canvas').map(canvas => {
      const { width: side } = canvas
      const { data } = canvas.getContext('2d').getImageData(0, 0, side, side)
      return Array.from({ length: side * side }, (_, pixel) => [...data.slice(pixel * 4, pixel * 4 + 4)])
    })
  }, layer)

test('each head has a thumbnail once its layer is shown: a pixel has the color of the largest weight under it', async () => {
  const page = await openPage(browser, site.url)
  for (const layer of [1, 3]) {
    const thumbnails = await thumbnailsOf(page, layer)
    const { heads, size } = await shownAttention(page)
    const mean = heads[0].map((_, at) => heads.reduce((sum, head) => sum + head[at] / heads.length, 0))
    assert.equal(thumbnails.length, heads.length + 1)
    for (const [at, weights] of [mean, ...heads].entries()) {
      const pixels = thumbnails[at]
      const side = Math.sqrt(pixels.length)
      const from = pixel => Math.floor((pixel * size) / side)
      const to = pixel => Math.max(from(pixel + 1), from(pixel) + 1)
      const most = pixels.map((_, pixel) => {
        const [y, x] = [Math.floor(pixel / side), pixel % side]
        let largest = 0
        for (let row = from(y); row < to(y); row++)
          largest = Math.max(largest, ...weights.slice(row * size + from(x), row * size + to(x)))
        return largest
      })
      const expected = await expectedColors(page, most, Math.sqrt)
      pixels.forEach(([red, green, blue, alpha], pixel) => {
        const where = `layer ${layer}, thumbnail ${at}, pixel ${pixel}`
        assert.equal(alpha, most[pixel] > 0 ? 255 : 0, where)
        if (alpha > 0)
          [red, green, blue].forEach((value, channel) => assert.ok(Math.abs(value - expected[pixel][channel]) <= 2, where))
      })
    }
  }
  assertCalm(page)
  await page.close()
})

test('the heat map of the whole text, in every layer', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { maxTokens: '96', seed: '1' })
  await write(page, prompt)
  const { layers } = await page.evaluate(() => globalThis.heed.model.info)
  for (let layer = 0; layer < layers; layer++) {
    await page.fill('#layer', `${layer}`)
    await page.waitForFunction(wanted => globalThis.heed.attention?.layer === wanted, layer)
    const shown = await shownAttention(page)
    assert.equal(shown.size, await page.locator('.token').count())
    assertCausal(shown)
    await page.check('input[name=head][value="0"]', { force: true })
    await assertPainted(page, shown.heads[0], shown.size)
  }
  assertCalm(page)
  await page.close()
})

test('pointing at a token shades those that it attends to; if a token is held, others show their weight', async () => {
  const page = await openPage(browser, site.url)
  await page.check('input[name=head][value="0"]', { force: true })
  const {
    size,
    heads: [weights],
  } = await shownAttention(page)
  const query = size - 1
  const row = weights.slice(query * size, (query + 1) * size)
  const strongest = Math.max(...row)
  await page.hover(`#token-${query}`)
  const shades = await page
    .locator('.token')
    .evaluateAll(tokens => tokens.map(token => Number(token.style.getPropertyValue('--strength'))))
  for (const [index, shade] of shades.entries()) {
    assert.ok(Math.abs(shade - Math.sqrt(row[index])) < 2e-3, `token ${index}: the same scale as the map's`)
  }
  const first = await page.textContent('#card-attended li:first-child .bar-share')
  assert.equal(first, percent(strongest))

  await page.click(`#token-${query}`)
  const object = Math.floor(size / 2)
  await page.hover(`#token-${object}`)
  assert.ok((await page.textContent('#tooltip')).startsWith(percent(row[object])))
  assert.ok(await page.locator('#tooltip').isVisible())
  await page.hover('.masthead')
  assert.ok(await page.locator('#tooltip').isHidden())
  assert.equal(await page.locator('.subject').getAttribute('id'), `token-${query}`, 'it stays held')
  await page.close()
})

test('the legend and the switch: text and maps have one scale, by the square root or linear', async () => {
  const page = await openPage(browser, site.url)
  const { size, heads } = await shownAttention(page)
  const query = size - 1
  const ticks = () =>
    page.evaluate(() => everywhere('.ticks span').map(({ textContent, style }) => [textContent, style.insetInlineStart]))
  assert.deepEqual((await ticks()).slice(1, 4), [
    ['1 %', '10%'],
    ['10 %', '31.6228%'],
    ['25 %', '50%'],
  ])
  await page.check('#linear')
  assert.equal(await page.evaluate(() => heed.viewer.scale), 'linear')
  assert.deepEqual(
    await ticks(),
    [0, 25, 50, 75, 100].map(share => [share === 0 ? '0' : `${share} %`, `${share}%`]),
  )
  await page.click(`#token-${query}`)
  const row = await page.evaluate(query => [...heed.viewer.attention.look('mean', query).weights], query)
  const shades = await page
    .locator('.token')
    .evaluateAll(all => all.map(token => Number(token.style.getPropertyValue('--strength'))))
  row.forEach((weight, at) => assert.ok(Math.abs(shades[at] - weight) < 2e-3, `token ${at}`))
  const means = heads[0].map((_, at) => heads.reduce((sum, head) => sum + head[at], 0) / heads.length)
  await assertPainted(page, means, size, weight => weight)
  await page.evaluate(() => {
    heed.viewer.scale = 'square-root'
  })
  assert.ok(!(await page.isChecked('#linear')))
  await assertPainted(page, means, size)
  await page.close()
})

test('on a touch screen the hint speaks of tapping', async () => {
  const context = await browser.context
    .browser()
    .newContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(site.url)
  await ready(page)
  const hint = () => page.evaluate(() => heed.viewer.shadowRoot.querySelector('.hint').innerText)
  assert.match(await hint(), /^Tap a word/)
  assert.doesNotMatch(await hint(), /point|click/i)
  await context.close()
  const desktop = await openPage(browser, site.url)
  assert.match(
    await desktop.evaluate(() => heed.viewer.shadowRoot.querySelector('.hint').innerText),
    /^Point at a word.*Click to hold it\.$/s,
  )
  await desktop.close()
})

test('with forced colors, weights stay visible', async () => {
  const page = await openPage(browser, site.url)
  await page.emulateMedia({ forcedColors: 'active' })
  const stops = await heatStops(page)
  assert.equal(new Set(stops.map(String)).size, stops.length, 'the colors of the map differ')
  await page.click('#token-3')
  const [styles] = await page.evaluate(() =>
    everywhere('#token-3').map(token => {
      const { backgroundImage, backgroundSize, outlineStyle } = getComputedStyle(token)
      return { backgroundImage, backgroundSize, outlineStyle }
    }),
  )
  assert.match(styles.backgroundImage, /gradient/)
  assert.notEqual(styles.outlineStyle, 'none')
  await page.close()
})

test('pointing at the heat map shows the weight of a cell and marks its tokens', async () => {
  const page = await openPage(browser, site.url)
  await page.locator('#heat-map').scrollIntoViewIfNeeded()
  const box = await page.locator('#heat-map').boundingBox()
  const { side, size } = await page.evaluate(() => {
    const { rows: size } = globalThis.heed.attention
    return { size, side: everywhere('#heat-map')[0].getBoundingClientRect().height / size }
  })
  const [row, column] = [size - 2, 1]
  await page.mouse.move(box.x + (column + 0.5) * side, box.y + (row + 0.5) * side)
  const weight = await page.evaluate(at => globalThis.heed.attention.weights('mean')[at], row * size + column)
  assert.ok((await page.textContent('#map-readout')).endsWith(`: ${percent(weight)}`))
  assert.equal(await page.locator('.subject').getAttribute('id'), `token-${row}`)
  assert.equal(await page.locator('.object').getAttribute('id'), `token-${column}`)
  await page.mouse.move(box.x + (size - 1) * side, box.y + 2)
  assert.equal(await page.textContent('#map-readout'), '')
  await page.close()
})

test('a generated token shows alternatives with probabilities; a prompt token was given', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { maxTokens: '48', seed: '5' })
  await write(page, prompt)
  const tokens = await page.evaluate(() => globalThis.heed.passage.written)
  for (const [index, token] of tokens.entries()) {
    const total = token.alternatives.reduce((sum, other) => sum + Math.exp(other.logprob), 0)
    assert.ok(total > 0 && total < 1 + 1e-4, `token ${index}`)
    assert.ok(token.alternatives[0].logprob >= token.logprob, `token ${index}`)
  }
  const logprobs = tokens.map(token => token.logprob)
  const unlikely = logprobs.indexOf(Math.min(...logprobs))
  const given = await page.locator('.token.given').count()
  await page.click(`#token-${given + unlikely}`)
  const bars = await page
    .locator('#card-alternatives li')
    .evaluateAll(items =>
      items.map(item => ({ share: item.querySelector('.bar-share').textContent, chosen: item.classList.contains('chosen') })),
    )
  const { alternatives, logprob } = tokens[unlikely]
  assert.equal(bars[0].share, percent(Math.exp(alternatives[0].logprob)))
  assert.deepEqual(
    bars.filter(bar => bar.chosen).map(bar => bar.share),
    [percent(Math.exp(logprob))],
  )
  await page.click('#token-1')
  assert.match(await page.textContent('#card-alternatives h3'), /was there before the model wrote/)
  await page.close()
})

test('the heat map becomes dark with the page', async () => {
  const page = await openPage(browser, site.url)
  await page.emulateMedia({ colorScheme: 'light' })
  const {
    size,
    heads: [weights],
  } = await shownAttention(page)
  await page.check('input[name=head][value="0"]', { force: true })
  const painted = () => colorsAt(page, [[size - 1, 1]])
  await assertPainted(page, weights, size)
  const light = await painted()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction(light => {
    const [canvas] = everywhere('#heat-map')
    const side = canvas.height / globalThis.heed.attention.rows
    const [red] = canvas.getContext('2d').getImageData(Math.floor(1.5 * side), Math.floor(canvas.height - side / 2), 1, 1).data
    return red !== light
  }, light[0][0])
  await assertPainted(page, weights, size)
  await page.close()
})
