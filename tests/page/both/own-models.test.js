// The page recognizes its own models by their content: a file from the disk is shown like the button's model in the list; and for a
// model that reads images, the page names the missing file.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { inRoot } from '../../../tools/paths.mjs'
import { scriptedModel } from '../../support/scripted_model.mjs'
import {
  assertCalm,
  atBothWidths,
  changed,
  chooseFiles,
  clickText,
  drag,
  hasModel,
  keep,
  prepareTransfer,
  takeTiny,
} from '../page.mjs'

const fileOf = (name, as = name) => ({ name: `${as}.gguf`, bytes: readFileSync(inRoot(`models/tiny/${name}.gguf`)) })

/** The initial state: the prompt, the viewer's contents, and the examples. */
const beginning = page =>
  page.evaluate(() => ({
    prompt: document.getElementById('prompt').value,
    examples: [...document.querySelectorAll('#examples button')].map(({ value }) => value),
    kind: globalThis.heed.viewer.kind,
    sentence: globalThis.heed.passage.prompt,
  }))

async function chooseAnd(page, ...files) {
  await keep(page)
  await chooseFiles(page, '#file', files)
  await changed(page)
}

atBothWidths('heed-french from the disk, under any name, starts as its button does', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await keep(page)
  await takeTiny(page, 'heed-french')
  await changed(page)
  const byButton = await beginning(page)
  assert.equal(byButton.prompt, 'The small cat watches an old bird in the garden.')
  await page.reload()
  await hasModel(page)
  await chooseAnd(page, fileOf('heed-french', 'my translator'))
  assert.deepEqual(await beginning(page), byButton)
  await page.click('#write')
  await page.waitForFunction(() => globalThis.heed.versions.current?.outcome && globalThis.heed.viewer.kind === 'cross')
  assert.deepEqual(await page.evaluate(() => [globalThis.heed.viewer.layer, globalThis.heed.viewer.head]), [1, 3])
  assertCalm(page)
})

atBothWidths('the bundled model from the disk finds answers as it does otherwise', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  const starters = await page.innerText('#starters')
  await keep(page)
  await chooseFiles(page, '#file', [{ name: 'stories.gguf', bytes: readFileSync(inRoot('models/heed-stories.gguf')) }])
  await page.waitForFunction(() => globalThis.heed.model !== globalThis.kept)
  assert.equal(await page.innerText('#starters'), starters)
  await page.fill('#message', 'A whale named Zed hid a bell in a cave. Who hid the bell?')
  await page.press('#message', 'Enter')
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.turn button')].some(
      ({ textContent, hidden }) => textContent === 'Where did it find that?' && !hidden,
    ),
  )
  assertCalm(page)
})

atBothWidths('heed-questions without its projector says which file is missing, and opens it', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await keep(page)
  await chooseFiles(page, '#file', [fileOf('heed-questions')])
  await page.waitForSelector('#facts .advice button')
  assert.match(
    await page.textContent('#facts .advice'),
    /needs a second file, its projector mmproj-heed-questions\.gguf, which is beside it/,
  )
  assert.equal(await page.locator('#starters button').count(), 0, 'nothing to ask about')
  await page.click('#facts .advice button')
  await page.waitForFunction(() => globalThis.heed.model.info.acceptsImages)
  assert.equal(await page.locator('#facts .advice').count(), 0)
  await page.waitForFunction(() => document.querySelectorAll('.example-picture canvas').length === 5)
  assert.ok((await page.innerText('#starters')).includes('Describe the picture.'))
  // For other models, the template shows that they may read images, and the file name suggests the projector's.
  const template = '{% if image %}<image>{% endif %}{{ messages[0].content }}'
  await chooseFiles(page, '#file', [{ name: 'other.gguf', bytes: scriptedModel(['Yes.'], { template }) }])
  await page.waitForSelector('#facts .advice')
  assert.match(await page.textContent('#facts .advice'), /with a name such as mmproj-other\.gguf/)
  assertCalm(page)
})

