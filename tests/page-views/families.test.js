// Every model family on the page: its attention is the package's, and can be explored with the keyboard.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { encoderMaySee, goldenBytes, goldenFile, goldenNames, maySee } from '../support/golden.mjs'
import { needsShared, sharedFile, withModel } from '../package/support.mjs'
import { assertCalm, choose, heatStops, inTurn, openPage, sample, visitPage } from '../page/page.mjs'

const { browser, site } = await visitPage({ viewport: { width: 1280, height: 1000 } })

/** The attention that the page shows for a layer, and the colors of the heat map's painted cells. */
const shown = async page => ({
  ramp: await heatStops(page),
  ...(await page.evaluate(() => {
    const { of, layer, rows, columns, heads, tokens, keys, sights } = globalThis.heed.attention
    const [canvas] = everywhere('#heat-map')
    const context = canvas.getContext('2d')
    const texts = Math.min(84, canvas.parentElement.clientWidth * 0.18) * devicePixelRatio
    const labeled = canvas.width > columns * 11 * devicePixelRatio + texts - 4
    const side = Math.floor((labeled ? canvas.width - Math.floor(texts) : canvas.width) / columns)
    const top = canvas.height - rows * side
    const painted = []
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const [red, green, blue, alpha] = context.getImageData(
          Math.floor((column + 0.5) * side),
          Math.floor(top + (row + 0.5) * side),
          1,
          1,
        ).data
        painted.push(alpha === 255 ? [red, green, blue] : null)
      }
    }
    const ids = list => list.map(token => token.id)
    return {
      of,
      layer,
      rows,
      columns,
      painted,
      sights,
      ids: ids(tokens),
      keyIds: ids(keys),
      heads: heads.map(head => [...head]),
    }
  })),
})

/** The color of a weight in the style sheet's scale. */
function colorOf(ramp, weight) {
  const at = Math.sqrt(Math.min(weight, 1)) * (ramp.length - 1)
  const from = Math.min(Math.floor(at), ramp.length - 2)
  return ramp[from].map((value, channel) => value + (ramp[from + 1][channel] - value) * (at - from))
}

/** Checks that the heat map shows the mean of the heads wherever `sees` allows, and nothing elsewhere below the diagonal. */
function assertPainted({ rows, columns, heads, painted, ramp }, sees) {
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const color = painted[row * columns + column]
      const where = `row ${row}, column ${column}`
      // Above the diagonal are the tokens' texts.
      if (!sees(row, column)) {
        if (column < row) assert.equal(color, null, where)
        continue
      }
      const mean = heads.reduce((sum, head) => sum + head[row * columns + column], 0) / heads.length
      colorOf(ramp, mean).forEach((value, channel) =>
        assert.ok(Math.abs(value - color?.[channel]) <= 2, `${where}: ${color} for a weight of ${mean}`),
      )
    }
  }
}

/** Checks that the page shows the attention that the package returns. */
async function assertSame({ layer, heads, ids, keyIds }, model, tokens, options) {
  const { weights, tokens: rows, keys } = await model.attention(tokens, { ...options, layers: [layer] })
  assert.deepEqual(
    ids,
    rows.map(token => token.id),
  )
  assert.deepEqual(
    keyIds,
    keys.map(token => token.id),
  )
  assert.deepEqual(
    heads,
    weights[0].map(head => [...head]),
  )
}

const nextPage = inTurn(() => openPage(browser, site.url))

/** Opens a model file in the page, and runs `body` with both the page and the same model in Node. */
const withFile = (name, file, body) =>
  withModel(file, {}, async model => {
    const page = await nextPage()
    await choose(page, name, readFileSync(file))
    await body(page, model)
    assertCalm(page)
    assert.deepEqual(await page.locator('.notice').allTextContents(), [])
    await page.close()
  })

const withPage = (name, body) => withFile(name, goldenFile(name), body)

const toLayer = async (page, layer) => {
  await page.fill('#layer', `${layer}`)
  await page.waitForFunction(wanted => globalThis.heed.attention?.layer === wanted, layer)
}

/** Presses keys on the heat map; resolves to what is announced. */
async function readByKey(page, ...keys) {
  await page.focus('#heat-map')
  for (const key of keys) await page.keyboard.press(key)
  return page.textContent('#speech')
}

test('a decoder with windows: cells outside stay blank, and keys stop there', () =>
  withPage('gemma3', async (page, model) => {
    await page.fill('#prompt', 'the fox and the hen')
    await page.waitForFunction(() => globalThis.heed.passage.prompt === 'the fox and the hen' && globalThis.heed.attention)
    const ids = await model.tokenize('the fox and the hen')
    for (const layer of [0, 5]) {
      await toLayer(page, layer)
      const layerShown = await shown(page)
      assert.equal(layerShown.rows, ids.length)
      await assertSame(layerShown, model, ids)
      assertPainted(layerShown, (row, column) => maySee('gemma3', layer, row, column))
      assert.equal(await page.getByText('looks back only so far').count(), layer === 0 ? 1 : 0)
    }
    await toLayer(page, 0)
    const row = ids.length - 1
    assert.match(await readByKey(page, 'Home'), /^“.*” to “.*”: .* %$/)
    const texts = await Promise.all([row, row - 7].map(at => model.detokenize([ids[at]], { special: true })))
    assert.ok((await page.textContent('#map-readout')).startsWith(`“${texts[0].trim()}” to “${texts[1].trim() || '␣'}`))
    assert.equal(await page.locator('.object').getAttribute('id'), `token-${row - 7}`)
  }))

