// Touch and keyboards: everything that can be pressed is large enough, the focus is never lost, and no on-screen keyboard covers
// the text to read.
import assert from 'node:assert/strict'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { answered, bring, say } from '../chatting.mjs'
import { assertCalm, atBothWidths, chooseFiles, hasBundled, hasModel, sample, showsAttention } from '../page.mjs'

/** Visible elements that can be pressed and are smaller than 24 pixels. Links in sentences, and boxes with a label, are exempt. */
const small = page =>
  page.evaluate(() => {
    const roots = [document, globalThis.heed.viewer.shadowRoot]
    const all = roots.flatMap(root => [...root.querySelectorAll('button, summary, a[href], select, input:not([type=file])')])
    return all.flatMap(one => {
      const inSentence =
        one.matches('a') && [...one.parentNode.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '')
      const target = (one.matches('[type=radio], [type=checkbox]') && one.closest('label')) || one
      const { width, height } = target.getBoundingClientRect()
      const isSeen = one.checkVisibility({ visibilityProperty: true }) && !one.closest('.visually-hidden, .skip')
      if (!isSeen || inSentence || (width >= 23.9 && height >= 23.9)) return []
      return [`${one.tagName} ${one.id} “${(one.textContent || one.ariaLabel || one.name).trim()}” ${width} x ${height}`]
    })
  })

atBothWidths('whatever can be pressed is at least 24 pixels high and wide', async ({ open }) => {
  const page = await open()
  await showsAttention(page)
  assert.deepEqual(await small(page), [], 'the first screen')
  await say(page, 'A whale named Zed hid a bell in a cave. Who hid the bell?')
  await page.click('[aria-label="Regenerate this answer"]')
  await page.waitForFunction(() =>
    Boolean(globalThis.heed.conversation.last.ending && document.querySelector('.stepper:not([hidden])')),
  )
  assert.deepEqual(await small(page), [], 'an answer')
  for (const button of ['#tools-button', '#form-button']) {
    await page.click(button)
    assert.deepEqual(await small(page), [], button)
  }
  await page.evaluate(() => {
    const roots = [document, globalThis.heed.viewer.shadowRoot]
    for (const details of roots.flatMap(root => [...root.querySelectorAll('details')])) details.open = true
  })
  await page.waitForFunction(
    () =>
      document.querySelector('#lens-grid td') !== null &&
      document.querySelectorAll('#found-kinds li, #attribution-parts *').length > 5,
  )
  await page.evaluate(() => {
    for (const button of document.querySelectorAll('#edit-add button')) button.click()
  })
  assert.deepEqual(await small(page), [], 'all that is folded up')
  await page.evaluate(() => document.querySelector('#rooms [value=text]').click())
  for (const text of [1, 2]) {
    await page.click('#write')
    await page.waitForFunction(
      text => globalThis.heed.versions.list.value.length === text && globalThis.heed.versions.current?.outcome !== undefined,
      text,
    )
  }
  assert.deepEqual(await small(page), [], 'texts')
})

/** The focused element: its name, or its text. */
const focused = page =>
  page.evaluate(() => {
    const { activeElement: at } = document
    return at === document.body ? 'nothing' : (at.ariaLabel ?? (at.id || at.textContent))
  })

/** The token that is selected in the viewer, and the number of tokens before the text. */
const selected = page =>
  page.evaluate(() => {
    const { token, passage } = globalThis.heed.viewer
    return [passage.promptTokens[token]?.text ?? passage.written[token - passage.promptTokens.length].text, token, passage.begin]
  })

atBothWidths(
  'the keyboard enters the tokens of a conversation at its first word, and reaches the marks before it',
  async ({ turn }) => {
    const page = await turn()
    await hasModel(page)
    await say(page, 'A whale named Zed hid a bell in a cave. Who hid the bell?')
    await page.evaluate(() => {
      globalThis.heed.viewer.token = undefined
      globalThis.heed.viewer.focus()
    })
    await page.keyboard.press('Home')
    const [text, token, begin] = await selected(page)
    assert.equal(token, begin)
    assert.ok(begin > 0 && 'A whale'.startsWith(text.trim()), `“${text}” at ${token}`)
    await page.keyboard.press('ArrowLeft')
    assert.equal((await selected(page))[1], begin - 1)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Home')
    assert.deepEqual((await selected(page))[1], 0)
    assertCalm(page)
  },
)

