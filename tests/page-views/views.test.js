// The viewer's panels below the map, in the page: several heads side by side, one token across all layers, the inside of a weight,
// and the sampling of the next token; and the measures of attention: weights, weights times values, rollout.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCalm, openPage, sample, visitPage, write } from '../page/page.mjs'

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
const painted = (page, canvas) =>
  page.waitForFunction(id => {
    const { width, height } = inViewer(id)
    return (
      width > 1 &&
      inViewer(id)
        .getContext('2d')
        .getImageData(0, 0, width, height)
        .data.some(value => value > 0)
    )
  }, canvas)

test('several heads side by side: what is selected in one is selected in all', async () => {
  const page = await openText()
  await page.evaluate(() => {
    Object.assign(heed.viewer, { layer: 1, head: 2, panel: 'heads' })
  })
  await painted(page, '#small-map-2')
  assert.deepEqual(await page.evaluate(() => heed.viewer.heads), [
    { layer: 1, head: 2 },
    { layer: 1, head: 3 },
  ])
  await page.evaluate(() => {
    Object.assign(heed.viewer, { layer: 4, head: 'mean' })
  })
  await page.click('#add-head')
  await painted(page, '#small-map-3')
  assert.ok(await page.isDisabled('#add-head'), 'it is there already')

  // Keys in the third map move the selection in all of them, and say the weight.
  await page.focus('#small-map-3')
  for (const key of ['ArrowUp', 'Home', 'ArrowRight']) await page.keyboard.press(key)
  const expected = await page.evaluate(async () => {
    const { tokens } = heed.viewer.attention
    const row = tokens.length - 2
    const { weights } = await heed.model.attention(
      tokens.map(({ id }) => id),
      { layers: [1, 4] },
    )
    const mean = weights[1].reduce((sum, head) => sum + head[row * tokens.length + 1], 0) / weights[1].length
    const share = weight => (weight < 0.001 ? '< 0.1 %' : `${(weight * 100).toFixed(1)} %`)
    return [weights[0][2][row * tokens.length + 1], weights[0][3][row * tokens.length + 1], mean].map(share)
  })
  const said = await page.locator('#side-by-side .small-readout').allTextContents()
  assert.deepEqual(
    said.slice(0, 3).map(text => text.split(': ').at(-1)),
    expected,
  )
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
  await page.evaluate(() => {
    Object.assign(heed.viewer, { panel: 'layers', head: 1 })
  })
  await page.waitForFunction(() => /Select a token/.test(inViewer('#across-layers').innerText))
  await page.evaluate(() => {
    heed.viewer.token = 6
  })
  await painted(page, '#layers-map')
  await page.focus('#layers-map')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  const layers = await page.evaluate(() => heed.model.info.layers)
  for (let layer = 0; layer < layers; layer++) await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await page.waitForFunction(() => inViewer('#speech').textContent.startsWith('Layer 2, to'))
  const { said, weight, layer } = await page.evaluate(async () => {
    const { tokens } = heed.viewer.attention
    const { weights } = await heed.model.attention(
      tokens.map(({ id }) => id),
      { layers: [1], heads: [1] },
    )
    return { said: inViewer('#speech').textContent, weight: weights[0][0][6 * tokens.length + 1], layer: heed.viewer.layer }
  })
  assert.equal(layer, 1)
  assert.match(said, /^Layer 2, to “.*”: /)
  assert.ok(Math.abs(Number.parseFloat(said.split(': ')[1]) / 100 - weight) < 6e-4, `${said}: ${weight}`)
  await page.evaluate(() => {
    heed.viewer.panel = undefined
  })
  assert.equal(await page.locator('details.panel[open]').count(), 0)
  assertCalm(page)
  await page.close()
})

test('inside a weight: follows the selected square, and asks for a head and a token', async () => {
  const page = await openText()
  const told = pattern =>
    page.waitForFunction(source => new RegExp(source).test(inViewer('#inside-weight').innerText), pattern.source)
  await page.evaluate(() => {
    heed.viewer.panel = 'inside'
  })
  await told(/Select a token of the text/)
  await page.evaluate(() => {
    heed.viewer.token = 6
  })
  await told(/Choose one head above/)
  await page.evaluate(() => {
    Object.assign(heed.viewer, { layer: 3, head: 2 })
  })
  await told(/Layer 4, head 3: “.*” to “.*”/)
  // The keys of the heat map move it, to another query and to another key.
  await page.focus('#heat-map')
  for (const key of ['ArrowUp', 'Home', 'ArrowRight']) await page.keyboard.press(key)
  const { query, key, weight } = await page.evaluate(async () => {
    const { tokens } = heed.viewer.attention
    const {
      weights: [[head]],
    } = await heed.model.attention(
      tokens.map(({ id }) => id),
      { layers: [3], heads: [2] },
    )
    return { query: tokens[5].text.trim(), key: tokens[1].text.trim(), weight: head[5 * tokens.length + 1] }
  })
  await page.waitForFunction(
    ([query, key]) => inViewer('#inside-weight h3').textContent === `Layer 4, head 3: “${query}” to “${key}”`,
    [query, key],
  )
  const last = await page.textContent('#weight-steps li:last-child')
  assert.ok(Math.abs(Number.parseFloat(last.split('=').at(-1)) / 100 - weight) < 6e-4, `${last}: ${weight}`)
  assert.match(await page.getAttribute('.product svg', 'aria-label'), /^The query of “.*”, the key of “.*”/)
  await page.keyboard.press('Escape')
  await told(/Select a token of the text/)
  assertCalm(page)
  await page.close()
})

