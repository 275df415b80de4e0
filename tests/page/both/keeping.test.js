// Conversations are saved in the browser at every turn: a reload, Back, links, other tabs and closed ones lose nothing.
import assert from 'node:assert/strict'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { bring, exportAll, say, shown, visitChat } from '../chatting.mjs'
import { held, hold } from '../held.mjs'
import { asksBeforeLeaving, assertCalm, atBothWidths, chatHash, chooseFiles, hasModel, sample } from '../page.mjs'

/** The conversation in view before any model has loaded: read as soon as the page has the first turn. */
async function afterReload(page) {
  await page.reload()
  await page.waitForSelector('#chat-log .turn')
  return shown(page)
}

/** Waits until the conversation in view is saved. */
const kept = page => page.waitForFunction(() => globalThis.heed.keeper.flush().then(() => true))

const titles = page => page.locator('.history-title').allTextContents()

const openList = async page => {
  await page.click('#history-button')
  await page.waitForSelector('#history-panel label')
}

atBothWidths('a reload shows the conversation as it was, with its versions, before a model is there', async ({ open }) => {
  const page = await visitChat(open, ['A first answer.', 'A second one.'])
  await say(page, 'One?')
  await say(page, 'Two?')
  await page.evaluate(() => document.querySelector('#chat-log > :last-child [aria-label="Regenerate this answer"]').click())
  await page.waitForFunction(
    () =>
      globalThis.heed.conversation.last.ending &&
      document.querySelector('#chat-log > :last-child .stepper span').textContent === '2 of 2',
  )
  await page.evaluate(() => {
    const system = document.getElementById('system-message')
    system.value = 'Be brief.'
    system.dispatchEvent(new Event('input', { bubbles: true }))
    document.querySelector('#tool-list [value=calculate]').click()
  })
  await sample(page, { seed: '7' })
  const before = await shown(page)
  await kept(page)
  assert.deepEqual(await afterReload(page), before)
  assert.deepEqual(before, ['One?', 'A first answer.', 'Two?', 'A second one.'])
  assert.equal(await page.textContent('#chat-log > :nth-last-child(1 of .turn) .stepper span'), '2 of 2')
  assert.equal(await page.inputValue('#system-message'), 'Be brief.')
  assert.ok(await page.isChecked('#tool-list [value=calculate]'))
  assert.equal(await page.inputValue('#temperature'), '0')
  // It continues.
  await hasModel(page)
  await page.waitForFunction(
    () => document.getElementById('keep-why').textContent === '“scripted.gguf” was open before the reload.',
  )
  await bring(page, scriptedModel(['A first answer.', 'A second one.', 'A third one.']))
  await say(page, 'Three?')
  await kept(page)
  assert.equal((await afterReload(page)).at(-1), 'A third one.')
  assertCalm(page)
})

atBothWidths('a link, more turns, a link of the lesson, and Back: the conversation as it has gone on', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await sample(page, { temperature: '0', maxTokens: '16' })
  await say(page, 'What can you do?')
  await page.evaluate(async () => {
    navigator.clipboard.writeText = async text => {
      globalThis.copied = text
    }
    document.getElementById('chat-link').click()
  })
  await page.waitForFunction(() => globalThis.copied && location.hash.startsWith('#chat='))
  await say(page, 'And what else?')
  const before = await shown(page)
  assert.equal(before.length, 4)
  const link = await page.evaluate(() => globalThis.copied)
  await page.evaluate(() => document.querySelector('#lesson-heads a[href*="prompt="]').click())
  await page.waitForFunction(() => globalThis.heed.passage.promptTokens?.length > 0 && document.getElementById('chat').hidden)
  await page.goBack()
  await page.waitForFunction(() => !document.getElementById('chat').hidden)
  assert.deepEqual(await shown(page), before)
  // The same after a link to another conversation, and after a reload.
  await page.evaluate(
    hash => {
      location.hash = hash
    },
    chatHash([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Ho.' },
    ]),
  )
  await page.waitForFunction(() => globalThis.heed.conversation.path.value[0]?.text === 'Hi')
  await page.goBack()
  await page.waitForFunction(() => globalThis.heed.conversation.path.value.length === 4)
  assert.deepEqual(await shown(page), before)
  await kept(page)
  assert.deepEqual(await afterReload(page), before)
  // Opened again, the link shows the shared state, beside the saved conversation.
  const other = await open(new URL(link).hash)
  await other.waitForFunction(() => globalThis.heed?.conversation.path.value.length === 2)
  assert.deepEqual(await shown(other), before.slice(0, 2))
  await openList(other)
  await other.waitForSelector('.history-title')
  assert.deepEqual(await titles(other), ['What can you do?'])
  await other.click('.history-open')
  await other.waitForFunction(() => globalThis.heed.conversation.path.value.length === 4)
  assertCalm(page)
  assertCalm(other)
})