atBothWidths('on a phone, Back closes the sheet of a word, and leaves nothing else', async ({ open, width }) => {
  const page = await open()
  await showsAttention(page)
  await say(page, 'A whale named Zed hid a bell in a cave. Who hid the bell?')
  const find = () =>
    page.evaluate(() => {
      const source = [...document.querySelectorAll('.turn-actions button')].find(
        ({ textContent, hidden }) => textContent === 'Where did it find that?' && !hidden,
      )
      source?.focus()
      source?.click()
      return source !== undefined
    })
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.turn-actions button')].some(
      ({ textContent, hidden }) => textContent === 'Where did it find that?' && !hidden,
    ),
  )
  const entries = await page.evaluate(() => history.length)
  const isSheet = () => page.evaluate(() => document.querySelector('.sheet') !== null)
  await find()
  await page.waitForFunction(() => globalThis.heed.viewer.token !== undefined)
  if (width > 640) {
    assert.deepEqual([await isSheet(), await page.evaluate(() => history.length)], [false, entries])
    return
  }
  await page.waitForSelector('.sheet')
  await page.evaluate(() => history.back())
  await page.waitForFunction(() => document.querySelector('.sheet') === null)
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Where did it find that?')
  assert.equal(await page.evaluate(() => globalThis.heed.conversation.path.value.length), 2)
  // Closed by its button, it leaves no entry in the history.
  await find()
  await page.waitForSelector('.sheet')
  await page.click('#sheet-close')
  await page.waitForFunction(() => document.querySelector('.sheet') === null && !history.state?.sheet)
  // A reload closes it, too, and its entry is then one of the page.
  await find()
  await page.waitForSelector('.sheet')
  await page.reload()
  await page.waitForSelector('#chat-log .turn')
  assert.ok(!(await page.evaluate(() => history.state.sheet)))
  assertCalm(page)
})

/** Presses a button with the keyboard. */
async function press(page, selector) {
  await page.focus(selector)
  await page.keyboard.press('Enter')
}

atBothWidths('with the keyboard, the focus stays where it was, or goes on to what takes its place', async ({ open }) => {
  const page = await open()
  await showsAttention(page)
  await say(page, 'A whale named Zed hid a bell in a cave. Who hid the bell?')
  assert.equal(await focused(page), 'message')
  await press(page, '[aria-label="Regenerate this answer"]')
  await page.waitForFunction(
    () => globalThis.heed.conversation.last?.before.after.length === 2 && globalThis.heed.conversation.last.ending !== undefined,
  )
  assert.equal(await focused(page), 'Regenerate this answer')
  await press(page, '[aria-label="Previous version of this answer"]')
  assert.equal(await focused(page), 'Next version of this answer', 'the other one leads nowhere')
  await press(page, '[aria-label="Edit this message"]')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() =>
    Boolean(
      globalThis.heed.conversation.siblings(globalThis.heed.conversation.path.value[0]).length === 2 &&
        globalThis.heed.conversation.last.ending,
    ),
  )
  assert.equal(await focused(page), 'Edit this message')
  await press(page, '[aria-label="Edit this message"]')
  await page.keyboard.press('Escape')
  assert.equal(await focused(page), 'Edit this message')
  await press(page, '#chat-new')
  assert.equal(await focused(page), 'message')
  await press(page, '#chat-note button')
  assert.equal(await focused(page), 'message')
  // Free text: the current example is removed, and so is the message about a seed.
  await page.evaluate(() => document.querySelector('#rooms [value=text]').click())
  await press(page, '#examples button:not([hidden])')
  assert.equal(await focused(page), 'prompt')
  await press(page, '#write')
  await page.waitForFunction(() => globalThis.heed.versions.current?.outcome !== undefined)
  await press(page, '#figures button')
  assert.equal(await focused(page), 'used for the next text')
  // Notices.
  await chooseFiles(page, '#file', [{ name: 'wrong.gguf', bytes: Buffer.from('no model') }])
  await page.waitForSelector('.notice')
  await page.focus('.notice button')
  await chooseFiles(page, '#file', [{ name: 'wrong too.gguf', bytes: Buffer.from('no model') }])
  await page.waitForFunction(() => /wrong too/.test(document.querySelector('.notice')?.textContent))
  assert.equal(await focused(page), 'Use another model', 'the notice was cleared first')
  await press(page, '.notice button')
  assert.equal(await focused(page), 'Use another model')
  assertCalm(page)
})

atBothWidths('where a keyboard would come over the answer, only who wants to write gets one', async ({ turn }) => {
  const page = await turn()
  await hasBundled(page)
  await page.evaluate(() => {
    const real = matchMedia.bind(globalThis)
    globalThis.matchMedia = query => (query === '(pointer: coarse)' ? { matches: true } : real(query))
    globalThis.unpatch = () => {
      globalThis.matchMedia = real
    }
  })
  const isTyping = () => page.evaluate(() => document.activeElement.matches('textarea, input'))
  await page.click('#starters button')
  await answered(page)
  assert.equal(await isTyping(), false, 'after an example')
  await page.click('#chat-new')
  assert.equal(await isTyping(), false, 'after New')
  await page.click('#chat-note button')
  assert.equal(await isTyping(), false, 'after the conversation came back')
  await page.click('[aria-label="Regenerate this answer"]')
  await answered(page)
  assert.equal(await isTyping(), false, 'after another answer')
  await page.click('[aria-label="Edit this message"]')
  assert.equal(await isTyping(), true, 'an edit is written')
  await page.click('#lesson-tasks button')
  assert.notEqual(await page.inputValue('#message'), '')
  assert.equal(await focused(page), 'send', 'a task only has to be sent')
  await page.evaluate(() => document.querySelector('#rooms [value=text]').click())
  await page.click('#examples button:not([hidden])')
  assert.equal(await isTyping(), false, 'after an example of free text')
  await page.evaluate(() => globalThis.unpatch())
  assertCalm(page)
})

