// A reload loses nothing that was written: the message, an edit, free text and its texts. Each tab has its own.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { bring, say, shown, visitChat } from '../chatting.mjs'
import { asksBeforeLeaving, assertCalm, atBothWidths, hasModel, ready } from '../page.mjs'

/** Waits until drafts are saved. */
const kept = page => page.waitForFunction(() => globalThis.heed.drafts.then(desk => desk.flush()).then(() => true))

const afterReload = async page => {
  await kept(page)
  await page.reload()
  await page.waitForFunction(() => globalThis.heed?.drafts.then(() => true))
}

const typeIn = (page, selector, text) => page.fill(selector, text)

atBothWidths(
  'a message that is half written is there after a reload, also a task of the lesson, and is gone once it is sent',
  async ({ open }) => {
    const page = await open()
    await hasModel(page)
    await typeIn(page, '#message', 'Half a mess')
    await afterReload(page)
    assert.equal(await page.inputValue('#message'), 'Half a mess')
    await hasModel(page)
    await page.fill('#message', '')
    await page.click('#lesson-tasks button')
    const task = await page.inputValue('#message')
    assert.notEqual(task, '')
    await afterReload(page)
    assert.equal(await page.inputValue('#message'), task)
    await hasModel(page)
    await say(page, 'A whale named Zed hid a bell in a cave. Who hid the bell?')
    await afterReload(page)
    assert.equal(await page.inputValue('#message'), '')
    assertCalm(page)
  },
)

atBothWidths('an edit that was begun is gone on with: after Escape, and after a reload', async ({ open }) => {
  const page = await visitChat(open, ['Yes.', 'No.'])
  await say(page, 'The first message')
  await say(page, 'The second one')
  await page.click('#chat-log > :first-child [aria-label="Edit this message"]')
  await typeIn(page, '.edit textarea', 'The first message, changed')
  await page.press('.edit textarea', 'Escape')
  assert.equal(await page.locator('.edit').count(), 0)
  await page.click('[aria-label="Go on editing this message"]')
  assert.equal(await page.inputValue('.edit textarea'), 'The first message, changed')
  await typeIn(page, '.edit textarea', 'The first message, changed again')
  await afterReload(page)
  await page.waitForSelector('.edit textarea')
  assert.equal(await page.inputValue('.edit textarea'), 'The first message, changed again', 'it is open, as it was')
  await page.press('.edit textarea', 'Escape')
  await afterReload(page)
  await page.waitForSelector('[aria-label="Go on editing this message"]')
  assert.equal(await page.locator('.edit').count(), 0)
  await page.click('[aria-label="Go on editing this message"]')
  await page.click('.edit button[type=button]')
  assert.equal(await page.locator('[aria-label="Edit this message"]').count(), 2, 'given up')
  await afterReload(page)
  assert.equal(await page.locator('[aria-label="Edit this message"]').count(), 2)
  assert.deepEqual(await shown(page), ['The first message', 'Yes.', 'The second one', 'No.'])
  assertCalm(page)
})

const textsIn = page =>
  page.evaluate(() => ({
    all: globalThis.heed.versions.list.value.map(
      ({ passage: { value } }) => value.prompt + value.written.map(({ text }) => text).join(''),
    ),
    current: globalThis.heed.versions.current?.number,
  }))

atBothWidths('the prompt and the texts of free text are there after a reload, and can be gone on with', async ({ open }) => {
  const page = await open()
  await ready(page)
  for (const prompt of ['Write a story about a hen.', 'Write a story about a king.']) {
    await page.fill('#prompt', prompt)
    await page.click('#write')
    await page.waitForFunction(
      prompt => globalThis.heed.versions.current?.outcome && globalThis.heed.versions.current.passage.value.prompt === prompt,
      prompt,
    )
  }
  await page.click('.version:first-child button')
  await page.fill('#prompt', 'A prompt of my own')
  await page.waitForFunction(() => globalThis.heed.passage.prompt === 'A prompt of my own')
  await page.click('.version:first-child button')
  const before = await textsIn(page)
  assert.equal(before.all.length, 2)
  await afterReload(page)
  await page.waitForFunction(() => globalThis.heed.model && globalThis.heed.versions.list.value.length === 2)
  assert.deepEqual(await textsIn(page), before)
  assert.equal(await page.inputValue('#prompt'), 'A prompt of my own')
  assert.ok(await page.isVisible('#texts'), 'the room is open')
  await page.waitForFunction(() => Boolean(globalThis.heed.attention) && globalThis.heed.passage.written.length > 0)
  // A removed text stays removed, and there is one more.
  await page.click('#remove-version')
  await page.click('#write')
  await page.waitForFunction(() => globalThis.heed.versions.list.value.length === 2 && globalThis.heed.versions.current?.outcome)
  const after = await textsIn(page)
  await afterReload(page)
  await page.waitForFunction(() => globalThis.heed.model && globalThis.heed.versions.list.value.length === 2)
  assert.deepEqual(await textsIn(page), after)
  // Another model has its own texts, and the first model's come back with it.
  await bring(page, scriptedModel(['One two.'], { endless: true }))
  assert.deepEqual((await textsIn(page)).all, [])
  await page.click('#other-models summary')
  await page.click('#bundled')
  await page.waitForFunction(
    () => globalThis.heed.model.info.name === 'heed-stories' && globalThis.heed.versions.list.value.length === 2,
  )
  assert.deepEqual((await textsIn(page)).all, after.all)
  assertCalm(page)
})

