// What a visitor has written or set stays: in a conversation without a message, in one that another tab deletes, in edits of the
// model, in removed texts, and what was shown just before the page was left.
import assert from 'node:assert/strict'
import { bring, command, say, shown, visitChat } from '../chatting.mjs'
import { held, hold } from '../held.mjs'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { assertCalm, atBothWidths, hasModel, ready, sample } from '../page.mjs'

/** Waits until everything is saved. */
const kept = page =>
  page.waitForFunction(() =>
    Promise.all([globalThis.heed.keeper.flush(), globalThis.heed.drafts.then(desk => desk.flush())]).then(() => true),
  )

const restored = page => page.waitForFunction(() => globalThis.heed?.drafts.then(() => true))

async function reload(page) {
  await kept(page)
  await page.reload()
  await restored(page)
}

/** The settings of the conversation in view. */
const settings = page =>
  page.evaluate(() => {
    const valueOf = id => document.getElementById(id).value
    return {
      system: valueOf('system-message'),
      form: valueOf('form'),
      schema: valueOf('form-schema'),
      hasTool: document.querySelector('#tool-list [value=calculate]').checked,
      seed: valueOf('seed'),
      sign: document.querySelector('#chat-more summary').textContent,
    }
  })

const atRest = { system: '', form: '', hasTool: false, seed: '', sign: 'More' }

