// Several texts on the page: generated at the same time, continued from any token, and compared.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { goldenBytes } from '../support/golden.mjs'
import { assertCalm, choose, goOn, openPage, sample, visitPage, write } from './page.mjs'

const fox = 'Write a story about a fox and a lantern.'
const whale = 'Write a bedtime story about a whale and a bell.'
const settings = { temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05, repetitionPenalty: 1 }
const wild = { temperature: 2, topK: 0, topP: 1, minP: 0 }
const limit = 900 // nearly all of the context: the model generates thousands of tokens a second, and the page must stop it earlier

/** The first seed with which the bundled model continues both prompts to the limit. */
async function endlessSeed() {
  const model = await loadModel()
  const isEndless = async (prompt, seed) =>
    (await model.generate(prompt, { ...wild, repetitionPenalty: 1, seed, maxTokens: limit })).finishReason === 'length'
  let seed = 1
  while (!((await isEndless(fox, seed)) && (await isEndless(whale, seed)))) seed++
  await model.dispose()
  return seed
}

const endless = { ...wild, seed: `${await endlessSeed()}`, maxTokens: limit }
const { browser, site } = await visitPage({ viewport: { width: 1280, height: 1000 } })

/** The state of each text. */
const texts = page =>
  page.evaluate(() =>
    heed.versions.list.value.map(
      ({
        passage: {
          value: { promptTokens, written },
        },
        outcome,
      }) => ({
        ids: [...(promptTokens ?? []), ...written].map(({ id }) => id),
        given: promptTokens?.length,
        text: written.map(({ text }) => text).join(''),
        seed: outcome?.seed,
        end: outcome?.finishReason,
      }),
    ),
  )

/** Waits until all texts are complete, and the attention of the current one is available. */
const whole = page =>
  page.waitForFunction(
    () =>
      heed.versions.list.value.every(({ outcome }) => outcome) &&
      heed.attention?.rows === heed.passage.promptTokens.length + heed.passage.written.length,
  )

const chip = (page, number) => page.locator(`#versions li:nth-child(${number}) button:first-child`)
const current = page => page.locator('#versions [aria-current]').allTextContents()

/** Switches to a text, and waits until the viewer shows it and its attention. */
async function turnTo(page, number) {
  await chip(page, number).click()
  await page.waitForFunction(
    at =>
      heed.versions.current === heed.versions.list.value[at] &&
      heed.attention?.rows === heed.passage.promptTokens.length + heed.passage.written.length,
    number - 1,
  )
}

/** Generates a text of 24 tokens, and another one that continues its first `length` tokens. */
async function branch(page, { length = 20 } = {}) {
  await sample(page, { seed: '7', maxTokens: '24' })
  await write(page, fox)
  await page.click(`#token-${length - 1}`)
  await goOn(page)
}

test('a second prompt before the first is written: both texts grow at the same time, each as it would alone', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, endless)
  await page.evaluate(
    prompts => {
      // Requests both in one task, so that however slow the page is, the model cannot be done with the first; stops both some tokens later.
      const form = document.getElementById('compose')
      globalThis.together = 0
      heed.versions.onAdded(version =>
        version.progress.watch(progress => {
          const [first, second] = heed.versions.list.value
          if (version === second && progress.tokens > 0 && !first.outcome) together++
          if (together === 20) for (const stop of document.querySelectorAll('[aria-label^="Stop text"]')) stop.click()
        }),
      )
      for (const prompt of prompts) {
        form.elements.prompt.value = prompt
        form.requestSubmit()
      }
    },
    [fox, whale],
  )
  await page.waitForFunction(() => heed.versions.list.value.length === 2)
  await whole(page)
  assert.ok((await page.evaluate(() => globalThis.together)) >= 20, 'tokens of the second came before the first was done')
  const [first, second] = await texts(page)
  const model = await loadModel()
  for (const [prompt, { end, ids, given }] of [
    [fox, first],
    [whale, second],
  ]) {
    assert.equal(end, 'abort')
    const alone = await model.generate(prompt, {
      ...wild,
      repetitionPenalty: 1,
      seed: Number(endless.seed),
      maxTokens: ids.length - given,
    })
    assert.deepEqual(
      ids.slice(given),
      alone.tokens.map(({ id }) => id),
    )
  }
  await model.dispose()
  assert.deepEqual(
    (await current(page)).map(text => text.slice(0, 6)),
    ['Text 2'],
  )
  assert.equal(await page.evaluate(() => heed.passage.prompt), whale)
  await turnTo(page, 1)
  const shown = await page.locator('#passage .written').allTextContents()
  assert.equal(shown.join(''), first.text)
  assert.deepEqual(await page.evaluate(() => heed.attention.tokens.map(({ id }) => id)), first.ids)
  assertCalm(page)
  await page.close()
})

