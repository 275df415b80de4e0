// Answers and texts that are shown token by token: their words appear in the conversation together with the viewer's, and all at
// once by the button in place of Stop, and by Escape.
import assert from 'node:assert/strict'
import { answered, visitChat } from '../chatting.mjs'
import { assertCalm, atBothWidths, ready, sample, showsAttention, written } from '../page.mjs'

const pace = (page, value) =>
  page.evaluate(value => globalThis.heed.viewer.shadowRoot.querySelector(`input[name=pace][value=${value}]`).click(), value)

/** Sends a message, and waits until its answer is partly shown. */
async function sayInPart(page, text) {
  await page.fill('#message', text)
  await page.press('#message', 'Enter')
  await page.waitForFunction(() => {
    const { textContent, hidden } = document.getElementById('chat-stop')
    return textContent === 'Show all' && !hidden
  })
}

const lastAnswer = page => page.evaluate(() => document.querySelector('#chat-log > :last-child .answer').innerText.trim())

/** What screen readers have been told of the last answer, or of the text in view. */
const spoken = (page, place = 'chat-announcer') =>
  page.evaluate(place => [...document.querySelectorAll(`#${place} p`)].map(({ textContent }) => textContent).join('\n'), place)

const revealAll = page => page.waitForFunction(() => document.getElementById('chat-stop').hidden)

atBothWidths(
  'step by step, the words of an answer come in the conversation, too, and a button in the place of Stop shows all',
  async ({ turn }) => {
    const page = await visitChat(turn, ['One two three four.', 'Five six.', 'Seven eight.'])
    await pace(page, 'step')
    await sayInPart(page, 'Count.')
    const place = () =>
      page.evaluate(() => {
        const { hidden, offsetLeft } = document.getElementById('chat-stop')
        return { hidden, offsetLeft }
      })
    const offsetLeft = await page.evaluate(() => {
      const [send, stop] = ['send', 'chat-stop'].map(id => document.getElementById(id))
      const swap = isSend => {
        send.hidden = !isSend
        stop.hidden = isSend
      }
      swap(true) // its place when there is no other button
      const { offsetLeft } = send
      swap(false)
      return offsetLeft
    })
    assert.deepEqual(await place(), { hidden: false, offsetLeft })
    const before = await lastAnswer(page)
    assert.equal(await spoken(page), '', 'a sentence is read aloud once it is shown')
    assert.ok('One two three four.'.startsWith(before) && before.length < 19, before)
    await page.evaluate(() =>
      [...globalThis.heed.viewer.shadowRoot.querySelectorAll('.steps button')]
        .find(({ textContent }) => textContent === 'Next')
        .click(),
    )
    const after = await lastAnswer(page)
    assert.ok(after.length > before.length && 'One two three four.'.startsWith(after), after)
    await page.evaluate(() =>
      [...globalThis.heed.viewer.shadowRoot.querySelectorAll('.steps button')]
        .find(({ textContent }) => textContent === 'Back')
        .click(),
    )
    assert.equal(await lastAnswer(page), before)
    await page.click('#chat-stop')
    await revealAll(page)
    assert.equal(await lastAnswer(page), 'One two three four.')
    assert.match(await spoken(page), /^One two three four\.\nThe answer is complete: \d tokens\.$/)
    assert.equal(await page.evaluate(() => document.activeElement.id), 'send', 'the focus goes on to what takes its place')
    // By Escape; and once there is something to send, it can be sent.
    await sayInPart(page, 'More.')
    assert.equal(await page.evaluate(() => globalThis.heed.viewer.pace), 'step', 'the pace stays')
    await page.keyboard.press('Escape')
    await revealAll(page)
    assert.equal(await lastAnswer(page), 'Five six.')
    await sayInPart(page, 'More still.')
    assert.ok(await page.isHidden('#send'))
    await page.fill('#message', 'And')
    assert.ok(await page.isVisible('#send'))
    assertCalm(page)
  },
)

