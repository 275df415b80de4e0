// A pair and a drawing are dropped, the answer about it is right, and its words looked at the things.
import assert from 'node:assert/strict'
import { assertCalm, atBothWidths, hasModel, sample } from '../page.mjs'

/** Drops files of the page's own folder. */
const dropFiles = (page, paths) =>
  page.evaluate(async paths => {
    const transfer = new DataTransfer()
    for (const path of paths) {
      const bytes = await (await fetch(`tiny/${path}`)).arrayBuffer()
      transfer.items.add(new File([bytes], path.split('/').at(-1), { type: path.endsWith('.png') ? 'image/png' : '' }))
    }
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }, paths)

atBothWidths('a pair and a drawing are dropped, and where the words of the answer looked is shown', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await dropFiles(page, ['heed-questions.gguf', 'mmproj-heed-questions.gguf'])
  await page.waitForFunction(() => globalThis.heed.model.info.readsImages)
  await dropFiles(page, ['examples/boat-and-house.png'])
  await page.waitForFunction(() => document.querySelector('.attachments li span')?.textContent === '66 tokens')
  await sample(page, { temperature: '0' })
  await page.fill('#message', 'Describe the picture.')
  await page.press('#message', 'Enter')
  await page.waitForFunction(() => globalThis.heed.conversation.last?.ending)
  assert.equal(
    await page.evaluate(() =>
      globalThis.heed.conversation.last.pieces
        .map(piece => piece.text)
        .join('')
        .trim(),
    ),
    'a red boat left of a pink house.',
  )
  await page.waitForFunction(() => globalThis.heed.attention?.images.length > 0)
  const { sentences, colors } = await page.evaluate(async () => {
    const { heed } = globalThis
    heed.viewer.layer = 2
    await heed.viewer.settled()
    const { shadowRoot } = heed.viewer
    const first = heed.passage.promptTokens.length
    const sentences = ['red', 'pink'].map(word => {
      heed.viewer.token = first + heed.passage.written.findIndex(({ text }) => text.trim() === word)
      return shadowRoot.getElementById('looks-sentence').textContent
    })
    const canvas = shadowRoot.querySelector('.looks-large canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return { sentences, colors: new Set(data).size }
  })
  assert.match(sentences[0], /^“red” looks most at the (lower left|left|bottom) of the picture/)
  assert.match(sentences[1], /^“pink” looks most at the (right|middle|lower right) of the picture/)
  assert.ok(colors > 10, 'the picture is drawn')
  assertCalm(page)
})