test('the prompt stays usable during a generation, and each text has its own Stop', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, endless)
  await page.evaluate(() => {
    // While both are generated, stops the first, and the second some tokens later.
    const form = document.getElementById('compose')
    globalThis.usable = []
    heed.versions.onAdded(version =>
      version.progress.watch(progress => {
        const [first, second] = heed.versions.list.value
        if (version === first && !second && progress.tokens === 1) {
          usable.push(!form.elements.write.disabled, !form.elements.write.hidden)
          form.requestSubmit()
        }
        if (version !== second) return
        if (progress.tokens === 5) document.querySelector('[aria-label="Stop text 1"]').click()
        if (progress.tokens === 20) {
          globalThis.firstAtEnd = first.outcome?.tokens
          document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
        }
      }),
    )
  })
  await page.click('#write')
  await page.waitForFunction(() => heed.versions.list.value.length === 2)
  await whole(page)
  const [first, second] = await texts(page)
  assert.deepEqual(await page.evaluate(() => usable), [true, true])
  assert.deepEqual([first.end, second.end], ['abort', 'abort'])
  assert.equal(second.ids.length - second.given, 20, 'Escape ends the one looked at')
  assert.equal(first.ids.length - first.given, await page.evaluate(() => globalThis.firstAtEnd))
  assert.deepEqual(await page.locator('#versions .stop').evaluateAll(all => all.map(stop => stop.hidden)), [true, true])
  assertCalm(page)
  await page.close()
})

test('switching texts switches the whole view, keeps the held token, and moves nothing above it', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '7', maxTokens: '40' })
  await write(page, fox)
  await write(page, whale)
  await page.click('#token-15')
  const view = () =>
    page.evaluate(() => ({
      prompt: heed.passage.prompt,
      token: heed.viewer.token,
      card: everywhere('#card')[0].textContent,
      figures: document.getElementById('figures').textContent,
      weights: [...heed.attention.weights('mean')],
      tops: ['#versions', '#replay', '#passage', '#card', '#attention-title', '#heat-map'].map(
        selector => everywhere(selector)[0].getBoundingClientRect().top,
      ),
    }))
  const second = await view()
  await turnTo(page, 1)
  const first = await view()
  assert.deepEqual([first.prompt, first.token], [fox, undefined])
  assert.notDeepEqual(first.weights, second.weights)
  assert.deepEqual(first.tops, second.tops)
  await page.click('#token-20')
  await turnTo(page, 2)
  assert.deepEqual(await view(), second)
  await turnTo(page, 1)
  assert.equal(await page.evaluate(() => heed.viewer.token), 20)
  assertCalm(page)
  await page.close()
})

test('beginning and ending a text does not move what is below it', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '7', maxTokens: '40' })
  const tops = () =>
    page.evaluate(() => ['#versions', '#replay', '#passage'].map(selector => everywhere(selector)[0].getBoundingClientRect().top))
  const before = await tops()
  await page.evaluate(() => {
    heed.versions.onAdded(version =>
      version.progress.watch(({ tokens }) => {
        if (tokens === 5) globalThis.meanwhile = everywhere('#passage')[0].getBoundingClientRect().top
      }),
    )
  })
  await write(page, fox)
  assert.equal(await page.evaluate(() => globalThis.meanwhile), before[2])
  assert.deepEqual(await tops(), before)
  await page.close()
})