atBothWidths('slowly, an answer is shown word by word until it is whole, or until all is shown', async ({ turn }) => {
  const page = await visitChat(turn, ['One two three four.', 'Five six.'])
  await pace(page, 'slow')
  await sayInPart(page, 'Count.')
  const first = await lastAnswer(page)
  await page.waitForFunction(
    first => document.querySelector('#chat-log > :last-child .answer').innerText.trim().length > first.length,
    first,
  )
  await page.click('#chat-stop')
  await revealAll(page)
  assert.equal(await lastAnswer(page), 'One two three four.')
  assertCalm(page)
})

/** From now on, the intervals that run in the page are in `globalThis.intervals`. */
const countIntervals = page =>
  page.evaluate(() => {
    const { setInterval: set, clearInterval: clear } = globalThis
    globalThis.intervals = new Set()
    globalThis.setInterval = (...given) => {
      const id = set(...given)
      globalThis.intervals.add(id)
      return id
    }
    globalThis.clearInterval = id => {
      globalThis.intervals.delete(id)
      clear(id)
    }
  })

const intervals = page => page.evaluate(() => globalThis.intervals.size)

atBothWidths('step by step in the middle of “slowly”, neither this answer nor the next one goes on by itself', async ({ turn }) => {
  const page = await visitChat(turn, ['One two three four.', 'Five six seven.'])
  await countIntervals(page)
  await pace(page, 'slow')
  await sayInPart(page, 'Count.')
  assert.equal(await intervals(page), 1)
  await pace(page, 'step')
  assert.equal(await intervals(page), 0)
  await sayInPart(page, 'More.')
  await page.waitForFunction(() => globalThis.heed.conversation.path.value.length === 4)
  await answered(page)
  assert.equal(await intervals(page), 0)
  assert.equal(await page.evaluate(() => globalThis.heed.viewer.pace), 'step')
  assertCalm(page)
})

