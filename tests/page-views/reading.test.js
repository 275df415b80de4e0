// Reading a text closely: the attention that chose a token, multi-token characters, step by step, the overview of all heads, full
// contexts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { goldenBytes } from '../support/golden.mjs'
import { assertCalm, choose, heatStops, openPage, ready, sample, visitPage, write } from '../page/page.mjs'

const prompt = 'Write a story about a fox and a lantern.'
const { browser, site } = await visitPage({ viewport: { width: 1280, height: 1000 } })

const percent = share => (share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(share < 0.9995 ? 1 : 0)} %`)

/** Enters a prompt and waits until it has been read. */
const read = async (page, text) => {
  await page.fill('#prompt', text)
  await page.waitForFunction(text => globalThis.heed.passage.prompt === text && globalThis.heed.attention, text)
}

/** The contents of the card: the titles and bars of both halves. */
const card = page =>
  page.evaluate(() =>
    Object.fromEntries(
      ['attended', 'alternatives'].map(half => {
        const [place] = everywhere(`#card-${half}`)
        const bars = [...place.querySelectorAll('li')].map(item => ({
          text: item.querySelector('.bar-text').textContent,
          share: item.querySelector('.bar-share').textContent,
          chosen: item.classList.contains('chosen'),
        }))
        return [half, { title: place.hidden ? undefined : place.querySelector('h3').textContent, bars }]
      }),
    ),
  )

test('if the context is full, shows as many tokens as fit', async () => {
  const page = await openPage(browser, site.url)
  await choose(page, 'gpt2', goldenBytes('gpt2'))
  const { contextLength } = await page.evaluate(() => globalThis.heed.model.info)
  assert.ok(contextLength < 384, 'a context smaller than what the page shows')
  const words = 'fox '.repeat(contextLength)
  await read(page, words)
  assert.equal(await page.evaluate(() => globalThis.heed.attention.rows), contextLength)
  assert.match(await page.textContent('#map-caption'), new RegExp(`the first ${contextLength} tokens`))

  const { length } = await page.evaluate(() => globalThis.heed.passage.promptTokens)
  const fitting = words.slice(0, Math.floor((words.length * (contextLength - 4)) / length))
  await sample(page, { maxTokens: '64' })
  await write(page, fitting)
  assert.match(await page.textContent('#figures'), /The context is full/)
  assert.ok((await page.locator('.token').count()) > contextLength, 'one token more than were read')
  assert.equal(await page.evaluate(() => globalThis.heed.attention.rows), contextLength)
  assert.deepEqual(await page.locator('.notice').allTextContents(), [])
  assertCalm(page)
  await page.close()
})

test('a generated token is shown with the row that chose it, as generate() returns it', async () => {
  const model = await loadModel()
  const layer = 1
  const options = { seed: 5, maxTokens: 24, temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05, repetitionPenalty: 1 }
  const { tokens } = await model.generate(prompt, { ...options, attention: { layers: [layer] } })
  await model.dispose()

  const page = await openPage(browser, site.url)
  await sample(page, { seed: '5', maxTokens: '24' })
  await write(page, prompt)
  await page.fill('#layer', `${layer}`)
  await page.check('input[name=head][value="2"]', { force: true })
  await page.waitForFunction(layer => globalThis.heed.attention.layer === layer, layer)
  const given = await page.locator('.token.given').count()
  for (const index of [0, 7, 20]) {
    const row = tokens[index].attention[0][2]
    assert.equal(row.length, given + index, 'up to the token before')
    await page.click(`#token-${given + index}`)
    const { attended, alternatives } = await card(page)
    assert.match(attended.title, /^To choose “.*”, it looked at$/)
    assert.equal(alternatives.title, 'and chose it among')
    assert.equal(attended.bars[0].share, percent(Math.max(...row)))
    assert.deepEqual(
      alternatives.bars.filter(bar => bar.chosen).map(bar => bar.share),
      [percent(Math.exp(tokens[index].logprob))],
    )
    const shades = await page
      .locator('.token')
      .evaluateAll(all => all.map(token => Number(token.style.getPropertyValue('--strength'))))
    row.forEach((weight, at) => assert.ok(Math.abs(shades[at] - Math.sqrt(weight)) < 2e-3, `token ${at}`))
    assert.ok(
      shades.slice(row.length).every(shade => shade === 0),
      'nothing from itself on',
    )
    assert.match(await page.textContent('#card-note'), /row of “.*”, the token before/)
    assert.equal(await page.locator('.chooser').getAttribute('id'), `token-${given + index - 1}`)
  }
  assertCalm(page)
  await page.close()
})

