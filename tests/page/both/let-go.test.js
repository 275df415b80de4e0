// Ways out of a state of the conversation: Escape lets go of a chosen word, and the note about a conversation that a task of the
// lesson has replaced is in sight.
import assert from 'node:assert/strict'
import { say } from '../chatting.mjs'
import { assertCalm, atBothWidths, hasModel, sample } from '../page.mjs'

atBothWidths('Escape lets go of the word that was chosen in the conversation: its lights, row and note', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await sample(page, { temperature: '0' })
  await say(page, 'A whale named Zed hid a bell in a cave. Who hid the bell?')
  await page.focus('#chat-log')
  await page.keyboard.press('ArrowRight')
  await page.waitForFunction(() => /it looked/.test(document.querySelector('.found')?.textContent) && CSS.highlights.size > 0)
  await page.keyboard.press('Escape')
  await page.waitForFunction(
    () =>
      heed.viewer.token === undefined &&
      document.querySelector('.found').textContent === '' &&
      [...CSS.highlights.values()].every(({ size }) => size === 0),
  )
  assertCalm(page)
})

atBothWidths('after a task of the lesson, the way back to the conversation is in sight', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await say(page, 'What can you do?')
  await page.click('#lesson-tasks button')
  await page.waitForFunction(() => {
    const { top, bottom } = document.getElementById('chat-note').getBoundingClientRect()
    return bottom > top && top >= 0 && bottom <= innerHeight
  })
  assert.match(await page.innerText('#chat-note'), /^New conversation\. Restore the previous one/)
  assertCalm(page)
})