atBothWidths('a link’s conversation that goes on is kept as one of its own', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await sample(page, { temperature: '0', maxTokens: '16' })
  await say(page, 'What can you do?')
  await kept(page)
  const hash = chatHash([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Ho.' },
  ])
  const other = await open(hash)
  await other.waitForFunction(() => globalThis.heed?.conversation.path.value.length === 2)
  await say(other, 'And you?')
  await kept(other)
  const both = await shown(other)
  assert.deepEqual(await afterReload(other), both)
  await openList(other)
  await other.waitForFunction(() => document.querySelectorAll('.history-title').length === 2)
  assert.deepEqual(await titles(other), ['Hi', 'What can you do?'])
})

atBothWidths(
  'a double click deletes one conversation; Undo brings back all, one by one; a click ends a renaming and counts',
  async ({ open }) => {
    const page = await visitChat(open, ['Yes.', 'No.', 'So.'])
    for (const text of ['One', 'Two', 'Three']) {
      await page.click('#chat-new')
      await say(page, text)
    }
    const has = count => page.waitForFunction(count => document.querySelectorAll('.history-title').length === count, count)
    const news = () => page.textContent('.history-news')
    await openList(page)
    await has(3)
    await page.evaluate(() => {
      const remove = document.querySelector('.history-list [aria-label="Delete Two"]')
      for (let click = 0; click < 2; click++) remove.click()
    })
    await has(2)
    assert.deepEqual(await titles(page), ['Three', 'One'])
    await page.click('.history-list [aria-label="Delete One"]')
    await has(1)
    await page.waitForFunction(() => document.querySelector('.history-news').textContent.startsWith('“One”'))
    assert.equal(await news(), '“One” is deleted, and the one before. Undo')
    await page.click('.history-news button')
    await has(2)
    assert.equal(await news(), '“Two” is deleted. Undo')
    await page.click('.history-news button')
    await has(3)
    assert.equal(await news(), '')
    assert.deepEqual((await titles(page)).toSorted(), ['One', 'Three', 'Two'])

    await page.click('.history-list [aria-label="Rename Three"]')
    await page.fill('.history-list input', 'Another name')
    const row = await page.evaluate(() =>
      [...document.querySelectorAll('.history-list li')].findIndex(
        row => row.querySelector('.history-title')?.textContent === 'One',
      ),
    )
    await page.click(`.history-list li:nth-child(${row + 1}) .history-open`)
    await page.waitForFunction(() => document.getElementById('history-panel').hidden)
    await page.waitForFunction(() => document.querySelector('#chat-log .turn')?.innerText.includes('One'))
    await openList(page)
    await page.waitForFunction(() => document.getElementById('history-panel').innerText.includes('Another name'))
    assertCalm(page)
  },
)

atBothWidths('once the last conversation is deleted with the keyboard, the focus is on Undo', async ({ open }) => {
  const page = await visitChat(open, ['Yes.'])
  await say(page, 'One')
  await openList(page)
  await page.focus('.history-list [aria-label="Delete One"]')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement.closest('.history-news'))
  assert.deepEqual(await titles(page), [])
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement.closest('.history-list'))
  assert.deepEqual(await titles(page), ['One'])
  assertCalm(page)
})

