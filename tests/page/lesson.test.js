// The lesson of the page: the heads it names look where it says, answers lead back to the text, and its maps are the models' own.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { drawMaps } from '../../tools/draw-lesson.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { assertCalm, openPage, sample, visitPage } from './page.mjs'
import { say } from './chatting.mjs'

const { browser, site } = await visitPage()
const readJson = path => JSON.parse(readFileSync(inRoot(path), 'utf8'))
const heads = readJson('models/heed-stories.heads.json')

/**
 * The token that the selected token attends to most in the viewer; for a generated token, by the row of the previous one, which
 * chose it.
 */
const look = page =>
  page.evaluate(() => {
    const { viewer, passage } = heed
    const tokens = [...passage.promptTokens, ...passage.written]
    const { first, weights } = viewer.attention.look(
      viewer.head,
      viewer.token - (viewer.token < passage.promptTokens.length ? 0 : 1),
    )
    return { token: viewer.token, place: first + weights.indexOf(Math.max(...weights)), texts: tokens.map(({ text }) => text) }
  })

const expected = {
  previous: ({ token, place }) => assert.equal(place, token - 1),
  repeated: ({ token, place, texts }) => assert.equal(texts[place - 1], texts[token]),
  sentence: ({ place, texts }) => assert.equal(texts[place], '.'),
}

for (const { kind, layer, head, token, text } of heads.filter(({ text }) => text !== undefined)) {
  test(`the link to the "${kind}" head shows it, also while another model is loaded`, async () => {
    const page = await openPage(browser, site.url)
    await page.setInputFiles('#file', inRoot('models/tiny/heed-french.gguf'))
    await page.waitForFunction(() => heed.model?.info.architecture === 't5')
    await page.click(`#lesson-heads a[href*="layer=${layer + 1}"][href*="head=${head + 1}"][href*="token=${token}"]`)
    await page.waitForFunction(([text, token]) => heed.passage.prompt === text && heed.viewer.token === token, [text, token])
    await page.waitForFunction(() => heed.attention)
    assert.deepEqual(await page.evaluate(() => [heed.viewer.layer, heed.viewer.head, heed.model.info.name]), [
      layer,
      head,
      'heed-stories',
    ])
    expected[kind](await look(page))
    const top = await page.evaluate(() => heed.viewer.getBoundingClientRect().top)
    assert.ok(top >= -1 && top < 20, `the viewer is in view, at ${top}`)
    assertCalm(page)
    await page.close()
  })
}

test('the maps are drawn when they are near the window, and when they are printed', async () => {
  const drawn = page =>
    page.evaluate(() => [...document.querySelectorAll('.drawn-map')].map(map => map.querySelectorAll('.weight').length))
  const whole = Object.values(readJson('web/lesson/maps.json')).map(({ weights }) => weights.flat().length)
  const openAtTop = async () => {
    const page = await browser.context.newPage()
    await page.setViewportSize({ width: 412, height: 700 })
    await page.goto(site.url)
    await page.waitForFunction(() => globalThis.heed?.model)
    assert.deepEqual(await drawn(page), [0, 0], 'neither delays the first story')
    return page
  }
  const page = await openAtTop()
  const { height } = await page.locator('.lesson').boundingBox()
  await page.locator('#map-alignment').scrollIntoViewIfNeeded()
  await page.waitForFunction(() => document.querySelector('#map-alignment .weight'))
  assert.equal((await drawn(page))[0], whole[0])
  assert.equal((await page.locator('.lesson').boundingBox()).height, height, 'nothing moves')
  await page.close()
  const printed = await openAtTop()
  await printed.pdf()
  assert.deepEqual(await drawn(printed), whole)
  await printed.close()
})

test('a link to a place in the lesson leads there', async () => {
  const page = await browser.context.newPage()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${site.url}#lesson-tasks`)
  await page.waitForFunction(
    () => globalThis.heed?.attention && Math.abs(document.getElementById('lesson-tasks').getBoundingClientRect().top) < 2,
  )
  await page.close()
})