atBothWidths('heed-words hears its example: pointing at the sound lights the word that is said there', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await takeTiny(page, 'heed-words')
  await page.waitForSelector('#transcript button')
  assert.equal(await page.textContent('.model-name'), 'heed-words', 'as in the list, though its file does not say it')
  await clickText(page, '#transcript button', 'Hear an example')
  await page.waitForFunction(() => document.querySelector('.speech-status').textContent === 'Done.')
  const said = JSON.parse(readFileSync(inRoot('models/tiny/examples/words.json'), 'utf8'))
  const { lit, label } = await page.evaluate(words => {
    const waveform = document.querySelector('.waveform')
    const seconds = Number(/[\d.]+/.exec(waveform.getAttribute('aria-label'))[0])
    const { left, width } = waveform.getBoundingClientRect()
    const litAt = time => {
      waveform.dispatchEvent(new PointerEvent('pointermove', { clientX: left + (time / seconds) * width }))
      return document.querySelector('.heard .lit')?.textContent
    }
    const lit = words.map(({ start, end }) => [-0.2, -0.1, 0, 0.1, 0.2].map(by => litAt((start + end) / 2 + by)))
    return { lit, label: waveform.getAttribute('aria-label') }
  }, said)
  assert.equal(label, 'The sound, 13.2 seconds')
  const right = said.filter(({ text }, at) => lit[at].includes(text))
  assert.ok(right.length >= 0.95 * said.length, JSON.stringify(said.map(({ text }, at) => [text, lit[at]])))

  // What the head attended to is drawn under the word.
  const drawn = () =>
    page.evaluate(() => {
      const [word] = document.querySelectorAll('.heard .word')
      word.focus()
      const [stretch, attention] = ['rect', '.attention'].map(name => document.querySelector(`.waveform ${name}`))
      return { attention: attention.getAttribute('d').length, from: Number(stretch.getAttribute('x')) }
    })
  assert.equal(await page.inputValue('#sound-head'), '2 3')
  assert.ok((await drawn()).attention > 0)
  await page.selectOption('#sound-head', '')
  assert.equal((await drawn()).attention, 0)
  await page.selectOption('#sound-head', 'mean')
  assert.ok((await drawn()).attention > 0)
  assertCalm(page)
})

atBothWidths('a sound without a model for it, dropped or chosen, is a click away from heed-words', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  const sound = { name: 'talk.wav', bytes: readFileSync(inRoot('models/tiny/examples/words.wav')), type: 'audio/wav' }
  const isExplained = () =>
    page.waitForFunction(() => [...document.querySelectorAll('.notice button')].some(one => one.textContent === 'Open heed-words'))
  await prepareTransfer(page, [sound])
  await drag(page, 'dragover', 'drop')
  await isExplained()
  await page.click('.notice [aria-label="Dismiss"]')
  await chooseFiles(page, '#file', [sound])
  await isExplained()
  await clickText(page, '.notice button', 'Open heed-words')
  await page.waitForFunction(() => document.querySelector('.speech-status')?.textContent === 'Done.')
  assert.ok((await page.locator('.heard .word').count()) > 10)
})

atBothWidths('the start of a translation is shown with its first word, and not before', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await takeTiny(page, 'heed-french')
  const shown = () =>
    page.evaluate(() =>
      [...globalThis.heed.viewer.shadowRoot.querySelectorAll('.text .token')]
        .filter(token => token.checkVisibility())
        .map(({ textContent }) => textContent),
    )
  await page.waitForFunction(() => globalThis.heed.model.info.name === 'heed-french' && Boolean(globalThis.heed.attention))
  assert.equal((await shown()).at(-1), '</s>')
  // The End key leads to the last token that is visible.
  await page.evaluate(() => {
    const text = globalThis.heed.viewer.shadowRoot.querySelector('.text')
    text.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true, cancelable: true }))
  })
  assert.equal(await page.evaluate(() => globalThis.heed.passage.promptTokens.length - globalThis.heed.viewer.token), 1)
  await page.click('#write')
  await page.waitForFunction(() => Boolean(globalThis.heed.versions.current?.outcome))
  const prompt = await page.evaluate(() => globalThis.heed.passage.promptTokens.length)
  const tokens = await shown()
  assert.equal(tokens[prompt], '<pad>')
  assert.ok(tokens.length > prompt + 1, tokens.join('|'))
  assertCalm(page)
})