atBothWidths('the focus stays on the button of its conversation while the list changes', async ({ open }) => {
  const page = await visitChat(open, ['Yes.', 'No.'])
  await say(page, 'One')
  await page.click('#chat-new')
  await say(page, 'Two')
  await openList(page)
  await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 2)
  const focused = () => page.evaluate(() => document.activeElement.ariaLabel)
  await page.focus('.history-list [aria-label="Delete One"]')
  await page.evaluate(() => globalThis.heed.keeper.rename(globalThis.heed.keeper.current.value, 'Another name'))
  await page.waitForFunction(() => document.querySelector('.history-title').textContent === 'Another name')
  assert.equal(await focused(), 'Delete One')
  // Another tab begins a conversation, whose row is the first one. While it grows, no row is replaced.
  const begun = { id: 'other', format: 1, title: '', begins: 'Three', changed: Date.now() + 1000, revision: 1, last: 0, system: '' }
  await put(page, [begun], [])
  await page.evaluate(() => globalThis.heed.keeper.relist())
  await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 3)
  assert.deepEqual(await titles(page), ['Three', 'Another name', 'One'])
  assert.equal(await focused(), 'Delete One')
  await put(page, [{ ...begun, changed: Date.now() + 2000, revision: 2 }], [])
  const isSame = await page.evaluate(async () => {
    const { keeper } = globalThis.heed
    const button = document.activeElement
    keeper.relist()
    for (let times = 0; times < 2; times++) await keeper.list() // the list on the screen was the first to ask
    return button === document.activeElement
  })
  assert.ok(isSame)
  assertCalm(page)
})

atBothWidths('conversations are named, deleted, brought back, exported and imported', async ({ open }) => {
  const page = await visitChat(open, ['Yes.', 'No.'])
  await say(page, 'The first conversation')
  await page.click('#chat-new')
  await say(page, 'The second one')
  await openList(page)
  await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 2)
  assert.deepEqual(await titles(page), ['The second one', 'The first conversation'])
  assert.equal(
    await page.evaluate(() => document.querySelector('.history-open[aria-current]').textContent.startsWith('The second one')),
    true,
  )
  // By keyboard alone: Rename of the second row, a name, Enter.
  await page.focus('.history-list li:nth-child(2) [aria-label^=Rename]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.history-list input')
  await page.fill('.history-list input', 'A name')
  await page.press('.history-list input', 'Enter')
  await page.waitForFunction(() => document.querySelectorAll('.history-title')[1]?.textContent === 'A name')
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), 'Rename A name', 'the focus stays in the row')
  await page.click('.history-list [aria-label="Delete A name"]')
  await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 1)
  assert.match(await page.textContent('.history-news'), /^“A name” is deleted\. Undo$/)
  await page.click('.history-news button')
  await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 2)
  await page.click('.history-list [aria-label="Delete The second one"]')
  await page.waitForFunction(() => globalThis.heed.conversation.path.value.length === 0)
  assert.equal(await page.textContent('#chat-announcer'), '', 'nothing of it is read aloud')
  await page.click('.history-news button')
  await page.waitForFunction(() => globalThis.heed.conversation.path.value.length === 2)
  assert.deepEqual(await shown(page), ['The second one', 'Yes.'])
  const file = await exportAll(page)
  await page.click('.history-actions > :last-child')
  await page.click('.history-actions > :last-child')
  await page.waitForFunction(
    () => document.querySelectorAll('.history-title').length === 0 && globalThis.heed.conversation.path.value.length === 0,
  )
  await page.reload()
  await hasModel(page)
  assert.deepEqual(await shown(page), [])
  await openList(page)
  await page.waitForFunction(() => document.querySelector('.history-news').textContent === 'There are none yet.')
  await chooseFiles(page, '#chat-file', [{ name: 'all.json', bytes: Buffer.from(file) }])
  await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 2)
  await page.waitForFunction(() => document.querySelector('.history-news').textContent === '')
  assert.deepEqual((await titles(page)).toSorted(), ['A name', 'The second one'])
  assert.match(await page.textContent('#chat-note'), /^“all\.json”: 2 conversations added\.$/)
  await chooseFiles(page, '#chat-file', [{ name: 'all.json', bytes: Buffer.from(file) }])
  await page.waitForFunction(() => /2 were here already/.test(document.getElementById('chat-note').textContent))
  for (let times = 0; times < 2; times++) {
    await page.click('.history-list [aria-label="Delete A name"]')
    await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 1)
    await chooseFiles(page, '#chat-file', [{ name: 'all.json', bytes: Buffer.from(file) }])
    await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 2)
  }
  await page.evaluate(() =>
    [...document.querySelectorAll('.history-open')].find(one => one.textContent.startsWith('A name')).click(),
  )
  await page.waitForFunction(() => globalThis.heed.conversation.path.value.length === 2)
  assert.deepEqual(await shown(page), ['The first conversation', 'Yes.'])
  assertCalm(page)
})

