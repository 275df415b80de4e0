// Models whose files have no chat template: the page says why there is no chat, and offers one in a plain form.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { inRoot } from '../../../tools/paths.mjs'
import { defaultModelBytes } from '../../package/support.mjs'
import { assertCalm, atBothWidths, chooseFiles, hasModel, sample } from '../page.mjs'

/** The file with another key for its template, which no program looks for. */
function withoutTemplate(bytes) {
  const copy = Buffer.from(bytes)
  const at = copy.indexOf('tokenizer.chat_template')
  assert.ok(at > 0)
  copy.write('tokenizer.chat_temptale', at, 'latin1')
  return copy
}

/** Opens the page with these files as its model. */
async function openWith(turn, files) {
  const page = await turn()
  await hasModel(page)
  await page.evaluate(() => {
    globalThis.kept = globalThis.heed.model
  })
  await chooseFiles(page, '#file', files)
  await page.waitForFunction(() => globalThis.heed.model !== globalThis.kept && document.getElementById('loading').hidden)
  return page
}

async function ask(page, text) {
  await page.fill('#message', text)
  await page.press('#message', 'Enter')
  await page.waitForFunction(
    text => globalThis.heed.conversation.path.value.at(-2)?.text === text && globalThis.heed.conversation.last.ending !== undefined,
    text,
  )
}

const answer = page => page.evaluate(() => globalThis.heed.conversation.last.pieces.map(({ text }) => text).join(''))

atBothWidths(
  'without a template, the page says why there is no chat, and has one in a plain form for who wants it',
  async ({ turn }) => {
    const page = await openWith(turn, [{ name: 'bare.gguf', bytes: withoutTemplate(defaultModelBytes()) }])
    assert.ok(await page.isHidden('#rooms'))
    assert.match(await page.innerText('#no-chat'), /no chat template: it does not say how questions and answers are written/)
    await page.click('#chat-anyway')
    assert.ok(await page.isVisible('#chat'))
    assert.ok(await page.isChecked('#rooms [value=chat]'))
    assert.equal(await page.evaluate(() => document.activeElement.id), 'message')
    assert.match(await page.innerText('#no-chat'), /plain form.*User:.*Assistant:/)
    await sample(page, { temperature: '0', maxTokens: '24' })
    await ask(page, 'The fox hid a bell.')
    await page.waitForFunction(() => Boolean(globalThis.heed.passage.written.length > 0 && globalThis.heed.attention))
    const prompt = await page.evaluate(() => globalThis.heed.passage.prompt)
    assert.match(prompt, /User: The fox hid a bell\.\nAssistant:$/)
    const first = await answer(page)
    assert.doesNotMatch(first, /User:/)
    await ask(page, 'Who hid the bell?')
    await page.waitForFunction(() => globalThis.heed.passage.prompt.includes('Who hid the bell?'))
    assert.ok(
      (await page.evaluate(() => globalThis.heed.passage.prompt)).includes(
        `Assistant: ${first.trim()}\nUser: Who hid the bell?\nAssistant:`,
      ),
    )
    await page.evaluate(() => document.querySelector('#rooms [value=text]').click())
    assert.ok(await page.isVisible('#prompt'))
    // The line does not cover its neighbors.
    const { note, rooms } = await page.evaluate(() => {
      const range = document.createRange()
      range.selectNodeContents(document.getElementById('no-chat'))
      return { note: range.getBoundingClientRect().top, rooms: document.getElementById('rooms').getBoundingClientRect().bottom }
    })
    assert.ok(note >= rooms, `${note}, ${rooms}`)
    // Another model starts over.
    await page.evaluate(() => {
      globalThis.kept = globalThis.heed.model
    })
    await page.evaluate(() => document.getElementById('bundled').click())
    await page.waitForFunction(() => globalThis.heed.model !== globalThis.kept)
    assert.ok(await page.isHidden('#no-chat'))
    assertCalm(page)
  },
)

atBothWidths(
  'a pair without a template is asked about pictures in the plain form, and the page says that it sees',
  async ({ turn }) => {
    const tiny = name => readFileSync(inRoot('models/tiny', name))
    const page = await openWith(turn, [
      { name: 'bare.gguf', bytes: withoutTemplate(tiny('heed-questions.gguf')) },
      { name: 'mmproj-bare.gguf', bytes: tiny('mmproj-heed-questions.gguf') },
    ])
    assert.ok(await page.isVisible('.model-sees'))
    assert.equal(await page.textContent('.model-sees'), 'sees pictures')
    assert.ok(await page.isVisible('#no-chat'))
    await page.click('#chat-anyway')
    await page.setInputFiles('#attach-file', inRoot('models/tiny/examples/boat-and-house.png'))
    await page.waitForFunction(() => /66 tokens/.test(document.querySelector('.attachments')?.textContent))
    await sample(page, { temperature: '0', maxTokens: '24' })
    await ask(page, 'Describe the picture.')
    await page.waitForFunction(() => globalThis.heed.passage.parts !== undefined)
    assert.equal(await page.evaluate(() => globalThis.heed.passage.promptTokens.filter(({ id }) => id < 0).length), 64)
    assert.ok(await page.evaluate(() => globalThis.heed.conversation.last.ending.tokens > 0))
    assertCalm(page)
  },
)
