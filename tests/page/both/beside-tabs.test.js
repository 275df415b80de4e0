// Conversations that several tabs, files and the switch of keeping have to do with: none is deleted, saved twice, or never saved.
import assert from 'node:assert/strict'
import { command, exportAll, say, shown, visitChat } from '../chatting.mjs'
import { assertCalm, atBothWidths, chooseFiles, hasModel } from '../page.mjs'

const kept = page => page.waitForFunction(() => globalThis.heed.keeper.flush().then(() => true))

/** The titles of all conversations, in the alphabet's order. */
const titles = page =>
  page.evaluate(async () => {
    const { entries } = await globalThis.heed.keeper.list()
    return entries.map(({ title }) => title).sort()
  })

const openList = async page => {
  await page.click('#history-button')
  await page.waitForSelector('#history-panel label')
}

/** Presses the switch, and waits for what the list says about it. */
async function turn(page, isOn) {
  await page.click('#history-panel [type=checkbox]')
  await page.waitForFunction(
    isOn => document.querySelector('.history-news').textContent.startsWith('Nothing is kept from now on.') !== isOn,
    isOn,
  )
}

atBothWidths('settings that are taken back delete no conversation that another tab has begun with them', async ({ open }) => {
  const one = await open()
  await hasModel(one)
  await command(one, '#system-button')
  await one.fill('#system-message', 'Be brief.')
  await kept(one)
  assert.deepEqual(await titles(one), ['Without a message: Be brief.'])
  const two = await open()
  await two.waitForFunction(() => document.getElementById('system-message').value === 'Be brief.')
  await hasModel(two)
  await say(two, 'What can you do?')
  await kept(two)
  const said = await shown(two)
  await two.close()
  await one.fill('#system-message', '')
  await kept(one)
  assert.deepEqual(await titles(one), ['What can you do?'])
  await say(one, 'Who are you?')
  await kept(one)
  assert.deepEqual(await titles(one), ['What can you do?', 'Who are you?'])
  await openList(one)
  await one.waitForSelector('.history-title')
  await one.evaluate(() =>
    [...document.querySelectorAll('.history-open')].find(row => row.textContent.startsWith('What can you do?')).click(),
  )
  await one.waitForFunction(() => globalThis.heed.conversation.path.value[0]?.text === 'What can you do?')
  assert.deepEqual(await shown(one), said)
  assertCalm(one)
})

atBothWidths('the switch, off and on again, keeps one conversation, with what came in between', async ({ open }) => {
  const page = await visitChat(open, ['Yes.', 'No.'])
  await say(page, 'One?')
  await openList(page)
  await page.waitForSelector('.history-title')
  await turn(page, false)
  await say(page, 'Two?')
  await turn(page, true)
  await kept(page)
  assert.deepEqual(await titles(page), ['One?'])
  await page.reload()
  await page.waitForSelector('#chat-log .turn')
  assert.deepEqual(await shown(page), ['One?', 'Yes.', 'Two?', 'No.'])
  assertCalm(page)
})

atBothWidths('a conversation that is imported while it goes on here is kept beside what goes on', async ({ open }) => {
  const page = await visitChat(open, ['Yes.', 'No.'])
  await say(page, 'One?')
  await openList(page)
  await turn(page, false)
  await page.click('#chat-new')
  await say(page, 'Between us')
  await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 2)
  const file = await exportAll(page)
  await chooseFiles(page, '#chat-file', [{ name: 'all.json', bytes: Buffer.from(file) }])
  await page.waitForFunction(() => /^“all.json”: 1 conversation added\./.test(document.getElementById('chat-note').textContent))
  await turn(page, true)
  await kept(page)
  assert.deepEqual(await titles(page), ['Between us', 'Between us (copy)', 'One?'])
  await say(page, 'And now?')
  await kept(page)
  await page.reload()
  await page.waitForSelector('#chat-log .turn')
  assert.deepEqual(await shown(page), ['Between us', 'Yes.', 'And now?', 'No.'])
  assertCalm(page)
})
