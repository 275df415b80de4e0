// An answer that was stopped, or has reached the longest length, goes on where it ended.
import assert from 'node:assert/strict'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { answered, bring, say, shown, visitChat } from '../chatting.mjs'
import { assertCalm, atBothWidths, clickText, hasModel, sample } from '../page.mjs'

const words = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')
const goOn = '[aria-label="Continue this answer"]'
/** A line that another model would go on may follow it. */
const lastGoOn = `#chat-log > :nth-last-child(1 of .turn) ${goOn}`
const kept = page => page.evaluate(() => globalThis.heed.keeper.flush())

/** Continues the last answer by the keyboard, and waits for its end. */
const continued = async page => {
  await page.evaluate(() => {
    globalThis.ended = globalThis.heed.conversation.last.ending
  })
  await page.focus(`#chat-log > :last-child ${goOn}`)
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => {
    const { ending } = globalThis.heed.conversation.last
    return ending && ending !== globalThis.ended
  })
  await page.waitForFunction(() => document.activeElement.closest('#chat-log > :last-child, #chat-compose'))
}

/** What the model of the page itself says after the beginning of an answer. */
const saidAfter = (page, asked, begun, maxTokens) =>
  page.evaluate(
    async ([asked, begun, maxTokens]) => {
      const messages = [
        { role: 'user', content: asked },
        { role: 'assistant', content: begun },
      ]
      const options = { continueFinal: true, temperature: 0, think: false, maxTokens }
      return (await globalThis.heed.model.chat(messages, options)).text
    },
    [asked, begun, maxTokens],
  )

atBothWidths('an answer goes on after the longest length, also after a reload', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await sample(page, { maxTokens: '8', temperature: '0' })
  const asked = 'Tell me a story about a fox.'
  await say(page, asked)
  const begun = (await shown(page))[1]
  assert.match(await page.textContent('#chat-log .ending span'), /longest length/)
  assert.equal(await page.evaluate(() => globalThis.heed.conversation.last.ending.tokens), 8)
  await sample(page, { maxTokens: '16' })
  await continued(page)
  const whole = begun + (await saidAfter(page, asked, begun, 16))
  assert.deepEqual(await shown(page), [asked, whole])
  assert.equal(await page.evaluate(() => globalThis.heed.conversation.last.ending.tokens), 24)
  assert.equal(await page.locator('#chat-log > :last-child .answer > *').count(), 1, 'one text')
  await answered(page)
  const inViewer = await page.evaluate(() => {
    const { prompt, written } = globalThis.heed.passage
    return [prompt, written.map(({ text }) => text).join('')]
  })
  assert.ok(inViewer[0].endsWith(begun), 'what was there is read')
  assert.equal(begun + inViewer[1], whole)
  await kept(page)
  await page.reload()
  await hasModel(page)
  await page.waitForSelector('#chat-log .turn')
  assert.deepEqual(await shown(page), [asked, whole])
  await sample(page, { maxTokens: '200' })
  await continued(page)
  const more = (await shown(page))[1]
  assert.ok(more.startsWith(whole) && more.length > whole.length, more)
  assert.equal(await page.locator(goOn).count(), 0, 'it has ended by itself')
  assertCalm(page)
})

atBothWidths('only the last answer goes on, by any model, and not in a chosen form', async ({ open }) => {
  const page = await visitChat(open, [words, words])
  await sample(page, { maxTokens: '8' })
  await say(page, 'Count.')
  await say(page, 'Again.')
  assert.equal(await page.isVisible(`#chat-log > :nth-child(2) ${goOn}`), false)
  assert.equal(await page.isVisible(lastGoOn), true)
  const choose = form =>
    page.evaluate(form => {
      const choice = document.getElementById('form')
      choice.value = form
      choice.dispatchEvent(new Event('change', { bubbles: true }))
    }, form)
  await choose('0')
  await page.click(lastGoOn)
  await page.waitForFunction(() => /chosen form/.test(document.querySelector('#chat-log > :last-child .found').textContent))
  await choose('')
  const before = (await shown(page)).at(-1)
  await kept(page)
  await page.reload()
  await hasModel(page) // the bundled one
  await page.waitForSelector(lastGoOn)
  await sample(page, { maxTokens: '8' })
  await page.click(lastGoOn)
  await answered(page)
  const after = (await shown(page)).at(-1)
  assert.ok(after.startsWith(before), after)
  await page.waitForSelector('#chat-log .handover')
  assert.equal(await page.textContent('#chat-log .handover'), 'scripted began this answer; heed-stories went on with it.')
  assertCalm(page)
})

atBothWidths(
  'an answer that was stopped before its first word can be tried again, and is no turn for the model',
  async ({ open }) => {
    const page = await open()
    await hasModel(page)
    await sample(page, { maxTokens: '8', temperature: '0' })
    await page.evaluate(() => {
      let isStopped = false
      globalThis.heed.conversation.path.watch(path => {
        if (isStopped || path.at(-1)?.role !== 'assistant') return
        isStopped = true
        queueMicrotask(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })))
      })
    })
    const asked = 'Tell me a story about a fox.'
    await page.fill('#message', asked)
    await page.press('#message', 'Enter')
    await page.waitForFunction(() => globalThis.heed.conversation.last?.ending)
    const last = '#chat-log > :last-child'
    const offered = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('#chat-log > :last-child button')]
          .filter(one => one.checkVisibility({ visibilityProperty: true }))
          .map(one => one.textContent),
      )
    assert.equal(await page.textContent(`${last} .ending`), 'Stopped.')
    assert.deepEqual(await offered(), ['Try again'])
    const sent = () => page.evaluate(() => globalThis.heed.conversation.messagesTo(globalThis.heed.conversation.last))
    assert.deepEqual(await sent(), [{ role: 'user', content: asked }])
    await kept(page)
    await page.reload()
    await hasModel(page)
    await page.waitForSelector(`${last} .ending`)
    assert.deepEqual([await offered(), await sent()], [['Try again'], [{ role: 'user', content: asked }]])
    await sample(page, { maxTokens: '8', temperature: '0' })
    await clickText(page, `${last} button`, 'Try again')
    await answered(page)
    assert.notEqual((await shown(page))[1], '')
    assert.ok((await offered()).includes('Regenerate'))
    assertCalm(page)
  },
)

atBothWidths('an answer that cannot go on because the context is full says so', async ({ open }) => {
  const page = await visitChat(open, [words])
  await sample(page, { maxTokens: '40' })
  await say(page, 'Count.')
  await bring(page, scriptedModel([words], { context: 40 }))
  await page.click(lastGoOn)
  await page.waitForFunction(() => /no room/.test(document.querySelector('#chat-log .ending').textContent))
  assert.equal(await page.textContent('#chat-log .ending span'), 'The model’s context has no room for more of this answer.')
  assert.match((await shown(page))[1], /^word0 word1 /)
  assertCalm(page)
})
