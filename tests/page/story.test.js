// Generating on the page: with the embedded model and the chosen settings, until stopped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { assertCalm, openPage, sample, visitPage, write, written } from './page.mjs'

const prompt = 'Write a story about a fox and a lantern.'
const { browser, site } = await visitPage()

test('a story streams from the embedded model, the same as in Node', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '7', maxTokens: '160' })
  // The number of tokens at each change of the page: a stream grows in more than one step.
  await page.evaluate(() => {
    globalThis.steps = new Set()
    const [passage] = everywhere('#passage')
    const count = () => steps.add(passage.querySelectorAll('.written').length)
    new MutationObserver(count).observe(passage, { childList: true })
  })
  const text = await write(page, prompt)
  assert.ok((await page.evaluate(() => steps.size)) > 3)

  const model = await loadModel()
  const expected = await model.generate(prompt, {
    seed: 7,
    maxTokens: 160,
    temperature: 0.8,
    topK: 40,
    topP: 0.95,
    minP: 0.05,
    repetitionPenalty: 1,
  })
  await model.dispose()
  assert.equal(text, expected.text)
  const shown = await page
    .locator('#passage')
    .evaluate(passage => [...passage.querySelectorAll('.written')].map(token => token.textContent).join(''))
  assert.equal(shown, expected.text)
  const figures = await page.textContent('#figures')
  assert.match(figures, /^\d+ tokens, [\d.]+ tokens\/s, first after [\d.]+ m?s/)
  assertCalm(page)
  await page.close()
})

for (const [name, stop] of [
  ['the Stop button', () => document.querySelector('#versions .stop').click()],
  ['Escape', () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))],
]) {
  test(`${name} stops within one token`, async () => {
    const page = await openPage(browser, site.url)
    await sample(page, { temperature: '2', topK: '0', topP: '1', minP: '0', maxTokens: '1024' })
    await page.evaluate(body => {
      const [passage] = everywhere('#passage')
      const press = new Function(`return ${body}`)()
      new MutationObserver((_, observer) => {
        const count = passage.querySelectorAll('.written').length
        if (count < 5) return
        observer.disconnect()
        globalThis.countAtStop = count
        press()
      }).observe(passage, { childList: true })
    }, stop.toString())
    await write(page, prompt)
    const { countAtStop, count } = await page.evaluate(() => ({ countAtStop, count: everywhere('#passage .written').length }))
    assert.ok(count - countAtStop <= 1, `${count - countAtStop} tokens came after the stop`)
    assert.match(await page.textContent('#figures'), /Stopped/)
    assert.ok((await write(page)).length > 0, 'the model writes again')
    assertCalm(page)
    await page.close()
  })
}

test('keeping a seed gives the same text again; Reset forgets it', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { maxTokens: '64' })
  const first = await write(page, prompt)
  await page.click('text=reuse it')
  assert.equal(await write(page), first)
  await page.click('.sampling summary')
  await page.click('#sampling-reset')
  assert.equal(await page.inputValue('#seed'), '')
  assert.equal(await page.inputValue('#maxTokens'), '400')
  await page.close()
})

test('announces whole sentences, and the end', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '7' })
  const text = await write(page, prompt)
  const spoken = await page.locator('#announcer p').allTextContents()
  assert.ok(spoken.length > 2)
  assert.equal(spoken.slice(0, -1).join('').replace(/\s/g, ''), text.replace(/\s/g, ''))
  assert.match(spoken.at(-1), /^(The text is complete|The maximum|The context).*: \d+ tokens?\.$/)
  await page.close()
})

test('rejects a prompt longer than the context in one sentence, with the limit', async () => {
  const page = await openPage(browser, site.url)
  const { contextLength } = await page.evaluate(() => globalThis.heed.model.info)
  await page.fill('#prompt', 'fox '.repeat(contextLength + 100))
  await page.click('#write')
  const notice = await page.textContent('.notice span')
  assert.match(notice, new RegExp(`too long.*\\b${contextLength}\\b`))
  assert.ok((await write(page, prompt)).length > 0)
  assert.equal(await page.locator('.notice').count(), 0)
  await page.close()
})

test('typing during a generation does not disturb it', async () => {
  const page = await openPage(browser, site.url)
  await sample(page, { seed: '3', maxTokens: '64' })
  const expected = await write(page, prompt)
  await page.click('#write')
  await page.fill('#prompt', 'Something else')
  assert.equal(await written(page), expected)
  await page.close()
})
