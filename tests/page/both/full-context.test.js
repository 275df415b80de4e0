// A conversation that exceeds the model's context continues by itself, and says so.
import assert from 'node:assert/strict'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { bring, say, shown, visitChat } from '../chatting.mjs'
import { assertCalm, atBothWidths } from '../page.mjs'

const promptOfLast = page =>
  page.evaluate(() => globalThis.heed.conversation.last.steps[0].prompt.map(part => part.control ?? part).join(''))
const cutAbove = page =>
  page.evaluate(() => document.querySelector('#chat-log .cut')?.nextElementSibling.querySelector('.said').textContent)
const alarms = page => page.locator('#chat-log .notice, #notices .notice').count()

atBothWidths('the oldest turns are left out of the prompt by themselves, and stay in the conversation', async ({ turn }) => {
  // Each turn has some 80 tokens; the model always replies to its first turns as to the first ones.
  const page = await visitChat(turn, ['First!', 'Second!', 'Third!', 'Fourth!', 'Fifth!', 'Sixth!', 'Seventh!'], { context: 320 })
  const words = Array.from({ length: 7 }, (_, at) => `Message ${at} ${String.fromCharCode(97 + at).repeat(60)}`)
  for (const word of words) {
    await say(page, word)
    assert.equal(await page.evaluate(() => globalThis.heed.conversation.last.ending.reason), 'stop')
  }
  assert.equal(await alarms(page), 0)
  assert.deepEqual(
    (await shown(page)).filter((_, at) => at % 2 === 0),
    words,
    'nothing is gone',
  )
  const above = await cutAbove(page)
  const from = words.indexOf(above)
  assert.ok(from > 0 && from < 6, above)
  const prompt = await promptOfLast(page)
  assert.deepEqual(
    words.map(word => prompt.includes(word)),
    words.map((_, at) => at >= from),
  )
  assert.equal(await page.locator('#chat-log .dropped').count(), 2 * from)
  // With slack: not at every message.
  const cuts = new Set()
  for (let at = 0; at < 4; at++) {
    await say(page, `More ${at}`)
    cuts.add(await cutAbove(page))
  }
  assert.ok(cuts.size < 4, [...cuts].join())
  // A model with enough room reads all of it again.
  await bring(
    page,
    scriptedModel(
      Array.from({ length: 20 }, (_, at) => `Answer ${at}!`),
      { context: 4096 },
    ),
    'roomy',
  )
  await say(page, 'And now?')
  assert.equal(await cutAbove(page), undefined)
  assert.ok((await promptOfLast(page)).includes(words[0]))
  assertCalm(page)
})

atBothWidths('with tools on, too: what runs them is no part of a prompt', async ({ turn }) => {
  const page = await visitChat(turn, ['First!', 'Second!', 'Third!', 'Fourth!'], { context: 2048 })
  await page.click('#tools-button')
  for (const name of ['roll_dice', 'current_time', 'calculate']) await page.check(`#tool-list [value=${name}]`)
  const long = letter => letter.repeat(700)
  for (const letter of ['a', 'b', 'c']) await say(page, long(letter))
  assert.deepEqual(await page.evaluate(() => globalThis.heed.conversation.last.ending.error), undefined)
  assert.equal(await page.evaluate(() => globalThis.heed.conversation.last.ending.reason), 'stop')
  assert.notEqual(await cutAbove(page), undefined)
  assert.match(await promptOfLast(page), /roll_dice/)
  assert.equal(await page.locator('#notices .notice').count(), 0)
  // The raw prompt of a message without an answer yet, with tools.
  await page.click('#chat-more summary')
  await page.click('#raw-button')
  await page.waitForFunction(() => /current_time/.test(document.getElementById('raw-prompt').textContent))
  assertCalm(page)
})

/** The texts of answers, without calls. */
const answers = page =>
  page.evaluate(() =>
    globalThis.heed.conversation.path.value.flatMap(({ role, pieces }) =>
      role === 'user'
        ? []
        : [
            pieces
              .filter(({ kind }) => kind === 'text')
              .map(({ text }) => text.trim())
              .join(' '),
          ],
    ),
  )

