// npx heed run and chat with images.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withModel } from '../package/support.mjs'
import { jpegFile, pngFrom } from '../support/image_files.mjs'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { checkMediaOfChat } from './media.mjs'
import { fails, file, heedOn, output, scripted, stories } from './support.mjs'

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
  const image = (type, bytes) => ({
    type: 'image_url',
    image_url: { url: `data:image/${type};base64,${bytes.toString('base64')}` },
  })
  const parts = [image('png', pngFrom(shaded(3))), image('jpeg', jpegFile('progressive'))]
  const used = checkMediaOfChat({ chat, name: 'image', many: 'images', paths: [png, jpeg], parts })
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