atBothWidths(
  'a tab that is closed while an answer grows loses at most its last words',
  async ({ open }) => {
    const page = await visitChat(open, [Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ')])
    await hold(page, 'token', 40)
    await page.fill('#message', 'Count.')
    await page.press('#message', 'Enter')
    await page.waitForFunction(() => globalThis.heed.conversation.last?.pieces?.[0]?.text.includes('word1'))
    // As after a crash: the page is not notified.
    const written = await page.evaluate(async () => {
      await globalThis.heed.keeper.flush()
      return globalThis.heed.conversation.last.pieces[0].text.length
    })
    assert.ok(written > 0)
    await page.close()
    const other = await open()
    await other.waitForSelector('#chat-log .turn')
    const [asked, answer] = await shown(other)
    assert.equal(asked, 'Count.')
    assert.match(answer, /^word0 word1/)
    assert.match(await other.textContent('#chat-log > :nth-last-child(1 of .turn) .ending span'), /^Stopped\.$/)
  },
  held,
)

atBothWidths('two tabs in one conversation: each goes on with one of its own, and no turn is lost', async ({ open }) => {
  const one = await visitChat(open, ['Yes.', 'No.', 'Perhaps.'])
  await say(one, 'Shall we?')
  await kept(one)
  const two = await open()
  await hasModel(two)
  await two.waitForSelector('#chat-log .turn')
  await bring(two, scriptedModel(['Yes.', 'No.', 'Perhaps.']))
  await sample(two, { temperature: '0' })
  await say(one, 'In the first tab')
  await kept(one)
  await say(two, 'In the second tab')
  await kept(two)
  const notes = [await one.textContent('#keeping-note'), await two.textContent('#keeping-note')]
  assert.deepEqual(notes.sort(), ['', 'Another tab has gone on with this conversation, so this one goes on as “Shall we? (copy)”.'])
  await say(one, 'Again in the first')
  await kept(one)
  assert.deepEqual(await afterReload(one), ['Shall we?', 'Yes.', 'In the first tab', 'No.', 'Again in the first', 'Perhaps.'])
  assert.deepEqual(await afterReload(two), ['Shall we?', 'Yes.', 'In the second tab', 'No.'])
  await openList(two)
  await two.waitForFunction(() => document.querySelectorAll('.history-title').length === 2)
  assert.deepEqual((await titles(two)).sort(), ['Shall we?', 'Shall we? (copy)'])
})

atBothWidths(
  'what another tab has deleted is not written again by the answer that grows here, but is with the next message',
  async ({ open }) => {
    const one = await visitChat(open, ['Yes.', 'No.'])
    await say(one, 'Shall we?')
    await kept(one)
    const two = await open()
    await two.waitForSelector('#chat-log .turn')
    await openList(two)
    await two.waitForSelector('.history-list [aria-label^=Delete]')
    await two.click('.history-list [aria-label^=Delete]')
    await two.waitForFunction(() => document.querySelectorAll('.history-title').length === 0)
    await one.evaluate(() => {
      globalThis.heed.conversation.path.value[1].changes.value++
    })
    await kept(one)
    await two.waitForFunction(() => globalThis.heed.keeper.list().then(({ entries }) => entries.length === 0))
    await say(one, 'Still here')
    await kept(one)
    await two.waitForFunction(() => document.querySelectorAll('.history-title').length === 1)
    assert.deepEqual(await afterReload(one), ['Shall we?', 'Yes.', 'Still here', 'No.'])
  },
)

atBothWidths('with the switch off, nothing is kept, and what was can be deleted', async ({ open }) => {
  const page = await visitChat(open, ['Yes.', 'No.'])
  await say(page, 'The first conversation')
  await openList(page)
  await page.waitForSelector('.history-title')
  await page.click('#history-panel [type=checkbox]')
  await page.waitForFunction(() =>
    /^Nothing is kept from now on\. 1 conversation from before can be deleted above\.$/.test(
      document.querySelector('.history-news').textContent,
    ),
  )
  await page.click('#chat-new')
  await say(page, 'Between us')
  await kept(page)
  await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 2)
  assert.equal(await page.textContent('.history-list li:first-child .history-about'), 'in this tab only')
  await page.reload()
  await hasModel(page)
  assert.deepEqual(await shown(page), [])
  await openList(page)
  await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 1)
  assert.deepEqual(await titles(page), ['The first conversation'])
  assert.equal(await page.isChecked('#history-panel [type=checkbox]'), false)
})

