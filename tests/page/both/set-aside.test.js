// What the user has typed is set aside, not lost, when something else is put into its box: a task of the lesson, an example, or the
// text of a link. It can be brought back at once, and after a reload.
import assert from 'node:assert/strict'
import { assertCalm, atBothWidths, chatHash, hasModel, ready } from '../page.mjs'

const note = room => `${room} .set-aside`

const bringBack = (page, room) => page.click(`${note(room)} button:first-of-type`)

/** Waits until the drafts that were found are in their boxes. */
const restored = page => page.waitForFunction(() => globalThis.heed?.drafts.then(() => true))

async function reload(page) {
  await page.waitForFunction(() => globalThis.heed.drafts.then(desk => desk.flush()).then(() => true))
  await page.reload()
  await restored(page)
  await hasModel(page)
}

atBothWidths('a message that a task replaces is set aside, also over a reload, and is brought back', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await restored(page)
  await page.fill('#message', 'Half a message')
  await page.click('#lesson-tasks button')
  const task = await page.inputValue('#message')
  assert.notEqual(task, 'Half a message')
  assert.match(await page.textContent(note('#chat-compose')), /^Your message was set aside\./)
  await reload(page)
  assert.equal(await page.inputValue('#message'), task)
  await page.click('#lesson-tasks button') // the same task again sets nothing else aside
  await bringBack(page, '#chat-compose')
  assert.equal(await page.inputValue('#message'), 'Half a message')
  // One task after another: only what was typed is set aside.
  await page.evaluate(() => {
    for (const button of document.querySelectorAll('#lesson-tasks button')) button.click()
  })
  await page.waitForFunction(() => !/^Half/.test(document.getElementById('message').value))
  await bringBack(page, '#chat-compose')
  assert.equal(await page.inputValue('#message'), 'Half a message')
  assertCalm(page)
})

atBothWidths('a prompt that an example replaces is set aside, and brought back or discarded', async ({ open }) => {
  const page = await open()
  await ready(page)
  await restored(page)
  await page.click('#examples button:not([hidden])')
  assert.equal(await page.textContent(note('#compose')), '', 'an example is nobody’s own')
  await page.fill('#prompt', 'A prompt of my own')
  await page.click('#examples button:not([hidden])')
  await bringBack(page, '#compose')
  assert.equal(await page.inputValue('#prompt'), 'A prompt of my own')
  assert.equal(await page.textContent(note('#compose')), '')
  await page.click('#examples button:not([hidden])')
  await page.click(`${note('#compose')} button:last-of-type`)
  assert.equal(await page.textContent(note('#compose')), '')
  assertCalm(page)
})

atBothWidths('a prompt outlives a link of the lesson and Back to the conversation of a link', async ({ open }) => {
  const messages = [
    { role: 'user', content: 'Write a story about a hen.' },
    { role: 'assistant', content: 'A hen found a bell.' },
  ]
  const page = await open(await chatHash({ messages }))
  await hasModel(page)
  await restored(page)
  await page.waitForFunction(() => heed.conversation.path.value.length === 2)
  await page.evaluate(() => document.querySelector('#rooms [value=text]').click())
  await page.fill('#prompt', 'A prompt of my own')
  await page.evaluate(() => {
    const link = [...document.querySelectorAll('#lesson a')].find(({ hash }) => hash.includes('prompt='))
    link.click()
  })
  await page.waitForFunction(() => document.getElementById('prompt').value !== 'A prompt of my own')
  await page.goBack()
  await page.waitForFunction(() => location.hash.startsWith('#chat='))
  await reload(page)
  await page.evaluate(() => document.querySelector('#rooms [value=text]').click())
  await bringBack(page, '#compose')
  assert.equal(await page.inputValue('#prompt'), 'A prompt of my own')
  assertCalm(page)
})