/** The part that each link of the lesson's views opens, and when that is shown. */
const views = {
  'All heads at a glance': { part: '#overview', shown: page => page.locator('#overview-maps canvas').nth(5).waitFor() },
  'Several heads side by side': { part: '#side-by-side', shown: page => page.locator('#small-map-3').waitFor() },
  'One token across all layers': { part: '#across-layers', shown: page => page.locator('#layers-map').waitFor() },
  'Inside one weight': { part: '#inside-weight', shown: page => page.locator('.product svg').waitFor() },
  'Weights times values': {
    part: '#passage',
    shown: page => page.waitForFunction(() => heed.viewer.measure === 'values' && heed.attention),
  },
  'Through all layers': {
    part: '#passage',
    shown: page => page.waitForFunction(() => heed.viewer.measure === 'rollout' && heed.attention),
  },
  'How the next token is drawn': { part: '#drawing-lots', shown: page => page.locator('.sliders').waitFor() },
  'Where the token comes from': { part: '#attribution', shown: page => page.locator('#attribution-parts li').first().waitFor() },
  'Where it is decided': {
    part: '#sweep',
    shown: page => page.waitForFunction(() => /up to layer/.test(document.querySelector('#sweep > [role=status]')?.textContent)),
  },
  'Features of each token': { part: '#features', shown: page => page.locator('#features td').first().waitFor() },
  'What did quantizing change?': {
    part: '#compare',
    shown: page => page.locator('#compare input[type=file]').waitFor({ state: 'attached' }),
  },
  'Two sentences compared': { part: '#two-sentences', shown: page => page.locator('#two-sentences form').waitFor() },
}

/** The open panel below the map where a link leads to one; all other links close it. */
const panels = {
  '#overview': 'overview',
  '#side-by-side': 'heads',
  '#across-layers': 'layers',
  '#inside-weight': 'inside',
  '#drawing-lots': 'drawing',
  '#two-sentences': 'sentences',
}

/** The focused element, also in the viewer, and the position of `part`; both in the page. */
const focusIn = (page, part) =>
  page.evaluate(part => {
    const focused = document.activeElement.shadowRoot?.activeElement ?? document.activeElement
    const { top } = everywhere(part)[0].getBoundingClientRect()
    return { isIn: focused.closest(part) !== null, top, height: innerHeight }
  }, part)

for (const [width, height] of [
  [1280, 800],
  [390, 844],
]) {
  test(`every view has a link in the lesson that leads to it, in a window of ${width} by ${height}`, async () => {
    const page = await openPage(browser, site.url)
    await page.setViewportSize({ width, height })
    assert.deepEqual(await page.locator('#lesson-views a').allTextContents(), Object.keys(views))
    for (const [title, { part, shown }] of Object.entries(views)) {
      await page.getByRole('link', { name: `Open the view: ${title}` }).click()
      await shown(page)
      // The focus moves there last.
      await page.waitForFunction(
        part => (document.activeElement.shadowRoot?.activeElement ?? document.activeElement).closest(part),
        part,
      )
      const { top } = await focusIn(page, part)
      assert.ok(top >= -1 && top < height, `${title} begins at ${top}`)
      assert.equal(await page.evaluate(() => heed.viewer.panel), panels[part], title)
    }
    assertCalm(page)
    await page.close()
  })
}

test('each view of the lesson is opened, used and left with the keyboard alone', async () => {
  const page = await openPage(browser, site.url)
  for (const [title, { part, shown }] of Object.entries(views)) {
    await page.getByRole('link', { name: `Open the view: ${title}` }).focus()
    await page.keyboard.press('Enter')
    await shown(page)
    await page.waitForFunction(
      part => (document.activeElement.shadowRoot?.activeElement ?? document.activeElement).closest(part),
      part,
    )
    // Everything that the mouse can use there. Only one of several radio buttons is a Tab stop: arrow keys lead to the others.
    const stops = await page.evaluate(part => {
      const all = everywhere(part).flatMap(place => [place, ...place.querySelectorAll('*')])
      const wanted = all.filter(
        element =>
          element.matches(
            'a[href], button:enabled, input:enabled:not([type=radio]), select, textarea, summary, [tabindex="0"], input[type=radio]:checked',
          ) && element.checkVisibility(),
      )
      globalThis.wanted = new Set(wanted)
      globalThis.wanted.delete(document.activeElement.shadowRoot?.activeElement ?? document.activeElement)
      return wanted.length
    }, part)
    for (let step = 0, isIn = true; isIn; step++) {
      assert.ok(step < stops + 20, `Tab leaves ${title}`)
      await page.keyboard.press('Tab')
      isIn = await page.evaluate(part => {
        const focused = document.activeElement.shadowRoot?.activeElement ?? document.activeElement
        globalThis.wanted.delete(focused)
        return focused.closest(part) !== null
      }, part)
    }
    assert.deepEqual(
      await page.evaluate(() =>
        [...globalThis.wanted].map(element => element.id || element.textContent || element.outerHTML.slice(0, 80)),
      ),
      [],
      title,
    )
  }
  assertCalm(page)
  await page.close()
})