atBothWidths('the list closes on a choice and on Escape, and the focus goes back to its button', async ({ open }) => {
  const page = await visitChat(open, ['Yes.', 'No.'])
  await say(page, 'The first conversation')
  await page.click('#chat-new')
  await say(page, 'The second one')
  const isClosed = async () => (await page.isHidden('#history-panel')) && page.evaluate(() => document.activeElement.id)
  await openList(page)
  await page.waitForFunction(() => document.querySelectorAll('.history-open').length === 2)
  await page.click('.history-list li:nth-child(2) .history-open')
  await page.waitForFunction(() => globalThis.heed.conversation.path.value[0].text === 'The first conversation')
  assert.equal(await isClosed(), 'history-button')
  await openList(page)
  await page.keyboard.press('Escape')
  assert.equal(await isClosed(), 'history-button', 'with the focus on the button')
  await openList(page)
  await page.evaluate(() => document.activeElement.blur()) // as in browsers that do not focus clicked buttons
  await page.keyboard.press('Escape')
  assert.equal(await isClosed(), 'history-button', 'without a focus')
  await openList(page)
  await page.focus('.history-list [aria-label^=Rename]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.history-list input')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.history-list [aria-label^=Rename]')
  assert.ok(await page.isVisible('#history-panel'), 'only the field')
  assertCalm(page)
})

/** Makes a function of the database fail from now on, as it does without room or in a window without storage. */
const failing = (page, of, method, name) =>
  page.evaluate(
    ([of, method, name]) => {
      globalThis.unbroken = globalThis[of].prototype[method]
      globalThis[of].prototype[method] = () => {
        throw new DOMException('no', name)
      }
    },
    [of, method, name],
  )

atBothWidths('without room, a line says so, nothing in the page is lost, and it is kept once there is room', async ({ open }) => {
  const page = await visitChat(open, ['Yes.', 'No.'])
  await say(page, 'One?')
  await kept(page)
  await failing(page, 'IDBObjectStore', 'put', 'QuotaExceededError')
  await say(page, 'Two?')
  await page.waitForFunction(() => /^The browser has no room left/.test(document.getElementById('keeping-note').textContent))
  assert.ok(await asksBeforeLeaving(page))
  await page.click('#chat-new')
  await openList(page)
  await page.waitForSelector('.history-open')
  await page.click('.history-open')
  await page.waitForFunction(() => globalThis.heed.conversation.path.value.length === 4)
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = globalThis.unbroken
  })
  await page.evaluate(() => globalThis.heed.keeper.changed())
  await page.waitForFunction(() => document.getElementById('keeping-note').textContent === '')
  assert.ok(!(await asksBeforeLeaving(page)))
  assert.deepEqual(await afterReload(page), ['One?', 'Yes.', 'Two?', 'No.'])
})