test('shows that a model has sinks, and how much attention goes to no token', () =>
  withPage('gpt-oss', async page => {
    assert.equal(await page.getByText('goes to no token at all').count(), 1)
    await page.click('#token-0')
    const bars = await page.locator('#card-attended li').allTextContents()
    assert.ok(
      bars.some(bar => bar.startsWith('(no token)')),
      bars.join(),
    )
  }))

test('shows that a layer does not attend, and starts with one that does', () =>
  withPage('lfm2', async page => {
    assert.equal((await shown(page)).layer, 1)
    assert.ok(await page.locator('#heat-map').isVisible())
    await toLayer(page, 0)
    assert.match(await page.textContent('#map-empty'), /does not attend/)
    assert.ok(await page.locator('#map-empty').isVisible())
    assert.ok(await page.locator('#heat-map').isHidden())
    await page.click('#token-1')
    assert.ok(await page.locator('#card-attended').isHidden())
  }))

test('a recurrent layer shows what it forgets and writes', needsShared, () =>
  withFile('qwen35', sharedFile('oracle26/models/qwen35.gguf'), async (page, model) => {
    const [layer] = model.info.recurrentLayers
    await toLayer(page, layer)
    assert.ok(await page.locator('#map-empty').isVisible())
    assert.ok(await page.locator('#gates').isVisible())
    const { tokens, decay, write } = await model.gates(await page.inputValue('#prompt'), { layers: [layer] })
    for (const [id, values] of [
      ['gates-forget', decay[0].map(head => head.map(kept => 1 - kept))],
      ['gates-write', write[0]],
    ]) {
      const { width, height } = await page.locator(`#${id}`).boundingBox()
      const top = 60 // the tokens' texts are above
      const side = (height - top) / values.length
      assert.ok(side >= 11 && width >= side * tokens.length, id)
      await page.hover(`#${id}`, { position: { x: side * 1.5, y: top + side * 2.5 } })
      assert.ok((await page.textContent('#gates-readout')).includes(`${(values[2][1] * 100).toFixed(1)} %`), id)
    }
    const attending = [...Array(model.info.layers).keys()].find(index => !model.info.recurrentLayers.includes(index))
    await toLayer(page, attending)
    assert.ok(await page.locator('#gates').isHidden())
    assert.ok(await page.locator('#heat-map').isVisible())
  }),
)

test('a model without attention shows its gates, and offers no heads', needsShared, async () => {
  const page = await openPage(browser, site.url)
  await page.setInputFiles('#file', {
    name: 'mamba2.gguf',
    mimeType: '',
    buffer: readFileSync(sharedFile('oracle26/models/mamba2.gguf')),
  })
  await page.waitForFunction(() => heed.model?.info.heads === 0 && heed.attention)
  await page.locator('#gates').waitFor()
  assert.ok(await page.locator('#map-empty').isVisible())
  for (const id of ['heads', 'overview', 'save-map']) assert.ok(await page.locator(`#${id}`).isHidden(), id)
  assert.match(await page.textContent('#facts'), /3 layers without attention/)
  await toLayer(page, 2)
  assert.ok(await page.locator('#gates').isVisible())
  assertCalm(page)
  await page.close()
})

test('shows that layers of an encoder have windows', () =>
  withPage('modern-bert', async (page, model) => {
    const text = 'the fox and the hen'
    await page.fill('#prompt', text)
    await page.waitForFunction(text => globalThis.heed.passage.prompt === text && globalThis.heed.attention, text)
    for (const layer of [0, 1, 3]) {
      await toLayer(page, layer)
      const reading = await shown(page)
      await assertSame(reading, model, text)
      assertPainted(reading, (row, column) => encoderMaySee('modern-bert', layer, row, column))
      assert.equal(await page.getByText('see only part of the text').count(), layer === 1 ? 1 : 0)
    }
  }))

