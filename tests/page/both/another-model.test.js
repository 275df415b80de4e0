// Another model takes the place of the one that has written the conversation in view: nothing of it is lost, and who wrote is told.
import assert from 'node:assert/strict'
import { answered, say, shown } from '../chatting.mjs'
import { assertCalm, atBothWidths, hasBundled, hasModel, sample, takeTiny } from '../page.mjs'

const lines = page => page.locator('#chat-log .handover').allTextContents()
const note = page => page.textContent('#chat-note')

async function useQuestions(page) {
  await takeTiny(page, 'heed-questions')
  await page.waitForFunction(() => globalThis.heed.model.info.name === 'heed-questions')
}

/** Sends a message without a picture to a model that asks for one, and waits for the answer. */
async function sayAnyway(page, text) {
  await page.fill('#message', text)
  await page.press('#message', 'Enter')
  await page.waitForSelector('#chat-compose .notice')
  await page.click('#chat-compose .notice button')
  await page.waitForFunction(text => globalThis.heed.conversation.path.value.at(-2)?.text === text, text)
  await answered(page)
}

atBothWidths('another model begins a conversation, with its examples; the one before is a click away', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await sample(page, { temperature: '0', maxTokens: '16' })
  const asked = 'Once there was a Fox with a lantern. Who had it?'
  await say(page, asked)
  const before = await shown(page)
  assert.deepEqual(await lines(page), [])
  await useQuestions(page)
  assert.match(await note(page), /^New conversation, with heed-questions\./)
  assert.deepEqual(await shown(page), [])
  await page.waitForFunction(() => document.querySelectorAll('.example-picture canvas').length === 5)
  assert.ok(await page.isVisible('.example-picture'))
  // Brought back, it says who wrote it, and its tokens are shown as they were written, whether or not the new model knows their letters.
  await page.click('#chat-note button')
  await page.waitForSelector('#chat-log .handover')
  assert.deepEqual(await shown(page), before)
  assert.deepEqual(await lines(page), ['Written by heed-stories; heed-questions goes on.'])
  const read = () =>
    page.waitForFunction(() => {
      const { passage, conversation } = globalThis.heed
      const step = conversation.last.steps?.at(-1)
      return passage.promptTokens?.length > (step?.promptIds.length ?? 1) - 1 && passage.promptTokens.length > 0
    })
  // It has no picture yet: those of the example are offered above the next message, and one of them is added by a click.
  assert.ok(await page.isVisible('#chat-compose .example-picture'))
  await page.click('#chat-compose .example-picture')
  await page.waitForSelector('#chat-compose .attachments li')
  await page.click('#chat-compose .attachments li button')
  await page.waitForSelector('#chat-compose .attachments li', { state: 'detached' })
  await read()
  const written = () => page.evaluate(() => globalThis.heed.passage.promptTokens.map(({ text }) => text).join(''))
  assert.ok((await written()).includes(asked), await written())
  await sayAnyway(page, 'And what color is the boat?')
  await read()
  assert.ok((await written()).includes(asked) && !(await written()).includes('<unk>'), await written())
  assert.deepEqual(await lines(page), ['Written by heed-stories; heed-questions goes on.'])
  const [line, said] = await page
    .locator('#chat-log .handover, #chat-log .said')
    .evaluateAll(all => [all[1].className, all[2].textContent])
  assert.deepEqual([line, said], ['handover', 'And what color is the boat?'], 'between what each has written')
  // After a reload it is still known, before any model is there.
  await page.waitForFunction(() => globalThis.heed.keeper.flush().then(() => true))
  await page.reload()
  await page.waitForSelector('#chat-log .handover')
  assert.deepEqual(await lines(page), ['Written by heed-stories; heed-questions goes on.'])
  assertCalm(page)
})

atBothWidths('each model comes back to its own conversation, and both are in History', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await sample(page, { temperature: '0', maxTokens: '16' })
  await say(page, 'Who found the lantern?')
  const first = await shown(page)
  await useQuestions(page)
  await sayAnyway(page, 'what is on the left?')
  const second = await shown(page)
  assert.equal(second.length, 2)
  await hasBundled(page)
  await page.waitForFunction(() => globalThis.heed.conversation.path.value[0]?.text === 'Who found the lantern?')
  assert.deepEqual(await shown(page), first)
  assert.match(await note(page), /^The conversation with heed-stories\./)
  assert.deepEqual(await lines(page), [])
  await page.click('#history-button')
  await page.waitForFunction(() => document.querySelectorAll('.history-about').length === 2)
  const abouts = await page.locator('.history-about').allTextContents()
  assert.deepEqual(abouts.map(about => about.replace(/^.*, /, '')).sort(), ['heed-questions', 'heed-stories'])
  await page.click('#history-button')
  await page.click('#chat-note button')
  await page.waitForFunction(() => globalThis.heed.conversation.path.value[0]?.text === 'what is on the left?')
  assert.deepEqual(await shown(page), second)
  assert.deepEqual(await lines(page), ['Written by heed-questions; heed-stories goes on.'])
  assertCalm(page)
})
