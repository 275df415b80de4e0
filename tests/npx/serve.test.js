// npx heed serve: OpenAI's API on this machine, with OpenAI's own client, for several requests at a time, and the requests that it
// refuses.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { request } from 'node:http'
import { test } from 'node:test'
import OpenAI from 'openai'
import { chirp, wavFile, whisperModel } from '../support/whisper_model.mjs'
import { endless, fails, file, output, program, scripted, start } from './support.mjs'

const chatModel = () => scripted('served.gguf', ['First answer.', 'Second answer.'])
/** Without a temperature, which each request names. */
const endlessModel = () => endless().filter(arg => arg !== '--temperature' && arg !== '0')

/** Runs `body({ port, address, client, server })` with a server. */
async function serving(args, body, key) {
  const server = start(process.execPath, [program, 'serve', ...args, '--port', '0'])
  const [, port] = /:(\d+)$/.exec(await server.until('/v1\n'))
  const address = `http://127.0.0.1:${port}`
  try {
    await body({ port, address, server, client: new OpenAI({ apiKey: key ?? 'any', baseURL: `${address}/v1`, maxRetries: 0 }) })
  } finally {
    server.child.kill('SIGINT')
    assert.equal((await server.ended).status, 0)
  }
}

/** The status and body of an answer, with headers that `fetch` does not let one set. */
function ask(port, headers, { method = 'GET', path = '/v1/models', body } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, async response => {
      let text = ''
      for await (const part of response) text += part
      resolve({ status: response.statusCode, headers: response.headers, text, code: text && JSON.parse(text).error?.code })
    })
    sent.on('error', reject).end(body)
  })
}

test('answers chats, completions, embeddings, models and responses, whole and streamed', () =>
  serving([chatModel()], async ({ client }) => {
    assert.deepEqual(
      (await client.models.list()).data.map(({ id }) => id),
      ['scripted'],
    )
    assert.equal((await client.models.retrieve('any name')).id, 'scripted')
    const messages = [{ role: 'user', content: 'Hi' }]
    const asked = { model: 'scripted', messages, temperature: 0 }
    assert.equal((await client.chat.completions.create(asked)).choices[0].message.content, 'First answer.')
    let text = ''
    for await (const { choices } of await client.chat.completions.create({ ...asked, stream: true }))
      text += choices[0].delta.content ?? ''
    assert.equal(text, 'First answer.')
    const first = await client.responses.create({ model: 'scripted', input: 'Hi', temperature: 0 })
    const stream = client.responses.stream({ model: 'scripted', input: 'And?', temperature: 0, previous_response_id: first.id })
    assert.deepEqual([first.output_text, (await stream.finalResponse()).output_text], ['First answer.', 'Second answer.'])
    assert.equal((await client.completions.create({ model: '', prompt: 'x', max_tokens: 1 })).object, 'text_completion')
    await assert.rejects(async () => client.embeddings.create({ model: '', input: 'x' }), { status: 400 })
    await assert.rejects(async () => client.chat.completions.create({ ...asked, temperature: 9 }), {
      status: 400,
      param: 'temperature',
    })
    await assert.rejects(async () => client.moderations.create({ input: 'x' }), { status: 404 })
  }))

test('transcribes the sound of a form', () => {
  const model = file('ggml-served.bin', whisperModel({ positions: 50 }))
  const sound = file('served.wav', wavFile(chirp(1.2)))
  const { text, segments } = JSON.parse(output('transcribe', model, sound, '--json', '--words', '--language', 'en'))
  return serving([model], async ({ client, port }) => {
    const answer = await client.audio.transcriptions.create({
      file: new File([wavFile(chirp(1.2))], 'served.wav'),
      model: 'whisper-1',
      language: 'en',
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    })
    assert.equal(answer.text, text.trim())
    assert.deepEqual(
      answer.segments.map(segment => segment.text),
      segments.map(segment => segment.text),
    )
    assert.equal(answer.words.length, segments.flatMap(({ words }) => words).length)
    const noForm = await ask(
      port,
      { 'content-type': 'text/plain' },
      { method: 'POST', path: '/v1/audio/transcriptions', body: 'x' },
    )
    assert.equal(noForm.status, 400)
  })
})

