// Sounds in a conversation, with a model that hears: attached, counted, removed, sent, kept, and refused by a model that does not.
import assert from 'node:assert/strict'
import { withModel } from '../../package/support.mjs'
import { hearingProjectorFile } from '../../support/projector_model.mjs'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { chirp, wavFile } from '../../support/whisper_model.mjs'
import { assertCalm, atBothWidths, chooseFiles, dropAll, hasModel, sample } from '../page.mjs'

const text = scriptedModel(['I hear a tone.', 'The same again.'])
const width = await withModel(text, { threads: 1 }, async ({ info }) => info.width)
const pair = [
  { name: 'listener.gguf', bytes: text },
  { name: 'mmproj-listener.gguf', bytes: hearingProjectorFile(width) },
]
/** Each costs 40 ms a token, and 16 tokens of the marks around it. */
const sound = (name, seconds) => ({ name, bytes: Buffer.from(wavFile(chirp(seconds))), type: 'audio/wav' })

/** Waits until the sounds of the message have these labels and costs. */
const attached = (page, expected) =>
  page.waitForFunction(
    expected =>
      JSON.stringify(
        [...document.querySelectorAll('#chat .attachments li')].map(place => [
          place.querySelector('canvas').ariaLabel,
          place.querySelector('.sound i').textContent,
          place.querySelector('span').textContent,
        ]),
      ) === expected,
    JSON.stringify(expected),
  )

/** The messages of the model's prompt: what was said, and the samples of the sounds. */
const heard = page =>
  page.evaluate(() =>
    globalThis.heed.conversation.last.steps[0].prompt.flatMap(part =>
      typeof part === 'object' && 'audio' in part ? [part.audio.length] : [],
    ),
  )
const answered = page => page.waitForFunction(() => globalThis.heed.conversation.last?.ending)

async function hearing(open) {
  const page = await open()
  await hasModel(page)
  assert.ok(await page.isHidden('#attach'))
  await chooseFiles(page, '#file', pair)
  await page.waitForFunction(() => globalThis.heed.model.info.acceptsAudio)
  await sample(page, { temperature: '0' })
  return page
}

atBothWidths('a sound is attached, removed and sent, and stays with the conversation', async ({ open }) => {
  const page = await hearing(open)
  assert.equal(await page.textContent('#attach'), 'Add a sound…')
  await dropAll(page, [sound('tone.wav', 2)])
  await attached(page, [['tone.wav, 2.0 s', '2.0 s', '66 tokens']])
  await chooseFiles(page, '#attach-file', [sound('beep.wav', 0.4)])
  await attached(page, [
    ['tone.wav, 2.0 s', '2.0 s', '66 tokens'],
    ['beep.wav, 0.4 s', '0.4 s', '26 tokens'],
  ])
  assert.match(await page.textContent('#chat .attachments .help'), /^2 sounds, 92 tokens of a context of \d+\.$/)
  await page.click('[aria-label="Remove tone.wav"]')
  await attached(page, [['beep.wav, 0.4 s', '0.4 s', '26 tokens']])
  await page.fill('#message', 'What do you hear?')
  await page.press('#message', 'Enter')
  await answered(page)
  const { length } = wavFile(chirp(0.4))
  assert.deepEqual(await heard(page), [length])
  assert.equal(await page.evaluate(() => globalThis.heed.conversation.last.steps[0].promptIds.filter(id => id < 0).length), 10)
  assert.equal(await page.getAttribute('.turn.user canvas', 'aria-label'), 'beep.wav, 0.4 s')
  await page.evaluate(() =>
    [...document.querySelectorAll('.turn button')].find(one => one.textContent === 'Show attention')?.click(),
  )
  await page.waitForFunction(() => globalThis.heed.attention && globalThis.heed.passage?.parts?.some(part => part.audio))
  const named = await page.evaluate(() =>
    [...globalThis.heed.viewer.shadowRoot.querySelectorAll('.image-token')].map(({ ariaLabel }) => ariaLabel),
  )
  assert.deepEqual(named, Array(10).fill('part of a sound'))
  await attached(page, [])
  assertCalm(page)
})