atBothWidths('a link to a text that is there shows it, also after reloads, and none is there twice', async ({ open }) => {
  const page = await open()
  await ready(page)
  await page.click('#write')
  await page.waitForFunction(() => globalThis.heed.versions.current?.outcome)
  await page.evaluate(() => {
    navigator.clipboard.writeText = async () => {}
    document.getElementById('copy-link').click()
  })
  await page.waitForFunction(() => location.hash.includes('seed='))
  const before = await textsIn(page)
  for (let reloads = 0; reloads < 2; reloads++) {
    await afterReload(page)
    await page.waitForFunction(() => Boolean(globalThis.heed.versions.current?.outcome && globalThis.heed.attention))
  }
  await page.waitForFunction(() => globalThis.heed.viewer.passage.written.length > 0)
  assert.deepEqual((await textsIn(page)).all, before.all)
  assertCalm(page)
})

atBothWidths('two tabs write drafts of their own, and a new one takes over what a closed one has left', async ({ open }) => {
  const one = await open()
  await hasModel(one)
  await typeIn(one, '#message', 'In the first tab')
  await kept(one)
  const two = await open()
  await two.waitForFunction(() => globalThis.heed?.drafts.then(() => true))
  assert.equal(await two.inputValue('#message'), '', 'the first one is open')
  await typeIn(two, '#message', 'In the second tab')
  await afterReload(two)
  await afterReload(one)
  assert.deepEqual([await one.inputValue('#message'), await two.inputValue('#message')], ['In the first tab', 'In the second tab'])
  await kept(two)
  await two.close()
  const three = await open()
  await three.waitForFunction(() => globalThis.heed?.drafts.then(() => true))
  assert.equal(await three.inputValue('#message'), 'In the second tab')
  assertCalm(three)
})

atBothWidths('with the switch off, no draft is kept, and “Delete all” deletes drafts and texts', async ({ open }) => {
  const page = await open()
  await ready(page)
  await page.click('#write')
  await page.waitForFunction(() => globalThis.heed.versions.current?.outcome)
  await page.evaluate(() => document.querySelector('#rooms [value=chat]').click())
  await typeIn(page, '#message', 'Half a message')
  await kept(page)
  await page.click('#history-button')
  await page.waitForSelector('#history-panel label')
  await page.waitForFunction(() => !document.querySelector('.history-actions > :last-child').disabled)
  await page.click('.history-actions > :last-child')
  await page.click('.history-actions > :last-child')
  await page.waitForFunction(
    () => document.getElementById('message').value === '' && globalThis.heed.versions.list.value.length === 0,
  )
  await afterReload(page)
  await hasModel(page)
  assert.equal(await page.inputValue('#message'), '')
  assert.deepEqual((await textsIn(page)).all, [])
  await page.click('#history-button')
  await page.waitForSelector('#history-panel label')
  await typeIn(page, '#message', 'Kept no more')
  await kept(page)
  await page.click('#history-panel [type=checkbox]')
  await page.waitForFunction(() => /^Nothing is kept/.test(document.querySelector('.history-news').textContent))
  await typeIn(page, '#message', 'Kept no more, either')
  await afterReload(page)
  assert.equal(await page.inputValue('#message'), '')
  assertCalm(page)
})

atBothWidths(
  'without room or storage, a line says so where one writes, as long as there is something to lose',
  async ({ open }) => {
    const page = await open()
    await hasModel(page)
    await page.waitForFunction(() => globalThis.heed.drafts.then(() => true))
    const note = name =>
      page.waitForFunction(
        name => [...document.querySelectorAll('#chat .chat-note')].some(({ textContent }) => textContent.startsWith(name)),
        name,
      )
    await page.evaluate(() => {
      globalThis.unbroken = IDBObjectStore.prototype.put
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('no', globalThis.failure)
      }
      globalThis.failure = 'QuotaExceededError'
    })
    await typeIn(page, '#message', 'Half')
    await note('The browser has no room left')
    assert.ok(await asksBeforeLeaving(page))
    await page.evaluate(() => {
      globalThis.failure = 'InvalidStateError'
    })
    await typeIn(page, '#message', 'Half a')
    await note('This window keeps nothing of what you write')
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = globalThis.unbroken
    })
    await typeIn(page, '#message', 'Half a message')
    await page.waitForFunction(() =>
      [...document.querySelectorAll('#chat .chat-note')].every(({ textContent }) => textContent === ''),
    )
    assert.ok(!(await asksBeforeLeaving(page)))
    await afterReload(page)
    assert.equal(await page.inputValue('#message'), 'Half a message')
    assertCalm(page)
  },
)

