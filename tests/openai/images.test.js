// Images in messages: at addresses that need no network, and at others if the client may fetch them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { HeedError } from 'heed'
import { heedFetch, openai, ParameterError } from 'heed/openai'
import OpenAI from 'openai'
import { jpegFile, pngFrom } from '../support/image_files.mjs'
import { shaded } from '../support/projector_model.mjs'
import { asked, joined, collect, scripted, seeing, user } from './support.mjs'

const dataUrl = (file, type = 'image/png') => `data:${type};base64,${Buffer.from(file).toString('base64')}`
const image = (url, more) => ({ type: 'image_url', image_url: { url, ...more } })
const text = text => ({ type: 'text', text })
const create = (client, ...content) => client.chat.completions.create(asked({ messages: [user(content)] }))

/** The pixels of the images in the last prompt. */
async function seen(model) {
  const {
    steps: [{ prompt }],
  } = await model.chats.at(-1)
  return prompt.filter(part => part.image).map(({ image }) => image)
}

/** Checks that a call fails, with either client, and which parameter it names. */
const refuses = (code, param, message, request) =>
  assert.rejects(request, error => {
    assert.match(error.message, message)
    if (error instanceof OpenAI.APIError) {
      assert.deepEqual(
        [error.status, error.code, error.param, error.type],
        [400, code, param, 'invalid_request_error'],
        error.message,
      )
    } else {
      assert.ok(error instanceof HeedError && error instanceof ParameterError, error.stack)
      assert.deepEqual([error.code, error.param], [code, param], error.message)
    }
    return true
  })

test('images at data: and blob: addresses are in the prompt, in order', () =>
  seeing(['A fox.'], async (client, model) => {
    const pixels = [3, 5].map(shade => ({ ...shaded(shade), data: new Uint8Array(shaded(shade).data) }))
    const blob = URL.createObjectURL(new Blob([pngFrom(pixels[1])]))
    const parts = [text('What '), image(dataUrl(pngFrom(pixels[0]))), text(' and '), image(blob, { detail: 'auto' }), text('?')]
    const {
      choices: [{ message }],
      usage,
    } = await create(client, ...parts)
    URL.revokeObjectURL(blob)
    assert.equal(message.content, 'A fox.')
    assert.deepEqual(await seen(model), pixels)
    const {
      steps: [{ prompt, promptIds }],
    } = await model.chats.at(-1)
    assert.equal(
      prompt
        .map(part => part.control ?? (part.image ? '#' : part))
        .join('')
        .match(/What.*/)[0]
        .replace(/<.*/, ''),
      'What # and #?',
    )
    assert.equal(usage.prompt_tokens, promptIds.length)
    await create(client, image(dataUrl(jpegFile('baseline'), 'image/jpeg')))
    assert.deepEqual(
      (await seen(model)).map(({ width, height }) => [width, height]),
      [[37, 27]],
    )
    const encoded = `data:,${[...pngFrom(pixels[0])].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')}`
    await create(client, image(encoded))
    assert.deepEqual(await seen(model), [pixels[0]])
    const messages = [user([image(dataUrl(pngFrom(pixels[0])))])]
    const chunks = await collect(await client.chat.completions.create(asked({ messages, n: 2, stream: true })))
    assert.deepEqual(
      [0, 1].map(choice => joined(chunks, 'content', choice)),
      ['A fox.', 'A fox.'],
    )
  }))

test('other addresses are refused unless the client may fetch', () =>
  seeing(['No.'], async client => {
    for (const url of ['https://example.com/fox.png', 'http://localhost:1/fox.png', 'file:///fox.png', 'fox.png', '/fox.png', '']) {
      await refuses(
        'unsupported',
        'messages[0].content[1].image_url.url',
        /is not fetched: .*`fetchImages`/,
        create(client, text('?'), image(url)),
      )
    }
  }))

