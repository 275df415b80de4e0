// The page in Firefox: a pair and a drawing are dropped, the answer about it is right, and its words looked at the things.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBrowser } from '../../tools/browsers/index.mjs'
import { servePage } from '../page/page.mjs'

const name = process.env.HEED_BROWSER ?? 'firefox'

/** Functions that the steps use. Each step has a global object of its own in Firefox, so these belong to the window. */
function prepare() {
  /** Resolves to what `look` gives once that is something. */
  window.until = async look => {
    for (;;) {
      const found = look()
      if (found) return found
      await new Promise(resolve => { requestAnimationFrame(resolve) })
    }
  }
  window.dropFiles = async paths => {
    const transfer = new DataTransfer()
    for (const path of paths) {
      const bytes = await (await fetch(`tiny/${path}`)).arrayBuffer()
      transfer.items.add(new File([bytes], path.split('/').at(-1), { type: path.endsWith('.png') ? 'image/png' : '' }))
    }
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }
}

test(`${name}: a pair and a drawing are dropped, and where the words of the answer looked is shown`, async context => {
  const site = await servePage()
  context.after(() => site.close())
  const browser = await startBrowser(name)
  context.after(() => browser.close())
  const page = await browser.open(site.url)
  await page.evaluate(prepare)
  await page.evaluate(async () => void await until(() => globalThis.heed?.model))
  await page.evaluate(async () => {
    await dropFiles(['heed-questions.gguf', 'mmproj-heed-questions.gguf'])
    await until(() => heed.model.info.readsImages)
  })
  assert.equal(await page.evaluate(async () => {
    await dropFiles(['examples/boat-and-house.png'])
    return until(() => document.querySelector('.attachments li span')?.textContent)
  }), '66 tokens')
  assert.equal(await page.evaluate(async () => {
    const temperature = document.getElementById('temperature')
    temperature.value = '0'
    temperature.dispatchEvent(new Event('input', { bubbles: true }))
    document.getElementById('message').value = 'Describe the picture.'
    document.getElementById('chat-compose').requestSubmit()
    const turn = await until(() => heed.conversation.last?.ending && heed.conversation.last)
    return turn.pieces.map(piece => piece.text).join('').trim()
  }), 'a red boat left of a pink house.')
  const { sentences, colors } = await page.evaluate(async () => {
    await until(() => heed.attention?.images.length > 0)
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
  assert.deepEqual(page.problems, [])
})
