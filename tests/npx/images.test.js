// npx heed run and chat with images.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withModel } from '../package/support.mjs'
import { jpegFile, pngFrom } from '../support/image_files.mjs'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { fails, file, folder, heedOn, output, scripted, stories } from './support.mjs'

const greedy = ['--temperature', '0', '--threads', '1']
const png = file('fox.png', pngFrom(shaded(3)))
const jpeg = file('owl.jpg', jpegFile('progressive'))
const ofStories = ['--mmproj', file('stories-mmproj.gguf', projectorFile(128))]
const model = scripted('chat.gguf', ['First answer.', 'Second answer.'])
const mmproj = [
  '--mmproj',
  file('mmproj.gguf', projectorFile(await withModel(model, { threads: 1 }, async ({ info }) => info.width))),
]
const chat = (input, ...args) => heedOn(input, 'chat', model, ...mmproj, ...greedy, ...args)

test('run puts images in the places of the marks', async () => {
  const prompt = 'Once <image> upon <image> a time'
  const text = output('run', stories, ...ofStories, ...greedy, '--image', png, '--image', jpeg, '-p', prompt, '-n', '5')
  const expected = await withModel(stories, { projector: ofStories[1], threads: 1 }, loaded =>
    loaded.generate(['Once ', { image: shaded(3) }, ' upon ', { image: jpegFile('progressive') }, ' a time'], {
      temperature: 0,
      maxTokens: 5,
    }),
  )
  assert.equal(text, `${prompt}${expected.text}\n`)
  assert.equal(
    output('run', stories, ...ofStories, ...greedy, '-p', 'A mark: <image>', '-n', '1').startsWith('A mark: <image>'),
    true,
  )
})

test('wrong images and marks are told in one line', () => {
  const run = (...args) => ['run', stories, ...ofStories, '-p', 'Once <image>', ...args]
  fails(2, /images need --mmproj/, 'run', stories, '-p', '<image>', '--image', png)
  fails(2, /images need --mmproj/, 'chat', model, '--image', png)
  fails(2, /the prompt has 1 marks <image> for 2 images/, ...run('--image', png, '--image', jpeg))
  fails(2, /the prompt has 0 marks <image> for 1 images/, 'run', stories, ...ofStories, '-p', 'Once', '--image', png)
  fails(1, /none\.png: /, ...run('--image', 'none.png'))
  fails(
    1,
    /cut\.png: the image cannot be read: it is not a sound PNG file: it is truncated/,
    ...run('--image', file('cut.png', pngFrom(shaded(3)).subarray(0, 90))),
  )
  fails(1, /fox\.gif: .*in the format GIF; here, PNG and JPEG files can be read/, ...run('--image', file('fox.gif', 'GIF89a')))
  fails(1, /projector/, 'run', stories, '-p', 'Once <image>', '--image', png, '--mmproj', png)
  fails(1, /none\.png/, 'chat', model, ...mmproj, '--image', 'none.png')
})

test('images of a chat go with the first message, and those of /image with the next', () => {
  const saved = (input, ...args) => {
    const { status, stdout, stderr } = chat(`${input}\n/save state.json\n`, ...args)
    return { status, stdout, stderr, messages: JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) }
  }
  const image = (type, bytes) => ({
    type: 'image_url',
    image_url: { url: `data:image/${type};base64,${bytes.toString('base64')}` },
  })
  const text = text => ({ type: 'text', text })
  const expected = [
    { role: 'user', content: [image('png', pngFrom(shaded(3))), text('One?')] },
    { role: 'assistant', content: 'First answer.' },
    { role: 'user', content: [image('jpeg', jpegFile('progressive')), text('Two?')] },
    { role: 'assistant', content: 'Second answer.' },
  ]
  const whole = saved(`One?\n/image ${jpeg}\nTwo?`, '--image', png)
  assert.deepEqual([whole.status, whole.stdout], [0, 'First answer.\nSecond answer.\n'])
  assert.match(whole.stderr, /^images of the next message: 1\nsaved 4 messages\n$/)
  assert.deepEqual(whole.messages, expected)
  assert.deepEqual(saved(`/image ${png}\n/clear\nOne?`).messages[0], { role: 'user', content: 'One?' })

  const resumed = file('resumed.json', JSON.stringify(expected.slice(0, 2)))
  assert.deepEqual(saved(`/image ${jpeg}\nTwo?`, '--load', resumed).messages, expected)
  const used = (...args) => Number(/^(\d+) of/m.exec(chat('One?\n/tokens\n', ...args).stdout)[1])
  assert.ok(used('--image', png) >= used() + 4)
  assert.ok(used('--image', png, '--image', jpeg) >= used('--image', png) + 4)
})

test('errors in a chat are reported, and the chat continues', () => {
  const { status, stdout, stderr } = chat(`/image\n/image none.png\n/image ${file('text.png', 'fox')}\nOne?\n`)
  assert.deepEqual([status, stdout], [1, 'First answer.\n'])
  assert.match(
    stderr,
    /^heed: \/image: give a file name\nheed: none\.png: .*\nheed: .*text\.png: the image cannot be read: it is no image file.*\n$/,
  )
  const plain = heedOn(`/image ${png}\nOne?\n`, 'chat', model, ...greedy)
  assert.deepEqual([plain.status, plain.stdout, plain.stderr], [1, 'First answer.\n', 'heed: images need --mmproj\n'])
  const remote = file(
    'remote.json',
    JSON.stringify([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }]),
  )
  fails(
    1,
    /remote\.json: messages\[0\]\.content\[0\]: the image is not at a data: address/,
    'chat',
    model,
    ...mmproj,
    '--load',
    remote,
  )
})