atBothWidths('in free text, the button that stops a text shows all of it, and so does Escape', async ({ open }) => {
  const page = await open()
  await ready(page)
  await pace(page, 'step')
  const partly = () =>
    page.waitForFunction(() => document.querySelector('.version.current .stop:not([hidden])')?.textContent === 'Show all')
  await page.click('#write')
  await partly()
  assert.equal(await spoken(page, 'announcer'), '', 'a sentence is read aloud once it is shown')
  await page.click('.version.current .stop')
  await page.waitForFunction(() => document.querySelector('.version.current .stop').hidden)
  assert.match(await spoken(page, 'announcer'), /[.!?]["”’]?\nThe (sentence|text|maximum|context).*: \d+ tokens?\.$/s)
  await page.click('#write')
  await page.waitForFunction(() => globalThis.heed.versions.list.value.length === 2)
  await partly()
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('.version.current .stop').hidden)
  assert.equal(
    await page.evaluate(() => globalThis.heed.viewer.revealed),
    await page.evaluate(() => globalThis.heed.passage.promptTokens.length + globalThis.heed.passage.written.length),
  )
  assertCalm(page)
})

atBothWidths('in free text, sentences are read aloud as they are shown, also by the way back to a text', async ({ open }) => {
  const page = await open()
  await ready(page)
  await page.fill('#prompt', 'One day, a boy and his mom went to the park.')
  await sample(page, { seed: '7', maxTokens: '60' })
  await page.click('#whole-text')
  await page.click('#write')
  await written(page)
  const [first, ...others] = (await spoken(page, 'announcer')).split('\n')
  assert.ok(others.length > 1, 'a text of two sentences, and its end')
  await pace(page, 'step')
  await page.click('#write')
  await page.waitForFunction(() => globalThis.heed.versions.partly.value?.version.number === 2)
  await page.click('#versions > :first-child button')
  await page.waitForFunction(() => globalThis.heed.versions.partly.value?.version.number === 1)
  assert.equal(await spoken(page, 'announcer'), '')
  const revealed = count =>
    page.evaluate(count => {
      const { viewer, passage } = globalThis.heed
      viewer.revealed = passage.promptTokens.length + count
    }, count)
  const lengthOf = await page.evaluate(first => {
    const { written } = globalThis.heed.passage
    let text = ''
    return 1 + written.findIndex(token => (text += token.text).trim().length >= first.length)
  }, first)
  await revealed(lengthOf - 1)
  assert.equal(await spoken(page, 'announcer'), '')
  await revealed(lengthOf + 1)
  assert.equal(await spoken(page, 'announcer'), first)
  await revealed(2)
  await revealed(lengthOf + 1)
  assert.equal(await spoken(page, 'announcer'), first, 'once')
  await revealed(1000)
  assert.equal(await spoken(page, 'announcer'), [first, ...others.slice(0, -1)].join('\n'), 'its end was announced before')
  assertCalm(page)
})

atBothWidths('the pace outlives a reload, after which what comes back is shown whole', async ({ open }) => {
  const page = await open()
  await ready(page)
  await page.waitForFunction(() => globalThis.heed.drafts.then(() => true))
  await sample(page, { maxTokens: '8' })
  await page.click('#write')
  await written(page)
  await pace(page, 'step')
  const parts = () =>
    page.evaluate(() => {
      const { viewer, passage } = globalThis.heed
      return { pace: viewer.pace, revealed: viewer.revealed, whole: passage.promptTokens.length + passage.written.length }
    })
  const before = await parts()
  assert.ok(before.revealed < before.whole)
  await page.evaluate(() => globalThis.heed.drafts.then(desk => desk.flush()))
  await page.reload()
  const isBack = () =>
    page.waitForFunction(() => {
      const { passage, attention, versions, viewer } = globalThis.heed ?? {}
      const tokens = passage?.written.length > 0 ? passage.promptTokens.length + passage.written.length : NaN
      return versions?.list.value.length === 1 && attention?.rows === tokens && viewer.revealed === tokens
    })
  await isBack()
  const after = await parts()
  assert.deepEqual([after.pace, after.whole], ['step', before.whole])
  assert.ok(await page.evaluate(() => globalThis.heed.viewer.shadowRoot.querySelector('input[name=pace][value=step]').checked))
  await page.click('#write')
  await page.waitForFunction(() => globalThis.heed.versions.partly.value?.version.number === 2)
  await pace(page, 'instant')
  await page.evaluate(() => globalThis.heed.drafts.then(desk => desk.flush()))
  await page.reload()
  await page.waitForFunction(() => globalThis.heed?.drafts.then(() => true))
  assert.equal(await page.evaluate(() => globalThis.heed.viewer.pace), 'instant')
  assertCalm(page)
})

atBothWidths(
  'the source of an answer that is shown step by step is that of the word that is told, and all is shown',
  async ({ open }) => {
    const page = await open()
    await showsAttention(page)
    await pace(page, 'step')
    await sayInPart(page, 'A whale named Zed hid a bell in a cave. Who hid the bell?')
    await page.waitForFunction(() => {
      const found = [...document.querySelectorAll('.turn-actions button')].find(
        ({ textContent, hidden }) => textContent === 'Where did it find that?' && !hidden,
      )
      found?.click()
      return found !== undefined
    })
    await page.waitForFunction(() => document.querySelector('#chat-log .found')?.textContent.startsWith('To write “Zed”'))
    await revealAll(page)
    assert.equal(await lastAnswer(page), 'Zed hid the bell.')
    const { chosen, revealed, whole } = await page.evaluate(() => {
      const { viewer, passage } = globalThis.heed
      const tokens = [...passage.promptTokens, ...passage.written]
      return { chosen: tokens[viewer.token].text.trim(), revealed: viewer.revealed, whole: tokens.length }
    })
    assert.ok(chosen !== '' && 'Zed'.startsWith(chosen), chosen)
    assert.equal(revealed, whole)
    assertCalm(page)
  },
)