/** Types a schema and a system message, and chooses a tool and a seed. */
async function setUp(page, system) {
  await command(page, '#system-button')
  await page.fill('#system-message', system)
  await page.click('#form-button')
  await page.evaluate(() => {
    const form = document.getElementById('form')
    form.value = 'own'
    form.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await page.fill('#form-schema', '{"type": "integer"}')
  await page.evaluate(() => document.querySelector('#tool-list [value=calculate]').click())
  await sample(page, { seed: '42' })
  const expected = { system, form: 'own', schema: '{"type": "integer"}', hasTool: true, seed: '42', sign: 'More: system message' }
  assert.deepEqual(await settings(page), expected)
  return expected
}

const openList = async (page, count) => {
  await page.click('#history-button')
  await page.waitForFunction(count => document.querySelectorAll('.history-title').length === count, count)
}

const choose = (page, title) =>
  page.evaluate(
    title => [...document.querySelectorAll('.history-open')].find(one => one.textContent.includes(title)).click(),
    title,
  )

atBothWidths(
  'what is set up before the first message is kept: over a reload, and while another conversation is open',
  async ({ open }) => {
    const page = await visitChat(open, ['Yes.'])
    await restored(page)
    await say(page, 'One?')
    await page.click('#chat-new')
    const expected = await setUp(page, 'Be brief.')
    await reload(page)
    assert.deepEqual(await settings(page), expected)
    await openList(page, 2)
    assert.deepEqual(await page.locator('.history-title').allTextContents(), ['Without a message: Be brief.', 'One?'])
    await choose(page, 'One?')
    await page.waitForFunction(() => globalThis.heed.conversation.path.value[0]?.text === 'One?')
    const { schema: _, ...other } = await settings(page)
    assert.deepEqual(other, atRest)
    await page.click('#chat-new')
    await openList(page, 2)
    await choose(page, 'Be brief.')
    await page.waitForFunction(() => document.getElementById('system-message').value === 'Be brief.')
    assert.deepEqual(await settings(page), expected)
    // A new conversation goes on with the settings of the one before, visibly, also after a reload; by itself, it is none yet.
    await openList(page, 2)
    await choose(page, 'One?')
    await page.waitForFunction(() => globalThis.heed.conversation.path.value[0]?.text === 'One?')
    await command(page, '#system-button')
    await page.fill('#system-message', 'Be kind.')
    await page.click('#chat-new')
    await page.waitForSelector('#chat-note button')
    await reload(page)
    const { system, sign } = await settings(page)
    assert.deepEqual({ system, sign }, { system: 'Be kind.', sign: 'More: system message' })
    await openList(page, 2)
    await page.click('.history-actions > :last-child')
    await page.click('.history-actions > :last-child')
    await page.waitForFunction(() => /^All conversations/.test(document.querySelector('.history-news').textContent))
    assertCalm(page)
  },
)

atBothWidths('a schema of one’s own comes back after another form was chosen', async ({ open }) => {
  const page = await visitChat(open, ['Yes.'])
  await setUp(page, 'Be brief.')
  const form = value =>
    page.evaluate(value => {
      const form = document.getElementById('form')
      form.value = value
      form.dispatchEvent(new Event('change', { bubbles: true }))
      return document.getElementById('form-schema').value
    }, value)
  assert.match(await form('0'), /"yes"/)
  await reload(page)
  assert.equal(await form('own'), '{"type": "integer"}')
  assertCalm(page)
})

atBothWidths('a message that cannot be answered in the chosen form is not sent, and stays in its box', async ({ open }) => {
  const page = await visitChat(open, ['Yes.', 'No.'])
  const refused = why =>
    page.waitForFunction(why => {
      const { textContent } = document.getElementById('form-verdict')
      return textContent.startsWith('Not sent. ') && textContent.includes(why) && document.activeElement.id === 'form-schema'
    }, why)
  const texts = () => page.evaluate(() => globalThis.heed.conversation.turns.map(turn => turn.text ?? 'an answer'))
  await say(page, 'Shall we?')
  await page.click('#form-button')
  await page.selectOption('#form', 'own')
  await page.fill('#message', 'A fox in JSON')
  await page.press('#message', 'Enter')
  await refused('Write a JSON Schema')
  await page.fill('#form-schema', '{"type": "objec')
  await page.click('#form-button') // closes the panel, which opens again
  await page.press('#message', 'Enter')
  await refused('This schema cannot be used: ')
  assert.equal(await page.inputValue('#message'), 'A fox in JSON')
  await page.evaluate(() => document.querySelector('.turn.user [aria-label="Edit this message"]').click())
  await page.fill('.edit textarea', 'Shall I?')
  await page.press('.edit textarea', 'Enter')
  await refused('This schema cannot be used: ')
  assert.equal(await page.inputValue('.edit textarea'), 'Shall I?')
  assert.equal(await page.inputValue('#message'), 'A fox in JSON')
  assert.deepEqual(await texts(), ['Shall we?', 'an answer'])
  await page.fill('#form-schema', '{"enum": [7]}')
  await say(page, 'A fox in JSON')
  assert.deepEqual(await shown(page), ['', 'Yes.', 'A fox in JSON', '7'])
  assert.equal(await page.inputValue('#message'), '')
  assertCalm(page)
})

atBothWidths('what is wrong with a schema is said in words of the page', async ({ turn }) => {
  const page = await visitChat(turn, ['Yes.'])
  await page.click('#form-button')
  await page.selectOption('#form', 'own')
  for (const [schema, problem] of [
    ['{"type": "objec"}', '“type” must be one of string, number, integer, boolean, object, array and null, or a list of them.'],
    [
      '{"properties": {"a": {"$ref": "http://x/y"}}}',
      'in “properties/a”, “$ref” refers to http://x/y, and nothing is fetched: put what is there under “$defs”.',
    ],
    ['{"type": ', 'it is not JSON: the text ends at byte 9.'],
    ['{"minimum": "a"}', '“minimum” must be a number.'],
    ['{"pattern": "("}', '“pattern”: ( at character 0: a group is not closed.'],
  ]) {
    await page.fill('#form-schema', schema)
    await page.waitForFunction(
      text => document.getElementById('form-verdict').textContent === text,
      `This schema cannot be used: ${problem}`,
    )
  }
  assertCalm(page)
})

atBothWidths('a conversation that another tab deletes says so, and is kept again with the next message', async ({ open }) => {
  const one = await visitChat(open, ['Yes.', 'No.', 'Perhaps.'])
  await say(one, 'Shall we?')
  await kept(one)
  const two = await open()
  await hasModel(two)
  await two.waitForSelector('#chat-log .turn')
  await bring(two, scriptedModel(['Yes.', 'No.', 'Perhaps.']))
  await sample(two, { temperature: '0' })
  await openList(one, 1)
  await one.evaluate(async () => {
    const { keeper } = globalThis.heed
    await keeper.rename(keeper.current.value, 'My question')
  })
  await one.click('.history-list [aria-label^=Delete]')
  await two.waitForFunction(() =>
    document.getElementById('keeping-note').textContent.startsWith('This conversation was deleted in another tab.'),
  )
  await say(two, 'In the second tab')
  await kept(two)
  assert.equal(await two.textContent('#keeping-note'), '')
  await reload(two)
  await two.waitForSelector('#chat-log .turn')
  assert.deepEqual(await shown(two), ['Shall we?', 'Yes.', 'In the second tab', 'No.'])
  await one.click('.history-news button') // Undo: it is there already, with what came after
  await one.waitForFunction(() => document.querySelector('.history-news').textContent === '')
  await one.waitForFunction(() => globalThis.heed.conversation.path.value.length === 4)
  await one.waitForFunction(() => document.querySelector('.history-title')?.textContent === 'My question') // the list follows
  assert.deepEqual(await one.locator('.history-title').allTextContents(), ['My question'])
  assertCalm(one)
})

atBothWidths('a message is kept even if the tab has not heard that another one deleted its conversation', async ({ open }) => {
  const one = await visitChat(open, ['Yes.', 'No.'])
  await say(one, 'Shall we?')
  await kept(one)
  await one.evaluate(
    () =>
      new Promise(resolve => {
        const request = indexedDB.open('heed-conversations')
        request.onsuccess = () => {
          const transaction = request.result.transaction(['heads', 'turns'], 'readwrite')
          for (const name of ['heads', 'turns']) transaction.objectStore(name).clear()
          transaction.oncomplete = () => resolve(request.result.close())
        }
      }),
  )
  await say(one, 'Still here')
  await reload(one)
  await one.waitForSelector('#chat-log .turn')
  assert.deepEqual(await shown(one), ['Shall we?', 'Yes.', 'Still here', 'No.'])
  assertCalm(one)
})

/** From now on, nothing is saved but what the page leaves when it goes: its database is too slow. */
const slowDown = page =>
  page.evaluate(() => {
    IDBDatabase.prototype.transaction = () => {
      throw new DOMException('too slow', 'AbortError')
    }
  })

const manyWords = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ')

atBothWidths(
  'what was shown of an answer, and what was typed, is there after a reload that nothing waits for',
  async ({ open }) => {
    const page = await visitChat(open, [manyWords])
    await restored(page)
    await slowDown(page)
    await hold(page, 'token', 40)
    await page.fill('#message', 'Count.')
    await page.press('#message', 'Enter')
    await page.waitForFunction(() => globalThis.heed.conversation.last?.pieces?.[0]?.text.includes('word3'))
    await page.fill('#message', 'And then')
    const before = await page.evaluate(() => globalThis.heed.conversation.last.pieces[0].text)
    await page.reload()
    await restored(page)
    await page.waitForSelector('#chat-log .turn')
    const [asked, answer] = await shown(page)
    assert.equal(asked, 'Count.')
    assert.ok(answer.startsWith(before.trim()), `“${answer}” begins with “${before}”`)
    assert.equal(await page.inputValue('#message'), 'And then')
    assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('heed-left'))), [])
    assertCalm(page)
  },
  held,
)

