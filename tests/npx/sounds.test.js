// npx heed run and chat with sounds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pngFrom } from '../support/image_files.mjs'
import { hearingProjectorFile, projectorFile, shaded } from '../support/projector_model.mjs'
import { chirp, wavFile } from '../support/whisper_model.mjs'
import { withModel } from '../package/support.mjs'
import { checkMediaOfChat } from './media.mjs'
import { fails, file, heedOn, output, scripted, stories } from './support.mjs'

const greedy = ['--temperature', '0', '--threads', '1']
const sounds = [wavFile(chirp(0.3)), wavFile(chirp(0.5))]
const [first, second] = sounds.map((bytes, at) => file(`talk-${at}.wav`, bytes))
const png = file('fox.png', pngFrom(shaded(3)))
const ofStories = ['--mmproj', file('stories-mmproj.gguf', hearingProjectorFile(128))]
const seeing = ['--mmproj', file('seeing.gguf', projectorFile(128))]
const model = scripted('chat.gguf', ['First answer.', 'Second answer.'])
const width = await withModel(model, { threads: 1 }, async ({ info }) => info.width)
const mmproj = ['--mmproj', file('mmproj.gguf', hearingProjectorFile(width))]
const chat = (input, ...args) => heedOn(input, 'chat', model, ...mmproj, ...greedy, ...args)

test('run puts sounds in the places of the marks', async () => {
  const prompt = 'Once <audio> upon <audio> a time <image>'
  const text = output('run', stories, ...ofStories, ...greedy, '--audio', first, '--audio', second, '-p', prompt, '-n', '5')
  const parts = ['Once ', { audio: sounds[0] }, ' upon ', { audio: sounds[1] }, ' a time <image>']
  const options = { projector: ofStories[1], threads: 1 }
  const generate = (...parts) => withModel(stories, options, loaded => loaded.generate(parts, { temperature: 0, maxTokens: 5 }))
  assert.equal(text, `${prompt}${(await generate(...parts)).text}\n`)
  const unmarked = output('run', stories, ...ofStories, ...greedy, '-p', 'A mark: <audio>', '-n', '5')
  assert.equal(unmarked, `A mark: <audio>${(await generate('A mark: <audio>')).text}\n`)
})

test('wrong sounds and marks are told in one line', () => {
  const run = (...args) => ['run', stories, ...ofStories, '-p', 'Once <audio>', ...args]
  fails(2, /sounds need --mmproj/, 'run', stories, '-p', '<audio>', '--audio', first)
  fails(2, /sounds need --mmproj/, 'chat', model, '--audio', first)
  fails(2, /the file of --mmproj is for no sounds/, 'run', stories, ...seeing, '-p', '<audio>', '--audio', first)
  fails(2, /the file of --mmproj is for no images/, 'run', stories, ...ofStories, '-p', '<image>', '--image', png)
  fails(2, /the prompt has 1 marks <audio> for 2 sounds/, ...run('--audio', first, '--audio', second))
  fails(2, /the prompt has 0 marks <image> for 1 images/, ...run('--audio', first, '--image', png))
  fails(1, /none\.wav: /, ...run('--audio', 'none.wav'))
  fails(1, /cut\.wav: audio: .*ends/, ...run('--audio', file('cut.wav', sounds[0].slice(0, 99))))
  fails(1, /talk\.ogg: .*not a WAV file/, ...run('--audio', file('talk.ogg', 'OggS and more')))
  fails(1, /talk-1\.wav: .*do not fit in a context/, ...run('--audio', second, '--context', '8'))
})

test('sounds of a chat go with the first message, and those of /audio with the next', () => {
  const parts = sounds.map(bytes => ({
    type: 'input_audio',
    input_audio: { data: Buffer.from(bytes).toString('base64'), format: 'wav' },
  }))
  const used = checkMediaOfChat({ chat, name: 'audio', many: 'sounds', paths: [first, second], parts })
  assert.equal(used('--audio', first) - used(), used('--audio', first, '--audio', first) - used('--audio', first))
  assert.ok(used('--audio', first) >= used() + 8) // one for each 40 ms
})

test('errors in a chat are reported, and the chat continues', () => {
  const { status, stdout, stderr } = chat(`/audio\n/audio none.wav\n/audio ${png}\nOne?\n`)
  assert.deepEqual([status, stdout], [1, 'First answer.\n'])
  assert.match(stderr, /^heed: \/audio: give a file name\nheed: none\.wav: .*\nheed: .*fox\.png: .*not a WAV file.*\n$/)
  const plain = heedOn(`/audio ${first}\nOne?\n`, 'chat', model, ...greedy)
  assert.deepEqual([plain.status, plain.stdout, plain.stderr], [1, 'First answer.\n', 'heed: sounds need --mmproj\n'])
  const load = (name, input_audio) => [
    'chat',
    model,
    ...mmproj,
    '--load',
    file(name, JSON.stringify([{ role: 'user', content: [{ type: 'input_audio', input_audio }] }])),
  ]
  fails(1, /linked\.json: messages\[0\]\.content\[0\]: the sound has no data in Base64/, ...load('linked.json', { url: 'a.wav' }))
  fails(1, /wrong\.json: messages\[0\]\.content\[0\]: .*WAV/, ...load('wrong.json', { data: 'T2dnUw==' }))
})
