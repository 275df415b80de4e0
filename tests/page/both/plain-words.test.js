// The page's texts are plain: technical terms are explained, and a token is explained where the word first occurs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { inRoot } from '../../../tools/paths.mjs'
import { assertCalm, atBothWidths, chooseFiles, hasModel, showsAttention } from '../page.mjs'

/**
 * Technical terms that have plain equivalents, and names of options. A term that helps experts stands in brackets after the plain
 * word.
 */
const jargon =
  /held-out|\brollout\b(?!\))|given, not chosen|memoryLimit|\blogits?\b(?! ?\)|\))|Answer as|cross-origin isolated(?!\.)/

/** All text of the page and of its viewer, folded or not, with the names of elements without text. */
const everything = page =>
  page.evaluate(() =>
    [document, globalThis.heed.viewer.shadowRoot].flatMap(root => {
      const texts = []
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const { parentElement: parent, data } = walker.currentNode
        if (data.trim() !== '' && !parent?.closest('script, style, noscript, #passage, #lens-grid')) texts.push(data.trim())
      }
      return [
        ...texts,
        ...[...root.querySelectorAll('[aria-label], [title]')].flatMap(({ ariaLabel, title }) =>
          [ariaLabel, title].filter(Boolean),
        ),
      ]
    }),
  )

atBothWidths('plain words come first', async ({ open }) => {
  const page = await open()
  await showsAttention(page)
  await page.click('.other-models summary')
  await page.waitForFunction(() => document.querySelector('#tiny li') !== null)
  const texts = await everything(page)
  assert.ok(texts.length > 200, `${texts.length} texts`)
  assert.deepEqual(
    texts.filter(text => jargon.test(text)),
    [],
  )
  for (const said of await page.locator('#tiny li span').allTextContents()) assert.doesNotMatch(said, /^(reads|sees|answers),/)
  // “Free text” is only the name of the room.
  assert.equal(texts.filter(text => text === 'Free text').length, 1)
  // The explanation of a token, in the first texts about the map, about the lens, and in the lesson.
  const explained = await page.evaluate(() => {
    const { shadowRoot } = globalThis.heed.viewer
    return [
      shadowRoot.querySelector('#map-caption'),
      document.querySelector('#lens .lens-help'),
      document.querySelector('#lesson > p'),
    ].map(({ textContent }) => /a word, or a piece of one|words, or pieces of words/.test(textContent))
  })
  assert.deepEqual(explained, [true, true, true])
  assertCalm(page)
})

atBothWidths('an error says what is wrong with a file in plain words', async ({ turn }) => {
  const page = await turn()
  await hasModel(page)
  const gguf = readFileSync(inRoot('models/tiny/heed-french.gguf'))
  const said = async bytes => {
    await page.evaluate(() => document.querySelector('.notice button')?.click())
    await chooseFiles(page, '#file', [{ name: 'mine.gguf', bytes }])
    await page.waitForSelector('.notice')
    return page.textContent('.notice span')
  }
  assert.match(await said(gguf.subarray(0, 200_000)), /^“mine\.gguf” is not complete: it ends after 200 kB of 31\d kB\.$/)
  assert.match(await said(gguf.subarray(0, 100)), /^“mine\.gguf” is not complete: it ends inside its header\.$/)
  assert.match(
    await said(Buffer.from('Hello! This is no model at all.')),
    /^“mine\.gguf” is not a GGUF file, the kind of file that Heed reads models from\.$/,
  )
  assert.match(await said(Buffer.alloc(0)), /^“mine\.gguf” is empty\.$/)
  assertCalm(page)
})