test('a row of the map, and the last token of the prompt, are shown with what was chosen next', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '5', maxTokens: '24' })
  await write(page, prompt)
  const given = await page.locator('.token.given').count()
  const { logprob } = await page.evaluate(() => globalThis.heed.passage.written[0])
  await page.click(`#token-${given - 1}`)
  const { attended, alternatives } = await card(page)
  assert.match(attended.title, /^“\.” looks at$/)
  assert.match(alternatives.title, /^and so chose “.*” next, among$/)
  assert.equal(alternatives.bars.find(bar => bar.chosen).share, percent(Math.exp(logprob)))
  await page.focus('#heat-map')
  await page.keyboard.press('Home')
  assert.deepEqual((await card(page)).alternatives, alternatives, 'the same row, from the map')
  await page.close()
})

test('a multi-token character is shown whole, once, and each token says which part it is', async () => {
  const page = await openPage(browser, site.url)
  await read(page, 'a 🦊 and a hen')
  const tokens = await page
    .locator('.token')
    .evaluateAll(tokens => tokens.map(token => [token.textContent, token.dataset.part, token.ariaLabel]))
  assert.equal(
    tokens
      .slice(1)
      .map(([text]) => text)
      .join(''),
    'a 🦊 and a hen',
  )
  const parts = tokens.filter(([, part]) => part)
  assert.deepEqual(
    parts.map(([, part]) => part),
    ['1/4', '2/4', '3/4', '4/4'],
  )
  assert.deepEqual(
    parts.map(([, , label]) => label),
    [1, 2, 3, 4].map(part => `🦊 ${part}/4`),
  )
  assert.ok(!tokens.flat().some(text => text?.includes('\uFFFD')))
  const last = tokens.findIndex(([, part]) => part === '4/4')
  await page.click(`#token-${last}`)
  assert.match((await card(page)).attended.title, /^“🦊” 4\/4 looks at$/)
  assert.match(await page.textContent('#speech'), /^🦊 4\/4, looks at/)
  await page.close()
})

test('step by step, forward and back: each token is shown with what chose it; then all tokens', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '5', maxTokens: '16' })
  await page.check('input[name=pace][value=step]')
  assert.ok(await page.getByRole('button', { name: 'Next' }).isDisabled(), 'nothing is written yet')
  await write(page, prompt)
  const given = await page.locator('.token.given').count()
  const visible = () =>
    page.locator('.token').evaluateAll(tokens => tokens.filter(token => getComputedStyle(token).visibility === 'visible').length)
  const rowsPainted = () =>
    page.evaluate(() => {
      const [canvas] = everywhere('#heat-map')
      const { rows } = globalThis.heed.attention
      const { data } = canvas.getContext('2d').getImageData(2, 0, 1, canvas.height)
      return Array.from({ length: rows }, (_, row) => data[4 * Math.floor(((row + 0.5) * canvas.height) / rows) + 3]).filter(
        alpha => alpha > 0,
      ).length
    })
  await page.waitForFunction(given => globalThis.heed.viewer.token === given, given)
  assert.equal(await visible(), given + 1)
  assert.equal(await rowsPainted(), given + 1)
  await page.getByRole('button', { name: 'Next' }).click()
  assert.equal(await page.evaluate(() => globalThis.heed.viewer.token), given + 1)
  assert.equal(await visible(), given + 2)
  assert.equal(await page.locator('.subject').getAttribute('id'), `token-${given + 1}`)
  await page.getByRole('button', { name: 'Back' }).click()
  assert.equal(await visible(), given + 1)
  assert.ok(await page.getByRole('button', { name: 'Back' }).isDisabled())
  for (let step = 0; step < 15; step++) await page.getByRole('button', { name: 'Next' }).click()
  assert.equal(await visible(), given + 16)
  assert.ok(await page.getByRole('button', { name: 'Next' }).isDisabled())
  await page.getByRole('button', { name: 'From the start' }).click()
  assert.equal(await visible(), given + 1)
  await page.check('input[name=pace][value=instant]')
  assert.equal(await visible(), given + 16)
  assertCalm(page)
  await page.close()
})

