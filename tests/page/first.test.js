// The first screen: a finished example is shown before a model has loaded, the model confirms it, and it disappears when the user
// asks something.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { drawExample } from '../../tools/draw-example.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { bring, say } from './chatting.mjs'
import { assertCalm, openPage, servePage, visitPage } from './page.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'

const { browser, site } = await visitPage()
const stored = JSON.parse(readFileSync(inRoot('web/chat/first/example.json'), 'utf8'))
const wholeOf = ({ before, word, after }) => before + word + after

/** Waits until the viewer shows the model's own answer to the example, with its word selected. */
const confirmed = page => page.waitForFunction(() => heed.viewer.token !== undefined && heed.attention)

const shown = page =>
  page.evaluate(() =>
    Object.fromEntries(
      ['question', 'answer'].map(name => {
        const [before, word, after] = [...document.querySelector(`[data-example=${name}]`).children].map(part => part.textContent)
        return [name, { before, word, after }]
      }),
    ),
  )

test('the example is in the page before any script and before the model, with the word and its source marked', async () => {
  const context = await browser.context.browser().newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(site.url)
  assert.equal(await page.locator('[data-example=question]').textContent(), wholeOf(stored.question))
  assert.equal(await page.locator('[data-example=question] mark').textContent(), stored.question.word)
  assert.match(
    (await page.locator('#example figcaption').textContent()).replace(/\s+/g, ' '),
    new RegExp(`^To write ${stored.answer.word}, it looked back here. Tap any of its words. Ask your own.$`),
  )
  await context.close()
})

test('the first paint waits for no other file: without any, the example is there in the chosen theme', async () => {
  const context = await browser.context.browser().newContext({ colorScheme: 'light' })
  const page = await context.newPage()
  await page.addInitScript(() => localStorage.setItem('heed-theme', 'dark'))
  await page.route('**/*', route => (route.request().isNavigationRequest() ? route.continue() : route.abort()))
  await page.goto(site.url)
  const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  assert.equal(paper, 'rgb(22, 21, 19)')
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('#skip')).position), 'absolute')
  await context.close()
})

test('the stored example is what the engine gives', async () => assert.deepEqual(stored, await drawExample()))

for (const [width, height] of [
  [1280, 800],
  [820, 1180],
  [390, 844],
]) {
  test(`on a screen of ${width} by ${height} all of the example is in view, before and after the model has confirmed it`, async () => {
    const page = await browser.context.newPage()
    await page.setViewportSize({ width, height })
    let release
    const held = new Promise(resolve => {
      release = resolve
    })
    await page.route('**/*.gguf', async route => {
      await held
      await route.continue()
    })
    await page.goto(site.url)
    const places = () =>
      page.evaluate(() =>
        ['#example-title', '[data-example=question]', '#example figcaption', '#message'].map(selector =>
          document.querySelector(selector).getBoundingClientRect().toJSON(),
        ),
      )
    assert.equal(await page.evaluate(() => globalThis.heed?.model), undefined)
    const before = await places()
    for (const { top, bottom } of before) assert.ok(top >= 0 && bottom <= height, JSON.stringify(before))
    release()
    await confirmed(page)
    assert.deepEqual(await places(), before)
    await page.close()
  })
}

test('once it has loaded, the model answers the example: the viewer shows its word, and where it comes from', async () => {
  const page = await browser.open(site.url)
  await confirmed(page)
  assert.deepEqual(await shown(page), stored)
  const { text, words, selected } = await page.evaluate(() => {
    const { passage, token, shadowRoot } = heed.viewer
    const tokens = [...passage.promptTokens, ...passage.written]
    return {
      text: passage.written.map(each => each.text).join(''),
      selected: tokens[token].text,
      words: [...shadowRoot.querySelectorAll('.word')].map(each => [
        each.textContent,
        Number(each.style.getPropertyValue('--strength')),
      ]),
    }
  })
  assert.equal(text, wholeOf(stored.answer))
  assert.ok(stored.answer.word.startsWith(selected.trim()))
  assert.equal(
    words
      .map(([part]) => part)
      .join('')
      .replace(/ /g, ''),
    stored.question.word + stored.answer.word,
    'all tokens of both',
  )
  const source = words.filter(([, strength]) => strength > 0)
  assert.equal(
    source
      .map(([part]) => part)
      .join('')
      .trim(),
    stored.question.word,
    'all of the word glows',
  )
  assert.ok(source.every(([, strength]) => strength === source[0][1] && strength > 0.9))
  assertCalm(page)
  await page.close()
})