test('ten clients at once get the texts that each gets alone', () =>
  serving(['--parallel', '10', '--threads', '2'], async ({ client }) => {
    const prompts = Array.from({ length: 10 }, (_, at) => `Tell me a story about ${at + 2} foxes.`)
    const asked = content => ({ model: '', messages: [{ role: 'user', content }], temperature: 0.8, seed: 5, max_tokens: 40 })
    const alone = []
    for (const prompt of prompts) alone.push((await client.chat.completions.create(asked(prompt))).choices[0].message.content)
    const together = await Promise.all(
      prompts.map(async prompt => {
        let text = ''
        for await (const { choices } of await client.chat.completions.create({ ...asked(prompt), stream: true }))
          text += choices[0].delta.content ?? ''
        return text
      }),
    )
    assert.deepEqual(together, alone)
    assert.ok(new Set(alone).size > 5)
  }))

test('none of ten clients waits until the answer of another has ended', () =>
  serving([...endlessModel(), '--parallel', '10'], async ({ client }) => {
    const asked = { model: '', prompt: 'x', temperature: 0, max_tokens: 90_000, stream: true }
    const streams = await Promise.all(Array.from({ length: 10 }, () => client.completions.create(asked)))
    const first = await Promise.all(streams.map(stream => stream[Symbol.asyncIterator]().next()))
    assert.ok(first.every(({ done }) => !done)) // all have begun, and no answer ends by itself
    for (const { controller } of streams) controller.abort()
  }))