test('slow pace: tokens appear automatically, one after another', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '5', maxTokens: '8' })
  await page.check('input[name=pace][value=slow]')
  await page.evaluate(() => {
    globalThis.seen = []
    globalThis.heed.viewer.addEventListener('tokenselect', () => seen.push(globalThis.heed.viewer.token))
  })
  await write(page, prompt)
  const given = await page.locator('.token.given').count()
  await page.waitForFunction(last => globalThis.heed.viewer.token === last, given + 7)
  const seen = await page.evaluate(() => globalThis.seen.filter(token => token !== undefined))
  assert.deepEqual(
    seen,
    Array.from({ length: 8 }, (_, index) => given + index),
  )
  await page.close()
})

test('the overview has a small map for each layer and head, to be chosen with the mouse or the keyboard', async () => {
  const page = await openPage(browser, site.url)
  const { layers, heads } = await page.evaluate(() => globalThis.heed.model.info)
  await page.click('#overview summary')
  await page.waitForFunction(count => {
    const maps = everywhere('#overview-maps canvas')
    return maps.length === count && maps.every(canvas => canvas.getContext('2d').getImageData(0, 0, 1, 1).data[3] === 255)
  }, layers * heads)

  const model = await loadModel()
  const { weights, tokens } = await model.attention(prompt, { layers: [3], heads: [1] })
  await model.dispose()
  const stops = await heatStops(page)
  const at = 3 * heads + 1
  const color = await page.evaluate(
    ({ at, size }) => {
      const canvas = everywhere('#overview-maps canvas')[at]
      const middle = row => Math.floor(((row + 0.5) * canvas.width) / size)
      return [...canvas.getContext('2d').getImageData(middle(0), middle(size - 1), 1, 1).data]
    },
    { at, size: tokens.length },
  )
  const side = tokens.length
  const place = Math.sqrt(weights[0][0][(side - 1) * side]) * (stops.length - 1)
  const from = Math.min(Math.floor(place), stops.length - 2)
  stops[from].forEach((value, channel) =>
    assert.ok(Math.abs(color[channel] - (value + (stops[from + 1][channel] - value) * (place - from))) <= 3, `channel ${channel}`),
  )

  await page.click(`#overview-maps label:nth-child(${at + 1})`)
  await page.waitForFunction(() => globalThis.heed.attention.layer === 3 && globalThis.heed.viewer.head === 1)
  assert.ok(await page.isChecked('input[name=head][value="1"]'))
  const { y } = await page.locator('#map').boundingBox()
  assert.ok(y > -1 && y < page.viewportSize().height / 2, `what was chosen is in view: ${y}`)
  await page.keyboard.press('ArrowRight')
  await page.waitForFunction(() => globalThis.heed.viewer.head === 2)
  assert.equal(await page.locator('#overview-maps input:checked').getAttribute('aria-label'), 'Layer 4, head 3')
  assertCalm(page)
  await page.close()
})

test('the mean and the attention sink are explained where they appear', async () => {
  const page = await openPage(browser, site.url)
  assert.ok(await page.getByText('is the average of the layer').isVisible())
  await page.check('input[name=head][value="0"]', { force: true })
  assert.ok(await page.getByText('is the average of the layer').isHidden())
  const { layers, heads } = await page.evaluate(() => globalThis.heed.model.info)
  let sinks = 0
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const share = await page.evaluate(
        async ([layer, head]) => {
          const { viewer } = globalThis.heed
          viewer.layer = layer
          viewer.head = head
          await viewer.settled()
          const { rows, columns } = viewer.attention
          const weights = viewer.attention.weights(head)
          let sum = 0
          for (let row = 1; row < rows; row++) sum += weights[row * columns]
          return sum / (rows - 1)
        },
        [layer, head],
      )
      assert.equal(
        /attention sink/.test(await page.textContent('#map-caption')),
        share >= 0.3,
        `layer ${layer}, head ${head}: ${share}`,
      )
      if (share >= 0.3) sinks++
    }
  }
  assert.ok(sinks > 0 && sinks < layers * heads)
  await page.close()
})

test('the first text is one short sentence', async () => {
  const page = await browser.open(site.url)
  await ready(page)
  await page.click('#write')
  await page.waitForFunction(() => globalThis.heed.passage.written.length > 0 && globalThis.heed.versions.current.outcome)
  const text = await page.evaluate(() => globalThis.heed.passage.written.map(token => token.text).join(''))
  assert.match(text, /^[^.!?]+[.!?]$/)
  assert.match(await page.textContent('#figures'), /The sentence is complete/)
  await page.close()
})