test('if the engine answers differently, its answer takes the place of what was stored', async () => {
  const other = await servePage({
    change(folder) {
      const path = join(folder, 'index.html')
      const html = readFileSync(path, 'utf8')
      const changed = html.replace(`<mark>${stored.question.word}</mark>`, '<mark>Ida</mark>')
      assert.notEqual(changed, html)
      writeFileSync(path, changed)
    },
  })
  const page = await browser.open(other.url)
  await confirmed(page)
  await page.waitForFunction(() => document.querySelector('#example-word').textContent === 'Ida')
  const { question, answer } = await shown(page)
  assert.deepEqual([question.word, answer.word], ['Ida', 'Ida'])
  await page.close()
  await other.close()
})

test('if the engine finds no source, the example is withdrawn', async () => {
  const other = await servePage({
    change(folder) {
      const path = join(folder, 'index.html')
      const html = readFileSync(path, 'utf8')
      const { before, word, after } = stored.question
      const changed = html.replace(
        `<span>${before}</span><mark>${word}</mark><span>${after}</span>`,
        '<span></span><mark>What</mark><span> can you do?</span>',
      )
      assert.notEqual(changed, html)
      writeFileSync(path, changed)
    },
  })
  const page = await browser.open(other.url)
  await page.waitForFunction(() => document.getElementById('example').hidden)
  assert.ok(await page.locator('.invitation').isVisible())
  await page.close()
  await other.close()
})

test('the example disappears for good when the user asks something, and with another model', async () => {
  const page = await browser.open(site.url)
  await confirmed(page)
  await page.click('#example-ask')
  assert.equal(await page.evaluate(() => document.activeElement.id), 'message')
  await say(page, 'What can you do?')
  assert.equal(await page.locator('#example').count(), 0)
  await page.click('#chat-new')
  assert.ok(await page.locator('#example').isHidden())
  assert.equal(await page.evaluate(() => heed.passage.prompt), '')
  assertCalm(page)
  await page.close()

  const another = await openPage(browser, site.url)
  await bring(another, scriptedModel(['Yes.']))
  assert.ok(await another.locator('#example').isHidden())
  await another.close()
})

test("the example's head is reset with it, unless the user has chosen another head", async () => {
  const page = await browser.open(site.url)
  const place = () => page.evaluate(() => [heed.viewer.layer, heed.viewer.head])
  const { layer, head } = JSON.parse(readFileSync(inRoot('models/heed-stories.heads.json'), 'utf8')).find(
    ({ kind }) => kind === 'answer',
  )
  await confirmed(page)
  assert.deepEqual(await place(), [layer, head])
  await page.check('#rooms [value=text]')
  const [middle, mean] = await place()
  assert.equal(mean, 'mean')
  await page.check('#rooms [value=chat]')
  await confirmed(page)
  assert.deepEqual(await place(), [layer, head], 'back to it, as nothing was asked')
  await say(page, 'What can you do?')
  assert.deepEqual(await place(), [middle, mean])
  await page.close()
  const other = await browser.open(site.url)
  await confirmed(other)
  await other.fill('#layer', '0')
  await say(other, 'What can you do?')
  assert.deepEqual(await other.evaluate(() => [heed.viewer.layer, heed.viewer.head]), [0, head])
  await other.close()
})

test('a message sent at once is answered at once, and the example does not come back', async () => {
  const page = await browser.open(site.url)
  await page.fill('#message', 'What can you do?')
  await page.press('#message', 'Enter')
  await page.waitForFunction(() => heed.conversation.last?.ending && heed.passage.written.length > 0)
  assert.match(await page.evaluate(() => heed.passage.prompt), /What can you do/)
  assertCalm(page)
  await page.close()
})

test("a room that is chosen before the page's script has run is the one that opens", async () => {
  const page = await browser.context.newPage()
  let release
  const held = new Promise(resolve => {
    release = resolve
  })
  await page.route('**/*.js', async route => {
    await held
    await route.continue()
  })
  await page.goto(site.url, { waitUntil: 'commit' })
  await page.check('#rooms [value=text]')
  release()
  await page.waitForFunction(() => globalThis.heed?.attention && heed.passage.prompt === document.getElementById('prompt').value)
  assert.ok(await page.isVisible('#prompt'))
  assert.ok(await page.isHidden('#message'))
  await page.close()
})
