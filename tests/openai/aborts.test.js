// Aborting an answer, by a signal or by leaving its loop, before, during and after it.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { heedFetch } from 'heed/openai'
import { asked, scripted, user } from './support.mjs'

const long = Array.from({ length: 300 }, (_, at) => `${at} and on, `).join('')
const isAbort = error => ['AbortError', 'APIUserAbortError', 'Error'].includes(error.name) && /abort/i.test(error.message)

/** Parameters of a completion that generates the first turn's text. */
const begun = async (model, more) => ({
  model: '',
  prompt: await model.tokenize([{ control: '<|turn0|>' }], { addSpecial: false }),
  temperature: 0,
  max_tokens: 1000,
  ...more,
})

/** Checks that all generations were aborted. */
const endedEarly = async ({ chats, generations }) => {
  const results = await Promise.all([...chats, ...generations])
  assert.ok(results.length > 0)
  assert.deepEqual(
    results.map(({ finishReason }) => finishReason),
    results.map(() => 'abort'),
  )
  chats.length = generations.length = 0
}

test('leaving the loop over a stream ends the generation', () =>
  scripted([long], async (client, model) => {
    for (const n of [1, 3]) {
      for await (const {
        choices: [{ delta }],
      } of await client.chat.completions.create(asked({ stream: true, n }))) {
        if (delta.content) break
      }
      await endedEarly(model)
      for await (const chunk of await client.completions.create(await begun(model, { n, stream: true }))) {
        if (chunk.choices[0].text) break
      }
      await endedEarly(model)
    }
  }))

test('a signal ends a stream, whose loop ends without an error', () =>
  scripted([long], async (client, model) => {
    const controller = new AbortController()
    const stream = await client.chat.completions.create(asked({ stream: true, stream_options: { include_usage: true } }), {
      signal: controller.signal,
    })
    let text = ''
    for await (const {
      choices: [{ delta }],
    } of stream) {
      text += delta.content
      if (text.length > 10) controller.abort()
    }
    assert.ok(text.length > 10 && text.length < long.length)
    await endedEarly(model)
  }))

test("a stream's controller ends it", () =>
  scripted([long], async (client, model) => {
    const stream = await client.chat.completions.create(asked({ stream: true }))
    let chunks = 0
    for await (const _ of stream) if (++chunks === 3) stream.controller.abort()
    assert.ok(chunks < 100)
    await endedEarly(model)
  }))

test('a stream is for one loop', () =>
  scripted(['Yes.'], async client => {
    const stream = await client.chat.completions.create(asked({ stream: true }))
    for await (const _ of stream);
    await assert.rejects(async () => {
      for await (const _ of stream);
    }, /consumed stream|one loop/)
  }))

test('a signal ends an answer that is not streamed', () =>
  scripted([long], async (client, model) => {
    for (const create of [
      signal => client.chat.completions.create(asked({ n: 2 }), { signal }),
      async signal => client.completions.create(await begun(model), { signal }),
    ]) {
      const controller = new AbortController()
      const { chat, generate } = model
      const abortLater = made => {
        // after the first token
        void made[Symbol.asyncIterator]()
          .next()
          .then(() => controller.abort())
        return made
      }
      model.chat = (...args) => abortLater(chat(...args))
      model.generate = (...args) => abortLater(generate(...args))
      try {
        await assert.rejects(async () => create(controller.signal), isAbort)
      } finally {
        Object.assign(model, { chat, generate })
      }
      await endedEarly(model)
    }
  }))

test('a signal that is already aborted prevents everything', () =>
  scripted([long], async (client, model) => {
    const signal = AbortSignal.abort()
    for (const stream of [false, true]) {
      await assert.rejects(async () => client.chat.completions.create(asked({ stream }), { signal }), isAbort)
      await assert.rejects(async () => client.completions.create({ model: '', prompt: 'Hi', stream }, { signal }), isAbort)
    }
    assert.deepEqual([model.chats.length, model.generations.length], [0, 0])
  }))

test('anything but a signal is refused by name, whatever the body is', () =>
  scripted([long], async (_, model) => {
    const fetch = heedFetch(model)
    for (const signal of [5, [0], new Set(), {}, { aborted: false }]) {
      for (const body of [JSON.stringify(asked()), '{', 'null']) {
        const response = await fetch('https://heed.local/v1/chat/completions', { method: 'POST', body, signal })
        const { error } = await response.json()
        assert.deepEqual([response.status, error.param, error.code], [400, 'options.signal', 'invalid-argument'], error.message)
      }
    }
  }))