test('an error names each part that is not an image, and the model can be used afterwards', () =>
  seeing(['Yes.'], async client => {
    const sound = image(dataUrl(pngFrom(shaded(3))))
    const last = 'messages[0].content[2].image_url.url'
    const truncated = pngFrom(shaded(3)).subarray(0, 200)
    const wrong = [
      ['invalid-argument', last, /cannot be read: it is no image file/, image('data:text/plain,fox')],
      ['invalid-argument', last, /PNG file: it is truncated/, image(dataUrl(truncated))],
      ['unsupported', last, /format GIF/, image('data:image/gif,GIF89a')],
      ['invalid-argument', last, /not Base64/, image('data:image/png;base64,*')],
      ['invalid-argument', last, /no data/, image('data:image/png')],
      ['invalid-argument', last, /cannot be fetched/, image('blob:nodedata:00000000-0000-0000-0000-000000000000')],
      ['invalid-argument', last, /missing/, { type: 'image_url', image_url: {} }],
      ['invalid-argument', last, /expected a string, got 5/, image(5)],
      ['invalid-argument', 'messages[0].content[2].image_url', /missing/, { type: 'image_url' }],
      ['unsupported', 'messages[0].content[2].image_url.size', /unknown parameter/, image(sound.image_url.url, { size: 5 })],
      [
        'unsupported',
        'messages[0].content[2].type',
        /"file" is not supported; use "text" or "image_url" or "input_audio"/,
        { type: 'file' },
      ],
    ]
    for (const [code, param, message, part] of wrong) await refuses(code, param, message, create(client, sound, text('?'), part))
    for (const stream of [true, false]) {
      await refuses(
        'invalid-argument',
        'messages[1].content[0].image_url.url',
        /no image file/,
        client.chat.completions.create(
          asked({
            messages: [user([sound]), user([image('data:,')])],
            stream,
          }),
        ),
      )
    }
    for (const role of ['system', 'developer', 'assistant', 'tool']) {
      const messages = [{ role, content: [sound], ...(role === 'tool' && { tool_call_id: 'a' }) }]
      const refused = client.chat.completions.create(asked({ messages }))
      await refuses('unsupported', 'messages[0].content[0].type', /"image_url" is not supported; use "text"/, refused)
    }
    assert.equal((await create(client, sound)).choices[0].message.content, 'Yes.')
  }))

test('a model without a projector reads no images', () =>
  scripted(['No.'], async client => {
    await refuses(
      'unsupported',
      'messages[0].content[0].type',
      /without a projector/,
      create(client, image(dataUrl(pngFrom(shaded(3))))),
    )
  }))

test('options of a client are checked', async () =>
  seeing([''], async (_, model) => {
    for (const make of [openai, heedFetch]) {
      assert.throws(
        () => make(model, { fetchImage: true }),
        error => error instanceof ParameterError && error.param === 'options.fetchImage',
      )
      assert.throws(() => make(model, { fetchImages: 'yes' }), { param: 'options.fetchImages' })
      make(model, { fetchImages: null })
    }
  }))

let server, origin
before(async () => {
  server = createServer((request, response) => {
    if (request.url === '/held') return // never answers
    if (request.url === '/fox.png') response.end(pngFrom(shaded(3)))
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${server.address().port}`
})
after(() => server.close())

test('a client that may fetch images does so, and reports failures', () =>
  seeing(
    ['A fox.'],
    async (client, model) => {
      const {
        choices: [{ message }],
      } = await create(client, text('What?'), image(`${origin}/fox.png`))
      assert.equal(message.content, 'A fox.')
      assert.deepEqual(
        (await seen(model)).map(({ width, height }) => [width, height]),
        [[40, 30]],
      )
      const param = 'messages[0].content[0].image_url.url'
      await refuses('network', param, /cannot be fetched: status 404/, create(client, image(`${origin}/none.png`)))
      await refuses('network', param, /cannot be fetched/, create(client, image('http://127.0.0.1:1/')))
      await refuses('network', param, /cannot be fetched/, create(client, image('fox.png')))
    },
    { fetchImages: true },
  ))

test('a function of the caller fetches only images that are not local', async () => {
  const asked = []
  await seeing(
    ['A fox.'],
    async (client, model) => {
      await create(client, image('fox:3'), image(dataUrl(pngFrom(shaded(5)))))
      assert.equal((await seen(model)).length, 2)
      await refuses(
        'network',
        'messages[0].content[0].image_url.url',
        /cannot be fetched: no foxes/,
        create(client, image('none:')),
      )
      await refuses('network', 'messages[0].content[0].image_url.url', /expected a Blob, got 5/, create(client, image('odd:')))
    },
    {
      async fetchImages(url) {
        asked.push(url)
        if (url === 'none:') throw new Error('no foxes')
        return url === 'odd:' ? 5 : new Blob([pngFrom(shaded(3))])
      },
    },
  )
  assert.deepEqual(asked, Array(2).fill(['fox:3', 'none:', 'odd:']).flat())
})

test('an abort ends a fetch', () =>
  seeing(
    ['A fox.'],
    async client => {
      const stop = new AbortController()
      const arrived = once(server, 'request')
      const answer = client.chat.completions.create(asked({ messages: [user([image(`${origin}/held`)])] }), { signal: stop.signal })
      answer.catch(() => {})
      const [, response] = await arrived
      const left = once(response, 'close')
      stop.abort()
      await assert.rejects(answer, /abort/i)
      await left
      assert.equal((await create(client, text('Hi'))).choices[0].message.content, 'A fox.')
    },
    { fetchImages: true },
  ))