atBothWidths(
  'what was shown of a text is there after a reload that nothing waits for',
  async ({ open }) => {
    const page = await open()
    await ready(page)
    await restored(page)
    await slowDown(page)
    await page.evaluate(() => document.getElementById('whole-text').click())
    await hold(page, 'token', 30)
    await page.fill('#prompt', 'Write a story about a hen.')
    await page.click('#write')
    const text = () => page.evaluate(() => heed.versions.current?.passage.value.written.map(({ text }) => text).join(''))
    await page.waitForFunction(() => heed.versions.current?.passage.value.written.length > 5)
    const before = await text()
    await page.reload()
    await restored(page)
    await page.waitForFunction(() => globalThis.heed.model && globalThis.heed.versions.list.value.length === 1)
    await hold(page)
    assert.ok((await text()).startsWith(before))
    assert.equal(await page.inputValue('#prompt'), 'Write a story about a hen.')
    assert.ok(await page.evaluate(() => document.getElementById('whole-text').checked))
    assertCalm(page)
  },
  held,
)

atBothWidths('a removed text is put back by Undo, and is there after a reload', async ({ open }) => {
  const page = await open()
  await ready(page)
  await restored(page)
  for (const count of [1, 2, 3]) {
    await page.click('#write')
    await page.waitForFunction(
      count => globalThis.heed.versions.list.value.length === count && globalThis.heed.versions.current?.outcome,
      count,
    )
  }
  const numbers = () => page.evaluate(() => globalThis.heed.versions.list.value.map(({ number }) => number))
  const named = () => page.locator('.version b').allTextContents()
  await page.click('.version:nth-child(2) button')
  await page.click('#remove-version')
  await page.click('#remove-version')
  assert.equal(await page.textContent('#version-news'), 'Text 3 is removed, and the one before. Undo')
  await page.click('#version-news button')
  assert.deepEqual(await numbers(), [1, 3])
  assert.equal(await page.textContent('#version-news'), 'Text 2 is removed. Undo')
  await page.click('#version-news button')
  assert.deepEqual(await numbers(), [1, 2, 3])
  assert.deepEqual(await named(), ['Text 1', 'Text 2', 'Text 3'])
  assert.equal(await page.evaluate(() => globalThis.heed.versions.current.number), 2)
  assert.equal(await page.textContent('#version-news'), '')
  await page.click('#remove-version')
  await reload(page)
  await page.waitForFunction(() => globalThis.heed.model && globalThis.heed.versions.list.value.length === 2)
  assert.deepEqual(await numbers(), [1, 3], 'removed for good')
  assertCalm(page)
})