test('continuing from a token gives the same text up to it, then another, without reading the beginning again', async () => {
  const page = await openPage(browser, site.url)
  await branch(page)
  const [first, second] = await texts(page)
  assert.deepEqual(second.ids.slice(0, 20), first.ids.slice(0, 20))
  assert.notDeepEqual(second.ids, first.ids)
  assert.notEqual(second.seed, 7, 'a seed of its own')
  assert.equal(await page.evaluate(() => heed.viewer.token), 19, 'the token stays held')
  assert.equal(second.ids.length, 44, 'as many new tokens as the settings say')
  const model = await loadModel()
  const { tokens } = await model.generate(second.ids.slice(0, 20), { ...settings, seed: second.seed, maxTokens: 24 })
  await model.dispose()
  assert.deepEqual(
    second.ids.slice(20),
    tokens.map(({ id }) => id),
  )
  assert.match(await page.textContent('#figures'), /(19|20) of 20 earlier tokens reused/)
  assert.equal(await chip(page, 2).getAttribute('title'), 'continues Text 1')
  // The token's details are known here, too, although it was generated in the other text.
  await page.click(`#token-${first.given + 2}`)
  assert.ok((await page.locator('#card-alternatives li').count()) > 1)
  assertCalm(page)
  await page.close()
})

test('shows both texts side by side, and marks the common beginning and where they diverge', async () => {
  const page = await openPage(browser, site.url)
  await branch(page)
  const [first, second] = await texts(page)
  const parting = first.ids.findIndex((id, at) => id !== second.ids[at])
  for (const pane of ['#passage', '#other']) {
    const marks = await page.locator(`${pane} .token`).evaluateAll(tokens => ({
      common: tokens.filter(token => token.classList.contains('common')).length,
      parting: tokens.flatMap((token, at) => (token.classList.contains('parting') ? [at] : [])),
    }))
    assert.deepEqual(marks, { common: parting, parting: [parting] }, pane)
  }
  assert.equal((await page.locator('#other .token').allTextContents()).length, first.ids.length)
  assert.match(
    await page.textContent('#compare-note'),
    new RegExp(`^The first ${parting} tokens are the same in both; then Text 2 has`),
  )
  const boxes = () =>
    page.evaluate(() =>
      ['#other', '#passage'].map(id => {
        const { left, top } = everywhere(id)[0].getBoundingClientRect()
        return [left, top]
      }),
    )
  const [[left, top], [right, otherTop]] = await boxes()
  assert.ok(left < right && top === otherTop, 'side by side, the older one first')
  await page.setViewportSize({ width: 390, height: 844 })
  const [[, above], [, below]] = await boxes()
  assert.ok(above < below, 'one above the other')
  assertCalm(page)
  await page.close()
})

for (const width of [1280, 390])
  test(`texts of one prompt are told apart by their ends, in the row and in the list to compare with, at ${width} px`, async () => {
    const page = await openPage(browser, site.url)
    await page.setViewportSize({ width, height: 900 })
    for (const seed of ['7', '8']) {
      await sample(page, { seed, maxTokens: '24' })
      await write(page, fox)
    }
    const [first, second] = await texts(page)
    const ends = await page.locator('#versions .end').allTextContents()
    assert.equal(ends.length, 2)
    for (const [at, { text }] of [first, second].entries()) {
      assert.match(ends[at], /^….{3,20}$/)
      assert.ok(text.replace(/\s+/g, ' ').trim().endsWith(ends[at].slice(1)), `${text}, ${ends[at]}`)
    }
    assert.notEqual(ends[0], ends[1])
    assert.deepEqual(await page.locator('#beside option').allTextContents(), ['none', `Text 1: ${ends[0]}`])
    const isCut = await page.locator('#versions .end').evaluateAll(all => all.map(one => one.scrollWidth > one.clientWidth))
    assert.deepEqual(isCut, [false, false])
    assertCalm(page)
    await page.close()
  })