test('a connection that ends ends its answer', () =>
  serving([...endlessModel(), '--parallel', '1'], async ({ client, port }) => {
    const asked = { model: '', prompt: 'x', temperature: 0, max_tokens: 900_000 }
    for (let time = 0; time < 2; time++) {
      for await (const { choices } of await client.completions.create({ ...asked, stream: true })) if (choices[0].text) break
    }
    const stop = new AbortController()
    const waiting = client.completions.create(asked, { signal: stop.signal })
    setImmediate(() => stop.abort())
    await assert.rejects(async () => waiting, /aborted/i)
    const body = JSON.stringify({ ...asked, stream: true })
    const socket = connect(port, '127.0.0.1')
    socket.write(`POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    await once(socket, 'data')
    socket.destroy()
    // All of them would run for minutes, and only one text is written at a time.
    assert.equal((await client.completions.create({ ...asked, max_tokens: 3 })).choices[0].finish_reason, 'length')
  }))

test('only who has the key is answered, and a page can read why', () =>
  serving(
    [chatModel(), '--key', 'open-sesame', '--cors', 'https://example.org'],
    async ({ client, address, port }) => {
      assert.equal((await client.models.list()).data.length, 1)
      for (const apiKey of ['wrong', 'open-sesam', 'open-sesame2']) {
        const other = new OpenAI({ apiKey, baseURL: `${address}/v1`, maxRetries: 0 })
        await assert.rejects(async () => other.models.list(), { status: 401, code: 'invalid_api_key' })
      }
      for (const authorization of [undefined, 'open-sesame', 'Basic open-sesame', 'Bearer '])
        assert.equal((await ask(port, authorization === undefined ? {} : { authorization })).status, 401)
      for (const origin of ['https://example.org', 'https://evil.example']) {
        const { status, headers } = await ask(port, { origin })
        const isAllowed = origin === 'https://example.org'
        assert.deepEqual([status, headers['access-control-allow-origin']], isAllowed ? [401, origin] : [403, undefined])
      }
    },
    'open-sesame',
  ))

test('pages of others are refused, whatever they call this machine', () =>
  serving([chatModel(), '--cors', 'http://localhost:5173,https://example.org,app://obsidian.md/'], async ({ port }) => {
    for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', `[::1]:${port}`, `host.docker.internal:${port}`])
      assert.equal((await ask(port, { host })).status, 200, host)
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'host.docker.internal.evil.example',
      'host.docker.evil',
      'evil.internal',
      '0.0.0.0',
      '192.168.0.1',
    ])
      assert.deepEqual(await ask(port, { host }).then(({ status, code }) => [status, code]), [403, 'host_not_allowed'], host)
    for (const origin of [
      'http://evil.example',
      'null',
      'http://localhost:5174',
      'https://localhost:5173',
      'http://example.org',
      'http://obsidian.md',
      'app://other.example',
    ])
      assert.deepEqual(await ask(port, { origin }).then(({ status, code }) => [status, code]), [403, 'origin_not_allowed'], origin)
    assert.equal((await ask(port, { 'sec-fetch-site': 'cross-site' })).status, 403)

    const origin = 'https://example.org'
    for (const one of [origin, 'app://obsidian.md']) {
      const allowed = await ask(port, { origin: one })
      assert.deepEqual([allowed.status, allowed.headers['access-control-allow-origin'], allowed.headers.vary], [200, one, 'Origin'])
    }
    const preflight = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,x-stainless-os',
    }
    const { status, headers } = await ask(port, preflight, { method: 'OPTIONS', path: '/v1/responses' })
    assert.deepEqual([status, headers['access-control-allow-headers']], [204, 'authorization,x-stainless-os'])
    assert.match(headers['access-control-allow-methods'], /POST/)
    assert.equal((await ask(port, { ...preflight, origin: 'http://evil.example' }, { method: 'OPTIONS' })).status, 403)
    assert.equal((await ask(port, {})).headers['access-control-allow-origin'], undefined)
  }))

test('bodies that are malformed or too large, and other methods', () =>
  serving([chatModel()], async ({ port, client }) => {
    const post = { method: 'POST', path: '/v1/chat/completions' }
    assert.equal((await ask(port, {}, { ...post, body: '{"messages": [' })).status, 400)
    assert.equal((await ask(port, {}, post)).status, 400)
    for (const method of ['PUT', 'PATCH', 'HEAD', 'TRACE'])
      assert.equal((await ask(port, {}, { method }).catch(() => ({}))).status, 405, method)
    assert.equal((await ask(port, {}, { path: '/' })).status, 404)

    // One request that states its length, and one that does not.
    const first = `POST /v1/completions HTTP/1.1\r\nHost: localhost\r\n`
    const declared = connect(port, '127.0.0.1')
    declared.write(`${first}Content-Length: ${2 ** 27 + 1}\r\n\r\n`)
    const [answer] = await once(declared.setEncoding('utf8'), 'data')
    assert.match(answer, /^HTTP\/1\.1 413 /)
    declared.destroy()
    const endless = connect(port, '127.0.0.1').setEncoding('utf8')
    const said = once(endless, 'data')
    endless.on('error', () => {}) // the server closes it while we write
    endless.write(`${first}Transfer-Encoding: chunked\r\n\r\n`)
    const part = `400000\r\n${' '.repeat(0x400000)}\r\n`
    for (let sent = 0; sent <= 2 ** 27 && !endless.destroyed; sent += 0x400000) {
      if (!endless.write(part)) await Promise.race([once(endless, 'drain'), said])
    }
    assert.match((await said)[0], /^HTTP\/1\.1 413 /)
    endless.destroy()
    assert.equal((await client.models.list()).data.length, 1, 'it goes on')
  }))

test('wrong usage, and a port that is taken', () =>
  serving([chatModel()], async ({ port }) => {
    fails(1, new RegExp(`port ${port} is taken`), 'serve', chatModel(), '--port', port)
    fails(2, /--port: '70000' is not a port/, 'serve', chatModel(), '--port', '70000')
    fails(2, /--key: expected printable characters/, 'serve', chatModel(), '--key', 'a b')
    for (const origin of ['*', 'example.org', 'http://example.org/path', 'null', 'app://', 'app://obsidian.md/path', 'file:///'])
      fails(2, /--cors: .* is not an origin/, 'serve', chatModel(), '--cors', origin)
    fails(2, /parallel/, 'serve', chatModel(), '--parallel', '0')
  }))