test('the model still answers, and no listener is left on the signal', () =>
  scripted([long, 'Short.'], async (client, _, name) => {
    const messages = [user('?'), { role: 'assistant', content: '.' }, user('?')]
    const { signal } = new AbortController()
    for await (const _ of await client.chat.completions.create(asked({ messages, stream: true }), { signal })) break
    const { choices } = await client.chat.completions.create(asked({ messages }), { signal })
    assert.equal(choices[0].message.content, 'Short.')
    if (name === 'direct') assert.deepEqual(getEventListeners(signal, 'abort'), []) // OpenAI's client leaves listeners of its own
  }))

test('a fetch rejects with the reason, and so does the body of its response', () =>
  scripted([long], async (_, model, name) => {
    if (name !== 'openai') return
    const fetch = heedFetch(model)
    const reason = new Error('enough')
    const request = (stream, signal) =>
      fetch('https://heed.local/v1/chat/completions', { method: 'POST', body: JSON.stringify(asked({ stream })), signal })
    await assert.rejects(request(true, AbortSignal.abort(reason)), error => error === reason)

    const controller = new AbortController()
    const { body } = await request(true, controller.signal)
    const reader = body.getReader()
    await reader.read()
    controller.abort(reason)
    await assert.rejects(
      async () => {
        for (;;) if ((await reader.read()).done) return
      },
      error => error === reason,
    )
    await endedEarly(model)

    const other = (await request(true)).body.getReader()
    await other.read()
    void other.read()
    await other.cancel()
    await endedEarly(model)
  }))

/** A body that continues until it is canceled; `ended` resolves to its cancel reason and the bytes that were requested. */
function endless(chunk) {
  const told = { bytes: 0 }
  told.ended = new Promise(resolve => {
    told.body = new ReadableStream({
      async pull(controller) {
        if (!chunk) return new Promise(() => {})
        told.bytes += chunk.length
        controller.enqueue(chunk)
      },
      cancel: resolve,
    })
  })
  return told
}

test('a body that does not end is read until the request is aborted, or to a limit', () =>
  scripted(['Yes.'], async (_, model, name) => {
    if (name !== 'openai') return
    const fetch = heedFetch(model)
    const post = (body, more) => fetch('https://heed.local/v1/chat/completions', { method: 'POST', body, duplex: 'half', ...more })
    const stop = new AbortController()
    const silent = endless()
    const waiting = post(silent.body, { signal: stop.signal })
    stop.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
    await silent.ended
    assert.deepEqual(getEventListeners(stop.signal, 'abort'), [])
    await assert.rejects(post(endless().body, { signal: stop.signal }), { name: 'AbortError' })
    const request = new Request('https://heed.local/v1/chat/completions', {
      method: 'POST',
      body: endless().body,
      duplex: 'half',
      signal: stop.signal,
    })
    await assert.rejects(fetch(request), { name: 'AbortError' })

    const long = endless(new Uint8Array(2 ** 22).fill(' '.charCodeAt()))
    const response = await post(long.body)
    assert.deepEqual([response.status, (await response.json()).error.param], [400, 'body'])
    await long.ended
    assert.ok(long.bytes > 2 ** 27 && long.bytes < 2 ** 27 + 2 ** 24)

    // The most that OpenAI's servers accept: 50 MB of images, which are 67 MB in Base64.
    const largest = JSON.stringify(asked({ metadata: { image: 'A'.repeat(67e6) } }))
    assert.equal((await (await post(largest)).json()).choices[0].message.content, 'Yes.')
    const parts = [...Buffer.from(JSON.stringify(asked({ messages: [user('ünï')] })))].map(byte => Uint8Array.of(byte))
    assert.equal((await (await post(ReadableStream.from(parts))).json()).choices[0].message.content, 'Yes.')
    const prompt = (await model.chats.at(-1)).steps[0].promptIds
    assert.ok((await model.detokenize(prompt)).includes('ünï'))
  }))

test('one signal serves any number of requests without a warning of Node', () =>
  scripted(['Yes.'], async (client, _, name) => {
    if (name !== 'direct') return // OpenAI's client adds a listener for each request, which Node 20 warns of
    const warnings = []
    const warn = warning => warnings.push(warning)
    process.on('warning', warn)
    const { signal } = new AbortController()
    const create = () => client.chat.completions.create(asked(), { signal })
    await Promise.all(Array.from({ length: 20 }, create))
    await new Promise(resolve => setImmediate(resolve))
    process.off('warning', warn)
    assert.deepEqual(warnings, [])
  }))