atBothWidths('what tools return has the place of older turns, if there is no other', async ({ turn }) => {
  const call = '<tool_call>\n{"name": "roll_dice", "arguments": {"count": 100}}\n</tool_call>'
  // Alone, a message is answered like the first one.
  const page = await visitChat(turn, [call, 'Rolled.', `Again. ${call}`, 'Never.'], { context: 1130 })
  await page.click('#tools-button')
  await page.check('#tool-list [value=roll_dice]')
  await say(page, 'Roll 100 dice.')
  assert.deepEqual(await answers(page), ['Rolled.'])
  assert.equal(await cutAbove(page), undefined)
  await say(page, 'And again.')
  assert.deepEqual(await answers(page), ['Rolled.', 'Rolled.'])
  assert.equal(await cutAbove(page), 'And again.')
  assert.deepEqual(await page.evaluate(() => globalThis.heed.conversation.last.pieces.map(({ kind }) => kind)), ['call', 'text'])
  assert.equal(await page.evaluate(() => document.querySelectorAll('#chat-log > :last-child .answer > *').length), 2)
  assert.equal(await alarms(page), 0)
  assertCalm(page)
})

atBothWidths('a message that is too long by itself says by how much, and the next one is answered', async ({ turn }) => {
  const page = await visitChat(turn, ['First!', 'Second!'], { context: 160 })
  await say(page, 'Before')
  await page.fill('#message', 'w'.repeat(400))
  await page.press('#message', 'Enter')
  await page.waitForFunction(() => globalThis.heed.conversation.last?.ending?.reason === 'too-long')
  const said = await page.textContent('#chat-log > :last-child .ending')
  const [, excess] =
    /^This message is too long for the model, by about (\d+) tokens: it reads at most 160 at once, instructions and tools included\./.exec(
      said,
    )
  assert.equal(await alarms(page), 0)
  // Shortened by this much, it fits.
  const shorter = 'w'.repeat(400 - Number(excess) - 4)
  await page.evaluate(() =>
    [...document.querySelectorAll('#chat-log .user')].at(-1).querySelector('[aria-label="Edit this message"]').click(),
  )
  await page.fill('#chat-log textarea', shorter)
  await page.press('#chat-log textarea', 'Enter')
  await page.waitForFunction(
    () => globalThis.heed.conversation.last?.ending && globalThis.heed.conversation.last.ending.reason !== 'too-long',
  )
  await page.fill('#message', 'w'.repeat(400))
  await page.press('#message', 'Enter')
  await page.waitForFunction(() => globalThis.heed.conversation.last?.ending?.reason === 'too-long')
  await say(page, 'After')
  assert.equal((await shown(page)).at(-1), 'First!')
  assert.equal(await cutAbove(page), 'After')
  assertCalm(page)
})

atBothWidths('an answer that fills the context is given again with more room', async ({ turn }) => {
  const long = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ')
  const page = await visitChat(turn, ['First!', 'Second!', long], { context: 400 })
  await say(page, 'a'.repeat(60))
  await say(page, 'b'.repeat(60))
  await page.fill('#message', 'Go on')
  await page.press('#message', 'Enter')
  await page.waitForFunction(() => globalThis.heed.conversation.last?.ending?.isFull)
  assert.equal(await alarms(page), 0)
  assert.match(
    await page.textContent('#chat-log > :last-child .ending'),
    /^The model’s context is full, so the answer ends here\. Answer again with more room Start over$/,
  )
  await page.evaluate(() => document.querySelector('#chat-log > :last-child .ending button').click())
  await page.waitForFunction(
    () => globalThis.heed.conversation.last?.ending && globalThis.heed.conversation.last.before.after.length === 2,
  )
  assert.equal(await cutAbove(page), 'b'.repeat(60))
  assert.equal((await shown(page)).at(-1), 'Second!', 'what the model says in its second turn')
  assertCalm(page)
})
