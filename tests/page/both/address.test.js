// Links at hand: each answer has one, and one in the address bar follows the viewer's layer and head.
import assert from 'node:assert/strict'
import { say } from '../chatting.mjs'
import { assertCalm, atBothWidths, chatHash, hasModel, sample, showsAttention } from '../page.mjs'

const turnTo = (page, layer, head) =>
  page.evaluate(
    ([layer, head]) => {
      globalThis.heed.viewer.layer = layer
      globalThis.heed.viewer.head = head
    },
    [layer, head],
  )

const inAddress = page =>
  page.evaluate(() => {
    const parts = new URLSearchParams(location.hash.slice(1))
    return [parts.get('layer'), parts.get('head')]
  })

atBothWidths('an answer has a link beside it, to the conversation up to there', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await sample(page, { temperature: '0', maxTokens: '16' })
  await say(page, 'What can you do?')
  await say(page, 'And what else?')
  await page.evaluate(() => {
    navigator.clipboard.writeText = async text => {
      globalThis.copied = text
    }
  })
  const link = '[aria-label="Copy link to this answer"]'
  assert.ok(await page.isVisible(link), 'no menu is to be opened first')
  await page.click(link)
  await page.waitForFunction(() => document.querySelector('.found')?.textContent === 'Link copied.')
  const other = await open(new URL(await page.evaluate(() => globalThis.copied)).hash)
  await page.waitForFunction(() => document.querySelector('.found').textContent === '') // it has been read
  await other.waitForFunction(() => globalThis.heed?.conversation.path.value.length === 2)
  assert.equal(await other.textContent('#chat-log .said'), 'What can you do?')
  assertCalm(page)
  assertCalm(other)
})

atBothWidths('a link to an answer has no panels of free text, and opens at the answer', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await sample(page, { temperature: '0', maxTokens: '16' })
  await page.check('#rooms [value=text]')
  for (const name of ['sweep', 'lens', 'compare']) {
    await page.click(`#${name} > summary`)
    await page.waitForFunction(name => document.querySelectorAll(`#${name} > *`).length > 1, name)
  }
  await page.evaluate(() => {
    globalThis.heed.viewer.panel = 'overview'
  })
  await page.check('#rooms [value=chat]')
  await say(page, 'What can you do?')
  await turnTo(page, 2, 1)
  await page.evaluate(() => {
    navigator.clipboard.writeText = async text => {
      globalThis.link = text
    }
  })
  await page.click('[aria-label="Copy link to this answer"]')
  await page.waitForFunction(() => globalThis.link)
  const { hash } = new URL(await page.evaluate(() => globalThis.link))
  assert.deepEqual([...new URLSearchParams(hash.slice(1)).keys()], ['chat', 'layer', 'head'])
  const other = await open(hash)
  await other.waitForFunction(() => globalThis.heed?.conversation.path.value.length === 2 && globalThis.heed.viewer.layer === 2)
  const { top, bottom, height } = await other.evaluate(() => {
    const { top, bottom } = document.querySelector('#chat-log .answer').getBoundingClientRect()
    return { top, bottom, height: innerHeight }
  })
  assert.ok(top >= 0 && bottom <= height, `${top} to ${bottom} of ${height}`)
  for (const tab of [page, other]) assertCalm(tab)
})

atBothWidths('a link to a text follows the viewer, and Back leads to where the user was', async ({ open }) => {
  const page = await open('#prompt=The%20fox&layer=1&head=1')
  await showsAttention(page)
  await page.waitForFunction(() => globalThis.heed.passage.prompt === 'The fox' && history.state?.conversation)
  const entries = await page.evaluate(() => history.length)
  await turnTo(page, 2, 1)
  assert.deepEqual(await inAddress(page), ['3', '2'])
  await turnTo(page, 3, 'mean')
  assert.deepEqual(await inAddress(page), ['4', 'mean'])
  assert.equal(await page.evaluate(() => history.length), entries)
  await page.reload()
  await page.waitForFunction(
    () => Boolean(globalThis.heed?.attention) && globalThis.heed.passage.prompt === 'The fox' && globalThis.heed.viewer.layer === 3,
  )
  assert.equal(await page.evaluate(() => globalThis.heed.viewer.head), 'mean')
  // In the chat, the viewer shows something else.
  await page.evaluate(() => document.querySelector('#rooms [value=chat]').click())
  await turnTo(page, 1, 0)
  assert.deepEqual(await inAddress(page), ['4', 'mean'])
  assertCalm(page)
})

atBothWidths('a link to a conversation follows the viewer; without a link, the address stays as it is', async ({ open }) => {
  const page = await open(
    chatHash([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Ho.' },
    ]),
  )
  await page.waitForFunction(() => globalThis.heed?.passage.promptTokens?.length > 0 && history.state?.conversation)
  await turnTo(page, 2, 1)
  assert.deepEqual(await inAddress(page), ['3', '2'])
  assert.equal(await page.evaluate(() => globalThis.heed.conversation.path.value[0].text), 'Hi')
  await page.evaluate(() => {
    location.hash = ''
  })
  await page.waitForFunction(() => history.state?.conversation) // an entry of its own
  await turnTo(page, 1, 0)
  assert.equal(await page.evaluate(() => location.hash), '')
  assertCalm(page)
})