atBothWidths('sounds of a file that are damaged are left out, and a note says so', async ({ open }) => {
  const page = await hearing(open)
  const [whole, damaged] = [sound('beep.wav', 0.4).bytes, Buffer.from('RIFF')].map(bytes => ({
    type: 'input_audio',
    input_audio: { data: bytes.toString('base64'), format: 'wav' },
  }))
  const picture = { type: 'image_url', image_url: { url: 'https://example.com/fox.png' } }
  const messages = [{ role: 'user', content: [whole, damaged, picture, { type: 'text', text: 'What do you hear?' }] }]
  await chooseFiles(page, '#file', [{ name: 'other.json', bytes: Buffer.from(JSON.stringify(messages)), type: 'application/json' }])
  await page.waitForFunction(() => /is loaded/.test(document.getElementById('chat-note').textContent))
  assert.match(
    await page.textContent('#chat-note'),
    /^“other\.json” is loaded, without 1 picture and 1 sound that it does not contain or that cannot be read\./,
  )
  assert.equal(await page.locator('.turn.user canvas').count(), 1)
  assertCalm(page)
})

atBothWidths(
  'a sound comes back with its conversation and as a draft, and a model that hears nothing says so',
  async ({ open }) => {
    const page = await hearing(open)
    await dropAll(page, [sound('beep.wav', 0.4)])
    await attached(page, [['beep.wav, 0.4 s', '0.4 s', '26 tokens']])
    await page.press('#message', 'Enter')
    await answered(page)
    await dropAll(page, [sound('tone.wav', 2)])
    await attached(page, [['tone.wav, 2.0 s', '2.0 s', '66 tokens']])
    await page.evaluate(() => Promise.all([globalThis.heed.keeper.flush(), globalThis.heed.drafts.then(desk => desk.flush())]))
    await page.reload()
    await hasModel(page)
    await attached(page, [['tone.wav, 2.0 s', '2.0 s', '']])
    assert.equal(await page.getAttribute('.turn.user canvas', 'aria-label'), 'Sound 1, 0.4 s')
    assert.equal(await page.textContent('#chat .attachments .help'), 'This model hears nothing.')
    await page.press('#message', 'Enter')
    await page.waitForSelector('#chat-compose .notice')
    assert.match(await page.textContent('#chat-compose .notice'), /^The message has a sound, but this model hears nothing/)
    assertCalm(page)
  },
)

atBothWidths('a sound in a file without an ending comes back, too', async ({ open }) => {
  const page = await hearing(open)
  const strange = { ...sound('beep', 0.4), type: '' }
  await chooseFiles(page, '#attach-file', [strange])
  await attached(page, [['beep, 0.4 s', '0.4 s', '26 tokens']])
  await page.press('#message', 'Enter')
  await answered(page)
  await chooseFiles(page, '#attach-file', [strange])
  await attached(page, [['beep, 0.4 s', '0.4 s', '26 tokens']])
  await page.evaluate(() => Promise.all([globalThis.heed.keeper.flush(), globalThis.heed.drafts.then(desk => desk.flush())]))
  await page.reload()
  await hasModel(page)
  await attached(page, [['beep, 0.4 s', '0.4 s', '']])
  assert.equal(await page.getAttribute('.turn.user canvas', 'aria-label'), 'Sound 1, 0.4 s')
  assert.equal(await page.textContent('#keeping-note'), '')
  assertCalm(page)
})

atBothWidths('what is no sound is told, and the message can still be sent', async ({ open }) => {
  const page = await hearing(open)
  await chooseFiles(page, '#attach-file', [{ name: 'cut.wav', bytes: Buffer.from('RIFF'), type: 'audio/wav' }])
  await page.waitForSelector('#chat-compose .notice')
  assert.match(await page.textContent('#chat-compose .notice'), /^“cut\.wav” is not a sound that this browser can read/)
  await dropAll(page, [sound('beep.wav', 0.4)])
  await attached(page, [['beep.wav, 0.4 s', '0.4 s', '26 tokens']])
  assert.equal(await page.locator('#chat-compose .notice').count(), 0)
  await page.press('#message', 'Enter')
  await answered(page)
  assertCalm(page)
})
