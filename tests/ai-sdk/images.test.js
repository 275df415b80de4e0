// Images in prompts of the AI SDK, in each form that it has for them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { generateText, streamText, UnsupportedFunctionalityError } from 'ai'
import { heed } from 'heed/ai-sdk'
import { pngFrom } from '../support/image_files.mjs'
import { shaded } from '../support/projector_model.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { withSeeingModel } from '../support/seeing_model.mjs'
import { collect, scripted } from './support.mjs'

const file = pngFrom(shaded(3))
const base64 = file.toString('base64')
const pixels = { ...shaded(3), data: new Uint8Array(shaded(3).data) }
const text = { type: 'text', text: 'What is this?' }
const messages = (...content) => [{ role: 'user', content }]
const part = (data, mediaType = 'image/png') => ({ type: 'file', mediaType, data })

/** Runs `body` with a model that accepts images, and a function that returns the images of its last prompt. */
const seeing = body =>
  withSeeingModel(scriptedModel(['A fox.']), model => {
    const chats = []
    const watched = {
      info: model.info,
      generate() {},
      chatTemplate: name => model.chatTemplate(name),
      chat(...args) {
        chats.push(model.chat(...args))
        return chats.at(-1)
      },
    }
    return body(heed(watched), async () => {
      const {
        steps: [{ prompt }],
      } = await chats.at(-1)
      return prompt.filter(({ image }) => image).map(({ image }) => image)
    })
  })

const isUnsupported = message => error => UnsupportedFunctionalityError.isInstance(error) && message.test(error.message)

test('generateText and streamText take images as the SDK gives them', () =>
  seeing(async (model, seen) => {
    const blob = URL.createObjectURL(new Blob([file]))
    const address = `data:image/png;base64,${base64}`
    const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.length)
    const forms = [
      ...[file, buffer, base64, address, new URL(address), new URL(blob)].map(image => ({ type: 'image', image })),
      { type: 'file', data: file, mediaType: 'image/png' },
      { type: 'file', data: base64, mediaType: 'image/*' },
      { type: 'file', data: new URL(blob), mediaType: 'image/png' },
    ]
    for (const form of forms) {
      const { text: answer } = await generateText({ model, temperature: 0, messages: messages(text, form) })
      assert.equal(answer, 'A fox.')
      assert.deepEqual(await seen(), [pixels])
    }
    const { textStream } = streamText({ model, temperature: 0, messages: messages(forms[0], text, forms[5]) })
    assert.equal((await collect(textStream)).join(''), 'A fox.')
    assert.equal((await seen()).length, 2)
    URL.revokeObjectURL(blob)
  }))

test('the SDK downloads other addresses', () =>
  seeing(async (model, seen) => {
    const server = createServer((_, response) => response.setHeader('Content-Type', 'image/png').end(file)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = new URL(`http://127.0.0.1:${server.address().port}/fox.png`)
    assert.ok(
      Object.values(model.supportedUrls)
        .flat()
        .every(pattern => !pattern.test(url.href)),
    )
    const download = requests =>
      Promise.all(
        requests.map(async ({ url, isUrlSupportedByModel }) => {
          assert.equal(isUrlSupportedByModel, false)
          return { data: new Uint8Array(await (await fetch(url)).arrayBuffer()), mediaType: 'image/png' }
        }),
      )
    await generateText({
      model,
      temperature: 0,
      messages: messages({ type: 'image', image: url }),
      experimental_download: download,
    })
    assert.deepEqual(await seen(), [pixels])
    server.close()
    await assert.rejects(model.doGenerate({ prompt: messages(part({ type: 'url', url })) }), isUnsupported(/image at http:/))
  }))

test('files other than images, and invalid images, are errors', () =>
  seeing(async (model, seen) => {
    const ask = (data, mediaType) => model.doGenerate({ prompt: messages(text, part(data, mediaType)), temperature: 0 })
    const data = { type: 'data', data: new Uint8Array(file) }
    for (const type of ['application/pdf', 'audiology/wav', 'text/plain', 'imagery/png']) {
      await assert.rejects(ask(data, type), isUnsupported(new RegExp(type)))
    }
    await assert.rejects(ask({ type: 'reference', reference: { heed: 'a' } }), isUnsupported(/image as a reference/))
    await assert.rejects(ask({ type: 'text', text: '<svg/>' }), isUnsupported(/image as a text/))
    await assert.rejects(ask({ type: 'data', data: '*' }), { name: 'AI_InvalidArgumentError' })
    await assert.rejects(ask({ type: 'url', url: new URL('blob:nodedata:00000000-0000-0000-0000-000000000000') }), {
      name: 'AI_DownloadError',
    })
    await assert.rejects(ask({ type: 'data', data: new Uint8Array(5) }), { code: 'invalid-argument', index: 0 })
    await assert.rejects(ask({ type: 'data', data: file.subarray(0, 100) }), /truncated/)
    assert.deepEqual((await ask(data, 'image')).content, [{ type: 'text', text: 'A fox.' }])
    assert.deepEqual(await seen(), [pixels])
  }))

test('a model without a projector reads no images', () =>
  scripted(['No.'], async model => {
    const prompt = messages(text, part({ type: 'data', data: base64 }))
    await assert.rejects(heed(model).doGenerate({ prompt }), isUnsupported(/without a projector/))
    const { stream } = await heed(model).doStream({ prompt })
    const failed = (await collect(stream)).find(({ type }) => type === 'error')
    assert.ok(isUnsupported(/without a projector/)(failed.error))
  }))

test('an image is read as it was at the call', () =>
  seeing(async (model, seen) => {
    const bytes = new Uint8Array(file)
    const answer = model.doGenerate({ prompt: messages(part({ type: 'data', data: bytes })), temperature: 0 })
    bytes.fill(0)
    await answer
    assert.deepEqual(await seen(), [pixels])
  }))