test('weights times the norms of values, and rollout, equal a naive computation', async () => {
  const page = await openText()
  const layer = 3
  const { shown, mean, rolled, ids, note, title } = await page.evaluate(async layer => {
    const { viewer } = heed
    Object.assign(viewer, { layer, measure: 'values', head: 2 })
    await viewer.settled()
    const shown = [...viewer.attention.weights(2)],
      mean = [...viewer.attention.weights('mean')]
    const note = inViewer('#measure-note').textContent
    viewer.measure = 'rollout'
    await viewer.settled()
    viewer.token = 4
    return {
      shown,
      mean,
      rolled: [...viewer.attention.weights('mean')],
      ids: viewer.attention.tokens.map(({ id }) => id),
      note,
      title: inViewer('#card-attended h3').textContent,
    }
  }, layer)
  const { weights, norms } = await page.evaluate(async ids => {
    const { weights } = await heed.model.attention(ids)
    const { norms } = await heed.model.valueNorms(ids)
    return { weights: weights.map(heads => heads.map(head => [...head])), norms: norms.map(heads => heads.map(head => [...head])) }
  }, ids)
  const n = ids.length
  // Values: each row of a head is shares of weight x norm, and those of the mean are shares of the sums.
  const close = (one, other, what) =>
    one.forEach((value, index) => assert.ok(Math.abs(value - other[index]) < 1e-5, `${what} ${index}`))
  const row = (values, q) => values.slice(q * n, (q + 1) * n)
  const share = values => values.map(value => value / values.reduce((sum, one) => sum + one, 0))
  for (let q = 0; q < n; q++) {
    const of = head => row(weights[layer][head], q).map((weight, key) => weight * norms[layer][head][key])
    close(row(shown, q), share(of(2)), 'values')
    close(
      row(mean, q),
      share(row(weights[layer][0], q).map((_, key) => weights[layer].reduce((sum, __, head) => sum + of(head)[key], 0))),
      'mean',
    )
  }
  assert.match(note, /It does not mean/)
  // Rollout: the product over the layers of half the mean and half the identity.
  let product = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => Number(i === j)))
  for (const heads of weights.slice(0, layer + 1)) {
    const step = product.map((_, i) =>
      product.map((__, j) => heads.reduce((sum, head) => sum + head[i * n + j], 0) / heads.length / 2 + (i === j ? 0.5 : 0)),
    )
    product = step.map(from => product.map((_, j) => from.reduce((sum, factor, k) => sum + factor * product[k][j], 0)))
  }
  close(rolled, product.flat(), 'rollout')
  assert.match(title, /may draw from$/)
  assert.ok(await page.isDisabled('input[name=head][value="1"]'), 'rollout has no heads')
  assert.match(await page.textContent('#measure-note'), /It does not mean/)
  await page.check('input[name=measure][value=weights]')
  await page.evaluate(() => heed.viewer.settled())
  assert.ok((await page.isHidden('#measure-note')) && (await page.isEnabled('input[name=head][value="1"]')))
  assert.equal(
    await page.evaluate(() => {
      try {
        heed.viewer.measure = 'gradients'
      } catch (error) {
        return error.message
      }
    }),
    'HeedViewer.measure: gradients is not to be had of this model',
  )
  assertCalm(page)
  await page.close()
})

/** The tokens that a sampler may draw, computed plainly: id to probability. */
function drawable(logits, { temperature, topK, topP, minP }) {
  const best = Math.max(...logits)
  const ranked = [...logits].map((logit, id) => ({ id, logit, weight: Math.exp(logit - best) })).sort((a, b) => b.logit - a.logit)
  const first = topK === 0 ? ranked : ranked.slice(0, topK)
  const mass = first.reduce((sum, { weight }) => sum + weight, 0)
  const kept = first.filter(
    ({ weight }, rank) =>
      weight >= minP && (topP === 1 || first.slice(0, rank).reduce((sum, one) => sum + one.weight, 0) < topP * mass),
  )
  const shaped = kept.map(({ id, weight }) => [id, weight ** (1 / temperature)])
  const total = shaped.reduce((sum, [, weight]) => sum + weight, 0)
  return new Map(shaped.map(([id, weight]) => [id, weight / total]))
}