test('a click or a key in the other text switches to it in place, with its attention', async () => {
  const page = await openPage(browser, site.url)
  await branch(page)
  const [first, second] = await texts(page)
  const left = selector => page.evaluate(id => everywhere(id)[0].getBoundingClientRect().left, selector)
  const place = await left('#other')
  const attended = ids =>
    page.waitForFunction(ids => heed.attention && `${heed.attention.tokens.map(({ id }) => id)}` === ids, `${ids}`)
  await page.click('#other-token-22')
  await attended(first.ids)
  assert.equal(await page.evaluate(() => heed.viewer.token), 22)
  assert.equal(await left('#passage'), place)
  assert.match((await current(page))[0], /^Text 1/)
  await page.focus('#other')
  await page.keyboard.press('ArrowRight')
  await attended(second.ids)
  const parting = first.ids.findIndex((id, at) => id !== second.ids[at])
  assert.equal(await page.getAttribute('#passage', 'aria-activedescendant'), `token-${parting}`)
  assert.equal(await page.evaluate(() => document.activeElement.shadowRoot.activeElement.id), 'passage')
  await page.selectOption('#beside', '')
  assert.ok(await page.locator('#other').isHidden())
  assert.equal(await page.locator('.common, .parting').count(), 0)
  await page.selectOption('#beside', '1')
  assert.equal(await page.locator('#other .token').count(), first.ids.length)
  assertCalm(page)
  await page.close()
})

test('while a continuation is generated, the attention of its beginning is shown', async () => {
  const page = await openPage(browser, site.url)
  await branch(page)
  await sample(page, { maxTokens: '200' })
  await page.evaluate(() => {
    heed.versions.onAdded(version =>
      version.progress.watch(({ tokens }) => {
        if (tokens > 20 && !version.outcome && heed.attention) globalThis.rows ??= heed.attention.rows
      }),
    )
  })
  await page.click('#token-15')
  await page.click('#go-on')
  await page.waitForFunction(() => heed.versions.list.value.length === 3)
  await whole(page)
  assert.equal(await page.evaluate(() => globalThis.rows), 16)
  assertCalm(page)
  await page.close()
})

test('a text next to the current one grows while it is generated', async () => {
  const page = await openPage(browser, site.url)
  await branch(page)
  await sample(page, { maxTokens: '64' })
  await page.evaluate(() => {
    globalThis.sizes = new Set()
    const parent = heed.versions.current
    heed.versions.onAdded(version =>
      version.progress.watch(({ tokens }) => {
        if (tokens === 2) heed.versions.show(parent)
        if (tokens > 2) sizes.add(everywhere('#other .token').length)
      }),
    )
  })
  await page.click('#token-15')
  await page.click('#go-on')
  await page.waitForFunction(() => heed.versions.list.value[2]?.outcome && heed.versions.current === heed.versions.list.value[1])
  assert.ok((await page.evaluate(() => sizes.size)) > 3)
  const { ids } = (await texts(page))[2]
  assert.deepEqual(await page.locator('#other .token').evaluateAll(tokens => tokens.length), ids.length)
  const given = await page.evaluate(() => heed.passage.promptTokens.length)
  assert.equal(await page.locator('#other .written').count(), ids.length - given)
  assert.ok(ids.length - given > 50)
  assertCalm(page)
  await page.close()
})

test('continuing from a token of the prompt keeps the prompt up to it', async () => {
  const page = await openPage(browser, site.url)
  await branch(page, { length: 6 })
  const [first, second] = await texts(page)
  assert.deepEqual(second.ids.slice(0, 6), first.ids.slice(0, 6))
  assert.equal(second.given, 6)
  assert.ok(fox.startsWith(await page.evaluate(() => heed.passage.prompt)))
  assertCalm(page)
  await page.close()
})

test('a prompt, or a text that is still generated, cannot be continued', async () => {
  const page = await openPage(browser, site.url)
  await page.click('#token-3')
  assert.equal(await page.getAttribute('#go-on', 'aria-disabled'), 'true')
  await page.evaluate(() => {
    heed.versions.onAdded(version =>
      version.progress.watch(({ tokens }) => {
        if (tokens === 3) globalThis.disabled = document.getElementById('go-on').ariaDisabled
      }),
    )
  })
  await sample(page, { maxTokens: '24' })
  await write(page, fox)
  assert.equal(await page.evaluate(() => globalThis.disabled), 'true')
  await page.click('#token-3')
  assert.equal(await page.getAttribute('#go-on', 'aria-disabled'), 'false')
  await page.close()
})