atBothWidths('what differs from plain answers is marked while its panel is closed', async ({ turn }) => {
  const page = await turn()
  await hasModel(page)
  await bring(page, scriptedModel(['Yes.']))
  assert.equal(await page.textContent('#tools-button'), 'Tools')
  await page.click('#tools-button')
  await page.check('#tool-list [value=roll_dice]')
  await page.check('#tool-list [value=calculate]')
  await page.click('#tools-button')
  assert.ok(await page.isHidden('#tools-panel'))
  assert.equal(await page.textContent('#tools-button'), 'Tools: 2 on')
  const tops = await page.evaluate(() =>
    [...document.querySelectorAll('.chat-bar > button, #chat-more > summary')].map(one => one.getBoundingClientRect().top),
  )
  assert.ok(Math.max(...tops) - Math.min(...tops) < 4, `one row: ${tops}`)
  const background = selector =>
    page.evaluate(selector => getComputedStyle(document.querySelector(selector)).backgroundColor, selector)
  assert.notEqual(await background('#tools-button'), await background('#chat-new'))
  await page.click('#form-button')
  await page.selectOption('#form', '0')
  await page.click('#form-button')
  assert.notEqual(await background('#form-button'), await background('#chat-new'))
  await page.click('#form-button')
  await page.selectOption('#form', '')
  await page.click('#form-button')
  assert.equal(await background('#form-button'), await background('#chat-new'))
  assertCalm(page)
})

atBothWidths('the switch between the rooms stays where it is', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  const place = () =>
    page.evaluate(() => {
      const { left, top } = document.getElementById('rooms').getBoundingClientRect()
      return [left, top].map(Math.round)
    })
  const inChat = await place()
  await page.click('#rooms [value=text]')
  assert.deepEqual(await place(), inChat)
  assertCalm(page)
})

atBothWidths('screen readers are told nothing in free text of the token that was selected in the chat', async ({ open }) => {
  const page = await open()
  await showsAttention(page)
  const told = () => page.evaluate(() => globalThis.heed.viewer.shadowRoot.getElementById('speech').textContent)
  await page.waitForFunction(() => globalThis.heed.viewer.shadowRoot.getElementById('speech').textContent !== '')
  assert.match(await told(), /chosen from/)
  await page.evaluate(() => document.querySelector('#rooms [value=text]').click())
  assert.equal(await told(), '')
  assertCalm(page)
})

atBothWidths('a message is edited in view, with its buttons, also above an open sheet', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await sample(page, { temperature: '0', maxTokens: '24' })
  for (const message of [
    'A whale named Zed hid a bell in a cave. Who hid the bell?',
    'Hello',
    'A fox named Pip lost a lantern in the woods and then found it in a cave near the river. Who lost the lantern?',
    'Write a story about a fox and a lantern.',
  ])
    await say(page, message)
  const press = (turns, at, name) =>
    page.evaluate(
      ([turns, at, name]) =>
        [...document.querySelectorAll(turns)[at].querySelectorAll('button')]
          .find(button => (button.ariaLabel ?? button.textContent) === name)
          .click(),
      [turns, at, name],
    )
  for (const [answer, message] of [
    [3, 0],
    [3, 2],
    [3, 3],
    [1, 2],
  ]) {
    await press('.model-turn', answer, 'Show attention')
    await page.waitForFunction(
      answer => [...document.querySelectorAll('.model-turn')][answer].querySelector('[aria-pressed=true]'),
      answer,
    )
    await press('.turn.user', message, 'Edit this message')
    const { top, bottom, from, to } = await page.evaluate(() => {
      const log = document.getElementById('chat-log').getBoundingClientRect()
      const sheet = document.querySelector('.sheet')?.offsetTop ?? innerHeight // its final position: it may be rising
      return {
        top: document.querySelector('.edit textarea').getBoundingClientRect().top,
        bottom: document.querySelector('.edit [type=submit]').getBoundingClientRect().bottom,
        from: Math.max(log.top, 0),
        to: Math.min(log.bottom, sheet),
      }
    })
    assert.ok(top >= from && bottom <= to, `message ${message}: ${top} to ${bottom}, where ${from} to ${to} is in view`)
    await press('.turn.user', message, 'Cancel')
  }
  assertCalm(page)
})