test('how the next token is drawn: the sliders shape what the engine draws, and another token goes on', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '7', maxTokens: '12' })
  await write(page, 'Write a story about a fox and a lantern.')
  await page.evaluate(() => {
    globalThis.inViewer = selector => heed.viewer.shadowRoot.querySelector(selector)
    heed.viewer.panel = 'drawing'
  })
  const token = await page.evaluate(() => heed.viewer.passage.promptTokens.length + 4)
  await page.evaluate(token => {
    heed.viewer.token = token
  }, token)
  await page.locator('#drawing-lots .bars li').first().waitFor()
  const shape = { temperature: 1.5, topK: 30, topP: 0.9, minP: 0.02 }
  for (const [name, value] of Object.entries(shape)) {
    await page.locator(`#shape-${name.toLowerCase()}`).evaluate((input, value) => {
      input.value = value
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }, value)
  }
  const { ids, logits, drawn } = await page.evaluate(
    async ({ token, shape }) => {
      const { promptTokens, written } = heed.viewer.passage
      const ids = [...promptTokens, ...written].map(({ id }) => id).slice(0, token)
      const seeds = Array.from({ length: 150 }, (_, seed) => seed)
      const results = await Promise.all(
        seeds.map(seed => heed.model.generate(ids, { ...shape, seed, maxTokens: 1, stopAtEnd: false, special: true })),
      )
      return { ids, logits: [...(await heed.model.logits(ids))], drawn: results.map(({ tokens }) => tokens[0].id) }
    },
    { token, shape },
  )
  const expected = drawable(logits, shape)
  for (const id of drawn) assert.ok(expected.has(id), `the engine draws ${id} of ${ids}`)
  const [[likely, probability]] = expected
  const often = drawn.filter(id => id === likely).length / drawn.length
  assert.ok(
    Math.abs(often - probability) < 4 * Math.sqrt((probability * (1 - probability)) / drawn.length) + 1e-9,
    `${often}, ${probability}`,
  )
  const shown = await page.locator('#drawing-lots .bars .bar-share').allTextContents()
  const shares = [...expected.values()]
  shown.forEach((text, rank) => {
    const after = text.split(' → ')[1]
    if (rank >= shares.length) assert.equal(after, 'left out')
    else assert.ok(Math.abs(Number.parseFloat(after.replace('< ', '')) / 100 - shares[rank]) < 1.1e-3, `${text}: ${shares[rank]}`)
  })
  assert.match(
    await page.textContent('#drawing-lots .note:last-child'),
    new RegExp(`^${expected.size === 1 ? 'Only' : `${expected.size} of `}`),
  )

  // Choosing another token than the text's generates a second text from there.
  const button = page.locator('#drawing-lots .bars li:not(.chosen) button').first()
  const name = await button.textContent()
  await button.click()
  await page.waitForFunction(() => heed.versions.list.value.length === 2 && heed.versions.current.outcome)
  const passage = await page.evaluate(() => {
    const { promptTokens, written } = heed.versions.current.passage.value
    return [...promptTokens, ...written].map(({ id, text }) => ({ id, text }))
  })
  assert.deepEqual(
    passage.slice(0, token).map(({ id }) => id),
    ids,
  )
  assert.equal(passage[token].text.trim(), name)
  assert.ok(passage.length > token + 1)
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
  const messages = await page.evaluate(() =>
    [
      () => {
        heed.viewer.panel = 'all'
      },
      () => {
        heed.viewer.heads = [{ layer: 99, head: 0 }]
      },
      () => {
        heed.viewer.heads = [{ layer: 0, head: 99 }]
      },
      () => {
        heed.viewer.heads = Array.from({ length: 7 }, (_, layer) => ({ layer, head: 0 }))
      },
    ].map(act => {
      try {
        act()
        return ''
      } catch (error) {
        return error.message
      }
    }),
  )
  for (const [index, pattern] of [
    /unknown panel all/,
    /heads: 99 is out of range/,
    /heads: 99 is out of range/,
    /at most 6/,
  ].entries()) {
    assert.match(messages[index], pattern)
  }
  assertCalm(page)
  await page.close()
})

test('on a phone, the panels fit into the window', async () => {
  const page = await openText()
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [panel, drawing] of [
    ['heads', '#small-map-1'],
    ['layers', '#layers-map'],
    ['inside', '.product svg'],
    ['drawing', '.sliders'],
  ]) {
    await page.evaluate(panel => {
      Object.assign(heed.viewer, { panel, token: 8, head: 1 })
    }, panel)
    await page.locator(drawing).waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), panel)
  }
  assertCalm(page)
  await page.close()
})

test('a link has the panel and its heads', async () => {
  const page = await openText()
  const link = await page.evaluate(async () => {
    heed.viewer.heads = [
      { layer: 0, head: 0 },
      { layer: 4, head: 'mean' },
    ]
    Object.assign(heed.viewer, { panel: 'heads', token: 5, measure: 'values' })
    document.getElementById('copy-link').click()
    return new Promise(resolve => {
      const wait = () => (location.hash.includes('panel=heads') ? resolve(location.href) : requestAnimationFrame(wait))
      wait()
    })
  })
  assert.match(link, /heads=1\.1_5\.mean/)
  const other = await browser.open(link)
  await other.waitForFunction(() => globalThis.heed?.viewer.panel === 'heads')
  assert.deepEqual(await other.evaluate(() => [heed.viewer.heads, heed.viewer.token, heed.viewer.measure]), [
    [
      { layer: 0, head: 0 },
      { layer: 4, head: 'mean' },
    ],
    5,
    'values',
  ])
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