/** The texts of the first edit. */
const typedIn = page => page.evaluate(() => [...document.querySelectorAll('#edit-list textarea')].map(({ value }) => value))

const openEdits = async page => {
  await page.evaluate(() => {
    document.getElementById('edits').open = true
  })
  await page.waitForSelector('#edit-add button')
}

atBothWidths('edits of the model outlive a reload, links of the lesson, and another model', async ({ open }) => {
  const page = await open()
  await ready(page)
  await restored(page)
  await openEdits(page)
  await page.click('#edit-add [value=steer]')
  await page.fill('#edit-list textarea', 'Mine')
  const mine = ['Mine', 'What a sad day.\nThey cried and were afraid.']
  assert.deepEqual(await typedIn(page), mine)
  await reload(page)
  await hasModel(page)
  await openEdits(page)
  await page.waitForSelector('#edit-list textarea')
  assert.deepEqual(await typedIn(page), mine)
  const follow = () => page.evaluate(() => document.querySelector('#lesson-inside a[href*="edits="]').click())
  await follow()
  await page.waitForFunction(() => /^Your edits were set aside/.test(document.querySelector('#edits .set-aside').textContent))
  assert.deepEqual(await typedIn(page), [], 'the link has its own')
  await page.goBack()
  await page.waitForFunction(() => document.querySelector('#edit-list textarea')?.value === 'Mine')
  assert.equal(await page.textContent('#edits .set-aside'), '')
  // Brought back beside the link.
  await follow()
  await page.waitForSelector('#edits .set-aside button')
  await page.click('#edits .set-aside button')
  await page.waitForFunction(() => document.querySelector('#edit-list textarea')?.value === 'Mine')
  await page.click('#edit-list button') // Remove
  assert.deepEqual(await typedIn(page), [])
  await page.click('#edits-news button')
  assert.deepEqual(await typedIn(page), mine)
  await bring(page, scriptedModel(['One two.']))
  await page.evaluate(() => document.getElementById('bundled').click())
  await page.waitForFunction(() => globalThis.heed.model.info.name === 'heed-stories')
  await openEdits(page)
  await page.waitForFunction(() => document.querySelector('#edit-list textarea')?.value === 'Mine')
  assertCalm(page)
})