test('"Where did it find that?" selects a word of the answer and the same word in the text', async () => {
  const page = await openPage(browser, site.url)
  await page.check('#rooms [value=chat]')
  await sample(page, { temperature: '0' })
  await say(page, 'A fox named Pip lost a lantern near the river. An owl called Ada found the lantern. Who found the lantern?')
  await page.click('text=Where did it find that?')
  await page.locator('.found:not(:empty)').waitFor()
  const { layer, head } = heads.find(({ kind }) => kind === 'answer')
  assert.deepEqual(await page.evaluate(() => [heed.viewer.layer, heed.viewer.head]), [layer, head])
  const note = await page.textContent('.found')
  const [, word] =
    /^To write “(.+)”, it looked back at the same word in the text, with [\d.]+ % of the attention of head \d of layer \d/.exec(
      note,
    ) ?? assert.fail(note)
  const { token, place, texts } = await look(page)
  assert.ok(texts.slice(token).join('').trim().startsWith(word), note)
  assert.ok(
    texts
      .slice(Math.max(0, place - 3), place + 4)
      .join('')
      .includes(word),
    note,
  )
  assertCalm(page)
  await page.close()
})

/** Opens the lesson's translation, and waits for all of it and its cross-attention. */
async function openTranslation(page) {
  await page.click('#open-alignment')
  await page.waitForFunction(
    () =>
      heed.model?.info.architecture === 't5' &&
      heed.viewer.kind === 'cross' &&
      heed.versions.current?.outcome &&
      heed.attention?.of === 'cross' &&
      heed.attention.rows > heed.passage.written.length,
  )
}

test('the link to the translation opens that model with its cross-attention', async () => {
  const page = await openPage(browser, site.url)
  await openTranslation(page)
  assert.match(await page.evaluate(() => heed.passage.written.map(({ text }) => text).join('')), /chat noir/)
  assertCalm(page)
  await page.close()
})

test("a row of the lesson's map of a translation is the row of the same token in the viewer", async () => {
  const { rows, columns, weights } = readJson('web/lesson/maps.json').alignment
  const page = await openPage(browser, site.url)
  assert.match(await page.textContent('#map-alignment figcaption'), /A row is the token just read/)
  await openTranslation(page)
  const shown = await page.evaluate(() => {
    const {
      passage: { promptTokens, start, written },
      attention,
    } = heed
    const read = [start, ...written].map(({ text }) => text.trim())
    return written.map(({ text }, at) => ({
      read: read[at],
      chosen: text.trim(),
      weights: [...attention.look(heed.viewer.head, promptTokens.length + at).weights],
    }))
  })
  rows.forEach((row, at) => {
    assert.equal(row, `${at === 0 ? 'start' : shown[at].read} → ${shown[at].chosen}`)
    assert.equal(shown[at].weights.length, columns.length)
    weights[at].forEach((weight, column) => assert.ok(Math.abs(weight - shown[at].weights[column]) < 2e-3, `${row}: ${column}`))
  })
  await page.close()
})

test('the maps of the lesson are what the models attend to', async () => {
  const drawn = await drawMaps()
  const kept = readJson('web/lesson/maps.json')
  const words = maps => Object.entries(maps).map(([name, { label, rows, columns }]) => [name, label, rows, columns])
  assert.deepEqual(words(kept), words(drawn))
  for (const [name, { weights }] of Object.entries(kept)) {
    weights.flat().forEach((weight, at) => assert.ok(Math.abs(weight - drawn[name].weights.flat()[at]) < 2e-3, `${name}: ${at}`))
  }
})