atBothWidths('a window without a database says so at the first turn, and its conversations stay in the tab', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await failing(page, 'IDBDatabase', 'transaction', 'InvalidStateError')
  assert.equal(await page.textContent('#keeping-note'), '', 'there is nothing to lose yet')
  await bring(page, scriptedModel(['Yes.']))
  await sample(page, { temperature: '0' })
  await say(page, 'One?')
  await page.waitForFunction(() => /^This window keeps no conversations/.test(document.getElementById('keeping-note').textContent))
  await page.click('#chat-new')
  await page.waitForFunction(() => document.getElementById('keeping-note').textContent === '')
  await openList(page)
  await page.waitForSelector('.history-title')
  assert.deepEqual(await titles(page), ['One?'])
  await page.click('.history-open')
  await page.waitForFunction(() => globalThis.heed.conversation.path.value.length === 2)
  assertCalm(page)
})

/** Writes records into the database unchanged. */
const put = (page, heads, turns) =>
  page.evaluate(
    ([heads, turns]) =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('heed-conversations')
        request.onsuccess = () => {
          const transaction = request.result.transaction(['heads', 'turns'], 'readwrite')
          for (const head of heads) transaction.objectStore('heads').put(head)
          for (const turn of turns) transaction.objectStore('turns').put(turn)
          transaction.oncomplete = () => resolve(request.result.close())
          transaction.onabort = () => reject(transaction.error)
        }
      }),
    [heads, turns],
  )

atBothWidths('damaged and newer records are listed, stay as they are, and hide nothing else', async ({ open }) => {
  const page = await visitChat(open, ['Yes.'])
  await say(page, 'One?')
  await kept(page)
  const good = { format: 1, title: '', begins: 'Half of it', changed: Date.now() + 1000, revision: 1, last: 3, system: '' }
  await put(
    page,
    [
      { id: 'newer', format: 2, changed: Date.now() + 5000 },
      { id: 'damaged', format: 1, changed: Date.now() + 4000, begins: 7 },
      { id: 'half', ...good },
    ],
    [
      { conversation: 'half', id: 1, after: null, messages: [{ role: 'user', content: 'Half of it' }] },
      { conversation: 'half', id: 2, after: 1, messages: 'nonsense' },
      { conversation: 'half', id: 3, after: 2, messages: [{ role: 'user', content: 'lost' }] },
      {
        conversation: 'half',
        id: 4,
        after: 1,
        messages: [{ role: 'assistant', content: 'Whole.' }],
        look: { pieces: [{ kind: 'nonsense' }], ending: {} },
      },
    ],
  )
  await openList(page)
  await page.waitForFunction(() => document.querySelectorAll('.history-title').length === 4)
  assert.deepEqual(await titles(page), ['Kept by a newer version of this page', 'A damaged conversation', 'Half of it', 'One?'])
  assert.deepEqual(await page.locator('.history-open').evaluateAll(all => all.map(({ disabled }) => disabled)), [
    true,
    true,
    false,
    false,
  ])
  await page.click('.history-list li:nth-child(3) .history-open')
  await page.waitForFunction(() => globalThis.heed.conversation.path.value[0]?.text === 'Half of it')
  assert.equal(
    await page.textContent('#keeping-note'),
    'A part of this conversation is damaged: 2 turns, pictures or sounds are left out.',
  )
  assert.deepEqual(await shown(page), ['Half of it', 'Whole.'])
  assertCalm(page)
})