atBothWidths('a copy of a tab has drafts of its own, which outlive its reload, too', async ({ open }) => {
  const original = await open()
  await hasModel(original)
  await typeIn(original, '#message', 'Half a message')
  await kept(original)
  const tab = await original.evaluate(() => sessionStorage.getItem('heed-tab'))
  const copy = await open()
  await copy.evaluate(tab => sessionStorage.setItem('heed-tab', tab), tab)
  await afterReload(copy)
  assert.equal(await copy.inputValue('#message'), 'Half a message')
  await ready(copy)
  await typeIn(copy, '#prompt', 'Only in the copy')
  await afterReload(copy)
  assert.equal(await copy.inputValue('#message'), 'Half a message')
  assert.equal(await copy.inputValue('#prompt'), 'Only in the copy')
  await afterReload(original)
  assert.equal(await original.inputValue('#message'), 'Half a message')
  assert.notEqual(await original.inputValue('#prompt'), 'Only in the copy')
})

/** Serves a page whose script of drafts waits until `globalThis.letDrafts()` is called. */
const late = {
  change(folder) {
    const assets = join(folder, 'assets')
    const [script, ...others] = readdirSync(assets).filter(name => /^drafts-.*\.js$/.test(name))
    assert.deepEqual(others, [])
    const wait = 'await new Promise(resolve => { globalThis.letDrafts = resolve })\n'
    writeFileSync(join(assets, script), wait + readFileSync(join(assets, script), 'utf8'))
  },
}

atBothWidths(
  'what is written or chosen before earlier drafts are read is saved like the rest',
  async ({ open }) => {
    const page = await open()
    const isLate = () => page.waitForFunction(() => Boolean(globalThis.letDrafts && globalThis.heed?.model))
    const come = async () => {
      await isLate()
      await page.evaluate(() => globalThis.letDrafts())
      await kept(page)
    }
    await isLate()
    await typeIn(page, '#message', 'Early')
    await page.evaluate(() => {
      globalThis.heed.viewer.shadowRoot.querySelector('input[name=pace][value=step]').click()
      document.getElementById('whole-text').click()
    })
    await come()
    const found = () =>
      page.evaluate(() => ({
        message: document.getElementById('message').value,
        pace: globalThis.heed.viewer.pace,
        isWhole: document.getElementById('whole-text').checked,
      }))
    await page.reload()
    await come()
    assert.deepEqual(await found(), { message: 'Early', pace: 'step', isWhole: true })
    // A pace that is chosen meanwhile replaces an earlier one, and a message is set aside.
    await page.reload()
    await isLate()
    await typeIn(page, '#message', 'Earlier')
    await page.evaluate(() => globalThis.heed.viewer.shadowRoot.querySelector('input[name=pace][value=slow]').click())
    await come()
    await page.reload()
    await come()
    assert.deepEqual(await found(), { message: 'Earlier', pace: 'slow', isWhole: true })
    await page.click('[aria-label="Bring your message back"]')
    assert.equal(await page.inputValue('#message'), 'Early')
    assertCalm(page)
  },
  late,
)

atBothWidths(
  "a link's edits stay in view when the user's own come after them",
  async ({ open, site }) => {
    const page = await open()
    const come = async () => {
      await page.waitForFunction(() => Boolean(globalThis.letDrafts))
      await page.evaluate(() => globalThis.letDrafts())
      await kept(page)
    }
    const kinds = () =>
      page.evaluate(() => [...document.querySelectorAll('#edit-list legend')].map(({ textContent }) => textContent))
    await ready(page)
    await come()
    await page.evaluate(() => {
      document.getElementById('edits').open = true
    })
    await page.waitForSelector('#edit-add button')
    await page.click('#edit-add [value=steer]')
    const own = await kinds()
    await kept(page)
    const edits = encodeURIComponent(JSON.stringify([{ kind: 'head', layer: 0, head: 0, scale: 0 }]))
    await page.goto(`${site.url}#prompt=A+fox&edits=${edits}`)
    await page.reload() // a hash alone opens no page
    await page.waitForFunction(() => document.querySelectorAll('#edit-list li').length === 1)
    const linked = await kinds()
    assert.notDeepEqual(linked, own)
    await come()
    assert.deepEqual(await kinds(), linked)
    await page.click('[aria-label="Bring your edits back"]')
    assert.deepEqual(await kinds(), own)
    assertCalm(page)
  },
  late,
)
