// The file of all conversations: it has what could not be saved, and reading a damaged or foreign one spoils nothing that is there.
import assert from 'node:assert/strict'
import { exportAll, say, shown, visitChat } from '../chatting.mjs'
import { assertCalm, atBothWidths, chooseFiles } from '../page.mjs'

const kept = page => page.waitForFunction(() => globalThis.heed.keeper.flush().then(() => true))

const openList = async (page, count) => {
  await page.evaluate(() => {
    if (document.getElementById('history-panel').hidden) document.getElementById('history-button').click()
  })
  await page.waitForFunction(count => document.querySelectorAll('.history-title').length === count, count)
}

const noteOf = (page, text) => page.waitForFunction(text => document.getElementById('chat-note').textContent.startsWith(text), text)

const read = (page, value) =>
  chooseFiles(page, '#chat-file', [
    { name: 'all.json', bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)) },
  ])

const user = content => ({ role: 'user', content })

atBothWidths('the file of all conversations has the turns for which there was no room', async ({ open }) => {
  const page = await visitChat(open, ['Yes.', 'No.'])
  await say(page, 'One?')
  await kept(page)
  await page.evaluate(async () => {
    const { keeper } = globalThis.heed
    await keeper.rename(keeper.current.value, 'A name')
    globalThis.unbroken = IDBObjectStore.prototype.put
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('no', 'QuotaExceededError')
    }
  })
  await say(page, 'Two?')
  await page.waitForFunction(() => /^The browser has no room left/.test(document.getElementById('keeping-note').textContent))
  await openList(page, 1)
  const file = await exportAll(page)
  const { conversations } = JSON.parse(file)
  assert.deepEqual(
    conversations.map(({ title, turns }) => [title, ...turns.map(({ messages: [{ content }] }) => content)]),
    [['A name', 'One?', 'Yes.', 'Two?', 'No.']],
  )
  // Read where the first turns are saved, it adds all of them.
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = globalThis.unbroken
  })
  await read(page, file)
  await noteOf(page, '“all.json”: 1 conversation added.')
  assertCalm(page)
})

atBothWidths('a file of conversations that was changed by hand overwrites nothing, and hides nothing', async ({ open }) => {
  const page = await visitChat(open, ['Yes.'])
  await say(page, 'One?')
  await kept(page)
  const own = await page.evaluate(() => globalThis.heed.keeper.current.value)
  const turnOf = (content, id = 1, after = null) => ({ id, after, messages: [user(content)] })
  const told = (id, title, changed, ...turns) => ({ id, title, changed, system: '', version: 1, path: [turns.length], turns })
  await read(page, {
    format: 'heed-conversations',
    version: 1,
    conversations: [
      told('same', 'First', 1000, turnOf('a'), turnOf('b', 2, 1)),
      told('same', 'Second', 2000, turnOf('c')),
      told('same', 'Second', 2000, turnOf('c')),
      told('far', 'In no year', 1e300, turnOf('d')),
    ],
    unread: [{ head: { id: 'strange', format: 1, changed: -1e300 }, turns: [{ ...turnOf('Mine'), conversation: own }, {}] }],
  })
  await noteOf(page, '“all.json”: 4 conversations added. 1 were here already.')
  await openList(page, 5)
  assert.deepEqual((await page.locator('.history-title').allTextContents()).sort(), [
    'A damaged conversation',
    'First',
    'In no year',
    'One?',
    'Second',
  ])
  const openEntry = async (title, expected) => {
    await page.evaluate(
      title => [...document.querySelectorAll('.history-open')].find(row => row.textContent.startsWith(title)).click(),
      title,
    )
    await page.waitForFunction(expected => globalThis.heed.conversation.path.value[0]?.text === expected[0], expected)
    assert.deepEqual(await shown(page), expected)
    await openList(page, 5)
  }
  await openEntry('First', ['a', 'b'])
  await openEntry('Second', ['c'])
  await openEntry('In no year', ['d'])
  await page.reload()
  await page.waitForSelector('#chat-log .turn')
  await openList(page, 5)
  await openEntry('One?', ['One?', 'Yes.'])
  assertCalm(page)
})

atBothWidths('a file that cannot be read is said to be so', async ({ turn }) => {
  const page = await visitChat(turn, ['Yes.'])
  await page.evaluate(() => {
    globalThis.unbroken = File.prototype.text
    Blob.prototype.text = () => Promise.reject(new DOMException('gone', 'NotReadableError'))
  })
  await read(page, '{}')
  await noteOf(page, '“all.json” cannot be read: it has changed since, or is too large.')
  await page.evaluate(() => {
    Blob.prototype.text = globalThis.unbroken
  })
  assertCalm(page)
})
