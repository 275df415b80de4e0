// Features for a class: the theme, presentation in large type, print, and tasks with answers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { drawTasks } from '../../tools/draw-tasks.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { say, whenWriting } from '../page/chatting.mjs'
import { assertCalm, openPage, sample, visitPage, write } from '../page/page.mjs'

const { browser, site } = await visitPage()

const grounds = page =>
  page.evaluate(() =>
    [document.documentElement, heed.viewer.shadowRoot.querySelector('.viewer')].map(
      element => getComputedStyle(element).backgroundColor,
    ),
  )
const [light, dark] = ['rgb(250, 248, 243)', 'rgb(22, 21, 19)']

test("the theme is the system's, light or dark, for the page and the viewer, and is remembered", async context => {
  const own = await browser.context.browser().newContext({ colorScheme: 'dark' })
  context.after(() => own.close())
  const page = await own.newPage()
  await page.goto(site.url)
  await page.waitForFunction(() => globalThis.heed?.model)
  assert.deepEqual(await grounds(page), [dark, dark], "the system's")
  await page.click('#view-menu summary')
  await page.check('#themes [value=light]')
  await page.waitForFunction(
    light => getComputedStyle(heed.viewer.shadowRoot.querySelector('.viewer')).backgroundColor === light,
    light,
  )
  assert.deepEqual(await grounds(page), [light, light])
  assert.equal(await page.getAttribute('meta[name=theme-color]', 'content'), light)

  // No flash: the theme is set by the time of the body's first element, before any module has run and before anything is painted.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body?.firstElementChild) return
      observer.disconnect()
      globalThis.first = [document.documentElement.dataset.theme, performance.getEntriesByType('paint').length]
    }).observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await page.waitForFunction(() => globalThis.heed?.model)
  assert.deepEqual(await page.evaluate(() => globalThis.first), ['light', 0])
  assert.deepEqual(await grounds(page), [light, light])
  assert.ok(await page.isChecked('#themes [value=light]'))
  await page.click('#view-menu summary')
  await page.check('#themes [value=system]')
  await page.reload()
  await page.waitForFunction(() => globalThis.heed?.model)
  assert.deepEqual(await grounds(page), [dark, dark], "the system's again")
})

test('a presentation shows one part in large type, and ends with Escape', async () => {
  const page = await openPage(browser, site.url)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.check('#rooms [value=chat]')
  await say(page, 'What can you do?')
  const size = selector => page.evaluate(selector => parseFloat(getComputedStyle(everywhere(selector)[0]).fontSize), selector)
  const usual = [await size('.answer'), await size('#passage')]
  await page.click('#view-menu summary')
  await page.click('#present')
  const parts = { conversation: '#chat-log', text: '#passage', attention: '#heat-map' }
  for (const part of Object.keys(parts)) {
    await page.check(`#presenting [value=${part}]`)
    for (const [other, selector] of Object.entries(parts))
      assert.equal(await page.locator(selector).isVisible(), other === part, `${part}: ${other}`)
    for (const selector of ['.masthead', '.model', '#lesson', 'footer', '#rooms'])
      assert.ok(await page.locator(selector).isHidden(), selector)
    const { top, bottom, right } = await page.evaluate(
      selector => everywhere(selector)[0].getBoundingClientRect().toJSON(),
      parts[part],
    )
    assert.ok(top >= 0 && bottom <= 800 && right <= 1280, `${part} is in view: ${top} to ${bottom}`)
  }
  await page.check('#presenting [value=text]')
  assert.equal(await size('#passage'), usual[1] * 1.5)
  await page.check('#presenting [value=conversation]')
  assert.equal(await size('.answer'), usual[0] * 1.5)
  await say(page, 'Hello.')
  await page.keyboard.press('Escape')
  assert.ok(await page.locator('#presenting').isHidden())
  for (const selector of Object.values(parts)) assert.ok(await page.locator(selector).isVisible())
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'View')
  await page.check('#rooms [value=text]')
  await page.click('#view-menu summary')
  await page.click('#present')
  assert.ok(await page.locator('#present-conversation').isHidden(), 'free text has no conversation')
  assert.ok(await page.locator('#passage').isVisible())
  await page.click('#present-end')
  assertCalm(page)
  await page.close()
})

test('in a presentation, Escape first ends the answer that is being written, and notices are seen', async () => {
  const page = await openPage(browser, site.url)
  await page.check('#rooms [value=chat]')
  await page.click('#view-menu summary')
  await page.click('#present')
  await whenWriting(page, () => dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', cancelable: true })))
  await say(page, 'Write a story about a fox and a lantern.')
  assert.equal(await page.evaluate(() => heed.conversation.last.ending.reason), 'abort')
  assert.ok(await page.locator('#presenting').isVisible(), 'Escape has ended the answer only')
  await page.evaluate(() => {
    location.hash = '#chat=damaged'
  })
  await page.locator('.notice').waitFor()
  await page.getByLabel('Dismiss').click()
  assert.ok(await page.locator('.model').isHidden())
  await page.keyboard.press('Escape')
  assert.ok(await page.locator('#presenting').isHidden())
  assertCalm(page)
  await page.close()
})

test('on paper the text is dark on white, also with the dark theme', async t => {
  const page = await openPage(browser, site.url)
  t.after(async () => {
    await page.evaluate(() => localStorage.clear()) // other tests use the same browser
    await page.close()
  })
  await write(page)
  await page.click('#view-menu summary')
  await page.check('#themes [value=dark]')
  await page.evaluate(() => {
    globalThis.print = () => {
      globalThis.printed = true
    }
  })
  await page.click('#print')
  assert.ok(await page.evaluate(() => globalThis.printed))
  await page.emulateMedia({ media: 'print' })
  const colors = () =>
    page.evaluate(() => ['.token.written', '#heat-map'].map(selector => getComputedStyle(everywhere(selector)[0]).color))
  for (const color of await colors()) assert.equal(color, 'rgb(35, 32, 27)')
  for (const id of ['view-menu', 'presenting', 'starters']) assert.ok(await page.locator(`#${id}`).isHidden(), id)
})

test('the tasks of the lesson go into the chat, and their answers, hidden at first, are what the model gives', async () => {
  const drawn = await drawTasks()
  assert.deepEqual(JSON.parse(readFileSync(inRoot('web/lesson/tasks.json'), 'utf8')), drawn)
  for (const { answer, piece } of [drawn.other, drawn.invented]) assert.ok(answer.startsWith(piece), `${answer}: ${piece}`)
  const page = await openPage(browser, site.url)
  await sample(page, { temperature: '0' })
  const tasks = page.locator('#lesson-tasks li')
  for (const [at, { asked, answer }] of Object.values(drawn).entries()) {
    const task = tasks.nth(at)
    assert.ok(await task.locator('details p').isHidden())
    await task.locator('summary').click()
    assert.ok((await task.locator('details p').innerText()).startsWith(`“${answer}”`))
    await task.getByText('Put it into the chat').click()
    assert.equal(await page.inputValue('#message'), asked)
    await page.click('#chat-new')
    await say(page, asked)
    assert.equal((await page.locator('.answer').last().innerText()).trim(), answer)
  }
  await page.close()
})
