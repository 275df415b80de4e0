// Letters that are composed from several keys, such as Japanese ones: the keys that end a composition do nothing else.
import assert from 'node:assert/strict'
import { say, visitChat } from '../chatting.mjs'
import { assertCalm, atBothWidths } from '../page.mjs'

/** Sends a key that an input method has handled: as browsers do, or as Safari does, after the composition has ended. */
const compose = (page, selector, key) =>
  page.evaluate(
    ([selector, key]) => {
      const place = document.querySelector(selector)
      place.focus()
      for (const [isComposing, keyCode] of [
        [true, 229],
        [true, 13],
        [false, 229],
      ]) {
        const event = new KeyboardEvent('keydown', { key, isComposing, bubbles: true, cancelable: true })
        Object.defineProperty(event, 'keyCode', { value: keyCode })
        place.dispatchEvent(event)
        if (event.defaultPrevented) throw new Error(`the page has taken ${key}`)
      }
    },
    [selector, key],
  )

atBothWidths('Enter that accepts a composed word sends nothing, and ends no name', async ({ open }) => {
  const page = await visitChat(open, ['Yes.', 'No.'])
  const turns = () => page.evaluate(() => globalThis.heed.conversation.turns.length)
  await page.fill('#message', 'きつね')
  await compose(page, '#message', 'Enter')
  assert.deepEqual([await turns(), await page.inputValue('#message')], [0, 'きつね'])
  await say(page, 'きつねとは')
  assert.equal(await turns(), 2)

  await page.click('[aria-label="Edit this message"]')
  await page.fill('.edit textarea', 'たぬき')
  await compose(page, '.edit textarea', 'Enter')
  await compose(page, '.edit textarea', 'Escape')
  assert.deepEqual([await turns(), await page.inputValue('.edit textarea')], [2, 'たぬき'])
  await page.press('.edit textarea', 'Escape')

  await page.click('#history-button')
  await page.waitForSelector('.history-list [aria-label^=Rename]')
  await page.click('.history-list [aria-label^=Rename]')
  await page.fill('.history-list input', 'なまえ')
  await compose(page, '.history-list input', 'Enter')
  await compose(page, '.history-list input', 'Escape')
  assert.equal(await page.inputValue('.history-list input:not([readonly])'), 'なまえ')
  await page.press('.history-list input', 'Enter')
  await page.waitForFunction(() => document.querySelector('.history-title')?.textContent === 'なまえ')
  assertCalm(page)
})

atBothWidths('Enter that accepts a composed word of a prompt writes no text', async ({ open }) => {
  const page = await open()
  await page.waitForFunction(() => globalThis.heed?.model)
  await page.click('#rooms [value=text]')
  await page.fill('#prompt', 'むかしむかし')
  await compose(page, '#prompt', 'Enter')
  assert.equal(await page.evaluate(() => globalThis.heed.versions.list.value.length), 0)
  await page.press('#prompt', 'Enter')
  await page.waitForFunction(() => globalThis.heed.versions.list.value.length === 1)
  assertCalm(page)
})