test('an encoder reads and does not generate; each token attends to all', () =>
  withPage('bert', async (page, model) => {
    for (const id of ['#write', '#texts', '.sampling']) assert.ok(await page.locator(id).isHidden(), id)
    assert.match(await page.textContent('#figures'), /an encoder/)
    await page.fill('#prompt', 'the fox')
    await page.waitForFunction(() => globalThis.heed.passage.prompt === 'the fox' && globalThis.heed.attention)
    const reading = await shown(page)
    assert.equal(reading.of, 'encoder')
    await assertSame(reading, model, 'the fox')
    assertPainted(reading, () => true)
    await page.focus('#prompt')
    await page.keyboard.press('Enter') // there is nothing to generate

    assert.match(await readByKey(page, 'ArrowUp', 'End'), /^“.*” to “\[SEP\]”: .* %$/)
    await readByKey(page, 'Home')
    assert.equal(await page.locator('.object').getAttribute('id'), 'token-0')
    await page.click('#token-1')
    assert.match(await page.textContent('#card-attended h3'), /looks at$/)
    assert.ok(await page.locator('#card-alternatives').isHidden())
    const shaded = await page
      .locator('.token')
      .evaluateAll(tokens => tokens.filter(token => token.style.getPropertyValue('--strength')).length)
    assert.equal(shaded, reading.columns, 'tokens before it and after it')
  }))

test('encoder-decoder attention: answer to text, within the answer, within the text', () =>
  withPage('t5', async (page, model) => {
    const text = 'the fox and a hen'
    await page.fill('#prompt', text)
    await page.waitForFunction(text => globalThis.heed.passage.prompt === text && globalThis.heed.attention, text)
    const source = await model.tokenize(text)
    const before = await shown(page)
    assert.equal(before.of, 'encoder')
    assertPainted(before, () => true)
    await assertSame(before, model, source, { of: 'encoder' })

    await sample(page, { maxTokens: '8', seed: '11' })
    await page.fill('#prompt', `${text} `)
    await page.fill('#prompt', text) // before the page reads the changed prompt
    await page.click('#write')
    await page.waitForFunction(() => globalThis.heed.attention?.of === 'cross' && globalThis.heed.versions.current.outcome)
    const answer = await page.evaluate(() => globalThis.heed.passage.written.map(token => token.id))
    assert.ok(answer.length > 0)
    const written = await model.generate(text, {
      seed: 11,
      maxTokens: 8,
      temperature: 0.8,
      topK: 40,
      topP: 0.95,
      minP: 0.05,
      repetitionPenalty: 1,
    })
    assert.deepEqual(
      answer,
      written.tokens.map(token => token.id),
    )

    const ids = [model.info.decoderStart, ...answer]
    const cross = await shown(page)
    assert.deepEqual([cross.rows, cross.columns], [ids.length, source.length])
    assertPainted(cross, () => true)
    await assertSame(cross, model, ids, { of: 'cross', source })

    assert.match(await readByKey(page, 'Home', 'ArrowRight'), /^“.*” to “.*”: .* %$/)
    assert.equal(await page.locator('.subject').getAttribute('id'), `token-${source.length + ids.length - 1}`)
    assert.equal(await page.locator('.object').getAttribute('id'), 'token-1')

    await page.focus('input[name=kind]:checked')
    await page.keyboard.press('ArrowRight')
    await page.waitForFunction(() => globalThis.heed.attention?.of === 'decoder')
    const itself = await shown(page)
    assertPainted(itself, (row, column) => column <= row)
    await assertSame(itself, model, ids, { source })
    await page.click(`#token-${source.length}`)
    assert.match(await page.textContent('#card-attended li'), /100 %$/)
  }))

test('the heat map of every family', async context => {
  const page = await openPage(browser, site.url)
  for (const name of goldenNames) {
    await context.test(name, async () => {
      await choose(page, name, goldenBytes(name))
      if (await page.locator('#picture').isVisible()) {
        assert.ok(await page.evaluate(() => globalThis.heed.pictureAttention.heads.length > 0))
        return
      }
      assert.ok(await page.locator('#heat-map').isVisible())
      const { painted, sights, columns, of } = await shown(page)
      sights.forEach(({ from, to }, row) => {
        assert.ok(from < to && (of !== 'decoder' || to === row + 1), `row ${row}`)
        for (let column = from; column < to; column++) assert.ok(painted[row * columns + column], `row ${row}, column ${column}`)
      })
    })
  }
  assertCalm(page)
  await page.close()
})

test('switching between kinds of models shows the parts of the page for each kind', async () => {
  const page = await openPage(browser, site.url)
  const isShown = async () => [
    await page.locator('#reading').isVisible(),
    await page.locator('#picture').isVisible(),
    await page.locator('#map').isVisible(),
    await page.locator('#kind').isVisible(),
    await page.locator('#write').isVisible(),
  ]
  await choose(page, 't5', goldenBytes('t5'))
  assert.deepEqual(await isShown(), [true, false, true, true, true])
  await choose(page, 'vit', goldenBytes('vit'))
  assert.deepEqual(await isShown(), [false, true, false, false, false])
  await choose(page, 'bert', goldenBytes('bert'))
  assert.deepEqual(await isShown(), [true, false, true, false, false])
  await choose(page, 'qwen2', goldenBytes('qwen2'))
  assert.deepEqual(await isShown(), [true, false, true, false, true])
  assertCalm(page)
  await page.close()
})
