// Markdown that is nested too deep, by whoever shares a conversation, or a model that repeats itself: the page shows it as it is, and
// goes on, also after a reload.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { pageModule } from '../support/page_modules.mjs'
import { assertCalm, chatHash, visitPage } from './page.mjs'

const { browser, site } = await visitPage()

const chatLink = messages => `${site.url}${chatHash(messages)}`
const turn = (at, content) => ({ role: at % 2 ? 'assistant' : 'user', content })

/** Texts with which a lexer runs out of stack, and one that it reads: nested too deep to be shown. */
const nested = [
  '>'.repeat(3000) + 'a',
  '1. '.repeat(1300) + 'a',
  `${'*'.repeat(1900)}a${'*'.repeat(1900)}`,
  '> '.repeat(100) + 'a',
  `| a |\n|---|\n| ${'*'.repeat(1900)}a${'*'.repeat(1900)} |`,
]

test('Markdown that is nested too deep is shown as it is, and what came before it as Markdown', async () => {
  const page = await browser.open('about:blank')
  const all = await page.evaluate(
    async ([code, nested]) => {
      const { GrowingMarkdown } = await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
      const before = '# Title\n\nOne\n\nTwo\n\nThree\n\n'
      const show = texts => {
        const place = document.createElement('div')
        const markdown = new GrowingMarkdown(place)
        for (const text of texts) markdown.show(text)
        return { tags: [...place.children].map(({ localName }) => localName), last: place.lastElementChild.textContent }
      }
      return nested.map(text => [show([text]), show([before, before + text, `${before}${text}\n\nEnd.`])])
    },
    [await pageModule(inRoot('bindings/elements/markdown/growing.ts')), nested],
  )
  for (const [at, [whole, grown]] of all.entries()) {
    assert.deepEqual(whole, { tags: ['p'], last: nested[at] })
    assert.deepEqual(grown.tags.slice(0, 2), ['h3', 'p'])
    assert.equal(grown.tags.at(-1), 'p')
    assert.ok(grown.last.endsWith(`${nested[at]}\n\nEnd.`), `${at}: ${grown.last.slice(-80)}`)
  }
  await page.close()
})

test('a conversation with an answer that is nested too deep goes on, also after a reload', async () => {
  const page = await browser.open(chatLink([turn(0, 'Count.'), turn(1, nested[1])]))
  const isThere = () =>
    page.waitForFunction(() => globalThis.heed?.model && document.querySelectorAll('#chat-log .turn').length === 3)
  await page.waitForFunction(() => globalThis.heed?.model && document.querySelectorAll('#chat-log .turn').length === 2)
  await page.evaluate(() => {
    heed.conversation.say('And now?', heed.conversation.last)
  })
  await isThere()
  await page.evaluate(() => heed.keeper.flush())
  await page.goto('about:blank')
  await page.goto(site.url)
  await isThere()
  assert.match(await page.textContent('#chat-log .markdown'), /^(1\. ){1300}a$/)
  assertCalm(page)
  await page.close()
})

test('a conversation that cannot be shown does not keep the page from loading a model', async () => {
  const page = await browser.open(chatLink([turn(0, 'Spoiled'), turn(1, 'Yes.')]))
  await page.waitForFunction(() => globalThis.heed?.model && document.querySelectorAll('#chat-log .turn').length === 2)
  await page.evaluate(() => {
    heed.conversation.say('And now?', heed.conversation.last)
    return heed.keeper.flush()
  })
  await page.addInitScript(() => {
    const { append } = Element.prototype
    Element.prototype.append = function (...parts) {
      if (this.className === 'said' && parts.includes('Spoiled')) throw new RangeError('spoiled')
      append.apply(this, parts)
    }
  })
  await page.goto('about:blank')
  await page.goto(site.url)
  await page.waitForFunction(() => globalThis.heed?.model)
  await page.waitForFunction(() => /The last conversation/.test(document.getElementById('chat-note').textContent))
  await page.close()
})