test('reads a prompt that is typed, and keeps the texts', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '7', maxTokens: '24' })
  const text = await write(page, fox)
  await page.fill('#prompt', 'A hen')
  await page.waitForFunction(() => heed.passage.prompt === 'A hen' && heed.attention)
  assert.deepEqual(await current(page), [])
  assert.match(await page.textContent('#versions .current'), /^Prompt/)
  await turnTo(page, 1)
  assert.equal((await page.locator('#passage .written').allTextContents()).join(''), text)
  // If a text is chosen before the typed prompt is read, the prompt does not replace it.
  await page.fill('#prompt', 'A hen and a fox')
  await chip(page, 1).click()
  await page.waitForTimeout(500)
  assert.equal(await page.evaluate(() => heed.passage.prompt), fox)
  await page.close()
})

test('a text can be removed, and one that cannot be generated leaves the others unchanged', async () => {
  const page = await openPage(browser, site.url)
  await branch(page)
  await page.click('#remove-version')
  assert.match((await current(page))[0], /^Text 1/)
  assert.equal(await page.evaluate(() => document.activeElement.closest('#versions') !== null), true)
  assert.ok(await page.locator('#other').isHidden())
  assert.ok(await page.locator('#version-actions').isHidden())
  const { contextLength } = await page.evaluate(() => heed.model.info)
  await page.fill('#prompt', 'fox '.repeat(contextLength + 100))
  await page.click('#write')
  await page.waitForSelector('.notice')
  assert.equal((await texts(page)).length, 1)
  assertCalm(page)
  await page.close()
})

test('announces the end of a text that is not shown, with its name', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '7', maxTokens: '64' })
  await page.evaluate(() => {
    const form = document.getElementById('compose')
    heed.versions.onAdded(version =>
      version.progress.watch(({ tokens }) => {
        if (version.number === 1 && tokens === 3) {
          document.getElementById('maxTokens').value = 200
          form.requestSubmit()
        }
      }),
    )
  })
  await page.click('#write')
  await page.waitForFunction(() => heed.versions.list.value.length === 2)
  await whole(page)
  const spoken = await page.locator('#announcer p').allTextContents()
  assert.ok(
    spoken.some(text => /^Text 1\. .*: 64 tokens\.$/.test(text)),
    spoken.join('|'),
  )
  await page.close()
})

test('a continuation cannot be linked; another model removes all texts', async () => {
  const page = await openPage(browser, site.url)
  await branch(page)
  await page.click('#copy-link')
  assert.match(await page.textContent('#copied'), /continues another/)
  await choose(page, 'gpt2', goldenBytes('gpt2'))
  assert.equal(await page.locator('#versions button').count(), 0)
  assert.ok(await page.locator('#other').isHidden())
  assert.equal(await page.locator('#go-on').count(), 1)
  assertCalm(page)
  await page.close()
})

test('models that answer, read or see: only the first generate texts at the same time, and none continues them', async () => {
  const page = await openPage(browser, site.url)
  await choose(page, 't5', goldenBytes('t5'))
  await sample(page, { maxTokens: '8', seed: '11' })
  await page.fill('#prompt', 'the fox and a hen')
  await page.evaluate(() => {
    const form = document.getElementById('compose')
    form.requestSubmit()
    form.requestSubmit()
  })
  await page.waitForFunction(
    () => heed.versions.list.value.length === 2 && heed.versions.list.value.every(({ outcome }) => outcome),
  )
  const [first, second] = await texts(page)
  assert.deepEqual(first.ids, second.ids)
  assert.equal(await page.locator('#go-on').count(), 0)
  await choose(page, 'bert', goldenBytes('bert'))
  assert.ok(await page.locator('#texts').isHidden())
  assert.equal(await page.locator('#go-on').count(), 0)
  await choose(page, 'vit', goldenBytes('vit'))
  assert.ok(await page.locator('#texts').isHidden())
  assertCalm(page)
  await page.close()
})
