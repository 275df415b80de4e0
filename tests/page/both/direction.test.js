// Texts in languages that are written from right to left: what is written, transcribed and shown token by token.
import assert from 'node:assert/strict'
import { chirp, wavFile, whisperModel } from '../../support/whisper_model.mjs'
import { assertCalm, atBothWidths, chooseFiles, hasModel, ready } from '../page.mjs'

const hebrew = 'שלום עולם.'

atBothWidths('a prompt, and its tokens, are in the direction of their language', async ({ open }) => {
  const page = await open()
  await ready(page)
  const directionOf = async text => {
    await page.fill('#prompt', text)
    await page.waitForFunction(text => globalThis.heed.passage.prompt === text && Boolean(globalThis.heed.attention), text)
    return page.evaluate(() => getComputedStyle(document.getElementById('prompt')).direction)
  }
  assert.equal(await directionOf('A fox'), 'ltr')
  assert.equal(await directionOf(hebrew), 'rtl')
  const sides = (first, second) =>
    page.evaluate(
      async ([first, second]) => {
        const { viewer } = globalThis.heed
        const tokens = [first, second].map((text, id) => ({ id: id + 300, text }))
        await viewer.show({ prompt: first + second, promptTokens: tokens, written: [] }).catch(() => {})
        const place = viewer.shadowRoot.querySelector('#passage')
        const [one, other] = [...place.querySelectorAll('.token')].map(token => token.getBoundingClientRect())
        const { left, right } = place.getBoundingClientRect()
        return { isFirstLeft: one.left < other.left, beginsAt: one.left - left < right - one.right ? 'left' : 'right' }
      },
      [first, second],
    )
  assert.deepEqual(await sides('one', ' two'), { isFirstLeft: true, beginsAt: 'left' })
  assert.deepEqual(await sides('שלום', ' עולם.'), { isFirstLeft: false, beginsAt: 'right' })
  assertCalm(page)
})

atBothWidths('the words of a transcript are in the direction of their language', async ({ open }) => {
  const words = Array.from({ length: 50_256 }, (_, id) => Buffer.from(id === 0 ? ' ' : ` w${id}`))
  const page = await open()
  await hasModel(page)
  await chooseFiles(page, '#file', [{ name: 'ggml-random.bin', bytes: whisperModel({ positions: 50, words }) }])
  await page.waitForFunction(() => globalThis.heed.model.info.transcribes && !document.getElementById('transcript').hidden)
  await page.evaluate(text => {
    const words = text.split(' ').map((text, at) => ({ text, start: at, end: at + 0.9 }))
    const segments = [{ text, start: 0, end: 2, words }]
    globalThis.heed.model.transcribe = () => ({
      result: Promise.resolve({ segments }),
      [Symbol.asyncIterator]: () => segments.values(),
    })
  }, hebrew)
  await chooseFiles(page, '#transcript input[type=file]', [{ name: 'talk.wav', bytes: wavFile(chirp(2)) }])
  await page.waitForFunction(() => document.querySelector('.speech-status').textContent === 'Done.')
  const lefts = await page.evaluate(() =>
    [...document.querySelectorAll('.heard .word')].map(word => word.getBoundingClientRect().left),
  )
  assert.equal(lefts.length, 2)
  assert.ok(lefts[0] > lefts[1], `the first word is on the right: ${lefts}`)
  assertCalm(page)
})
