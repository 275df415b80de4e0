// Helpers of the tests of real clients: models with scripts, a `fetch` that records the clients' requests, and the common tests of
// all clients.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadModel } from 'heed'
import { heedFetch } from 'heed/openai'
import { call, watched } from '../../openai/support.mjs'
import { pngFrom } from '../../support/image_files.mjs'
import { projectorFile, shaded } from '../../support/projector_model.mjs'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { fromNpm, realTest } from '../shelf.mjs'

/** Imports packages by name from a node_modules folder, as a module beside it would. */
async function importerOf(modules) {
  const file = join(modules, '../import.mjs')
  if (!existsSync(file)) writeFileSync(file, 'export default name => import(name)\n')
  return (await import(pathToFileURL(file))).default
}

const endless = scriptedModel(['and on and on, round and round, '], { endless: true, context: 50_000 })
const seeing = scriptedModel(['A fox.'])

/** The models that clients request by name, and their answers, turn by turn. `stories` is the bundled one. */
const sources = {
  chat: () => loadModel(scriptedModel(['Hello there, how are you?', 'Fine.']), { threads: 1 }),
  tools: () => loadModel(scriptedModel([`Let me look. ${call('weather', { city: 'Bern' })}`, 'Rain in Bern.']), { threads: 1 }),
  handoff: () => loadModel(scriptedModel([call('transfer_to_Expert', {})]), { threads: 1 }),
  form: () => loadModel(scriptedModel(['{"city": "Oslo", "cold": true}']), { threads: 1 }),
  long: () => loadModel(endless, { threads: 1 }),
  async pictures() {
    const plain = await loadModel(seeing, { threads: 1 })
    const { width } = plain.info
    await plain.dispose()
    return loadModel(seeing, { threads: 1, projector: projectorFile(width) })
  },
  stories: () => loadModel(undefined, { threads: 1 }),
}

const loaded = new Map()
/** A model of `sources`, loaded on the first request. */
async function modelOf(name) {
  if (!loaded.has(name)) loaded.set(name, sources[name]().then(watched))
  return loaded.get(name)
}

/**
 * A `fetch` over these models that records the body of each request, the status of its response, and its warnings; `fetchOne`
 * serves only `chat`, under any name.
 */
async function recording() {
  const models = Object.fromEntries(await Promise.all(Object.keys(sources).map(async name => [name, await modelOf(name)])))
  const requests = []
  const keeping = answer => async (input, init) => {
    const text = typeof init?.body === 'string' ? init.body : await input.clone().text()
    const request = { body: JSON.parse(text) }
    requests.push(request)
    const response = await answer(input, init)
    request.warned = [...(response.headers.get('x-heed-warning') ?? '').matchAll(/(?:^|, )([\w[\].]+): /g)].map(
      ([, param]) => param,
    )
    if (response.status !== 200) request.refused = (await response.clone().json()).error.message
    return response
  }
  return { models, requests, fetch: keeping(heedFetch(models)), fetchOne: keeping(heedFetch(models.chat)) }
}

/** The packages for tests of OpenAI's agents. */
export const agentPackages = { '@openai/agents': '0.20.0', openai: '7.59.0', zod: '4.6.7' }
export const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
export const place = {
  type: 'object',
  properties: { city: { type: 'string' }, cold: { type: 'boolean' } },
  required: ['city', 'cold'],
  additionalProperties: false,
}
export const picture = `data:image/png;base64,${Buffer.from(pngFrom(shaded(3))).toString('base64')}`
export const baseURL = 'https://heed.local/v1'

const collected = async pieces => {
  const all = []
  for await (const piece of pieces) if (piece) all.push(piece)
  return all
}

/** Number of aborted generations of a model. */
const aborted = async ({ chats }) => (await Promise.all(chats)).filter(({ finishReason }) => finishReason === 'abort').length

/**
 * The test of a client: `packages` are the versions, `client({ load, fetch })` gives what it does, in its own way, with greedy
 * sampling:
 *
 * - `ask(model, text)`: the answer
 * - `stream(model, text, signal)`: the pieces of the answer, until `signal` is aborted
 * - `call(model, text, run)`: the answer after a tool `weather` with the parameters `city`, which `run` executes; `callStreaming`
 *   the same
 * - `fill(model, text)`: a `place`, if it has structured answers
 * - `see(model, text, url)`: the answer about an image, if it shows some
 *
 * - `every()`: an answer of the model `chat` to a request with all settings that the client has
 * - `more()`: what this client does that others do not
 *
 * `sends`: the fields of its requests, and `messages`: those of their messages or items, all of them. `warned`: what Heed leaves
 * out. `api`: which one it asks, if it can ask several.
 */
export const clientTest = (name, packages, client, { sends, messages, warned = '', api }) =>
  realTest(
    `${api ? `${name}, ${api}` : name}: ${Object.entries(packages)
      .map(entry => entry.join(' '))
      .join(', ')}`,
    () => fromNpm(`client-${name.toLowerCase().replace(/\W+/g, '-')}`, packages),
    async modules => {
      const { models, requests, fetch, fetchOne } = await recording()
      const { ask, stream, call, callStreaming, fill, see, every, more } = await client({
        load: await importerOf(modules),
        fetch,
        fetchOne,
      })
      assert.equal(await ask('chat', 'Hi'), 'Hello there, how are you?')
      if (every) assert.equal(await every(), 'Hello there, how are you?')
      const pieces = await collected(stream('stories', 'Tell me a story.'))
      assert.ok(pieces.length > 5, `${pieces.length} pieces`)
      assert.equal(pieces.join(''), await ask('stories', 'Tell me a story.'))

      for (const converse of [call, callStreaming].filter(Boolean)) {
        const asked = []
        const run = given => {
          asked.push(given.city)
          return `Rain in ${given.city}.`
        }
        assert.equal(await converse('tools', 'How is the weather?', run), 'Rain in Bern.')
        assert.deepEqual(asked, ['Bern'])
      }

      const before = await aborted(models.long)
      const stop = new AbortController()
      let heard = ''
      try {
        for await (const piece of stream('long', 'Hi', stop.signal)) {
          heard += piece
          if (heard.length > 10) stop.abort()
        }
      } catch (error) {
        assert.ok(stop.signal.aborted, error.stack)
        assert.match(`${error.name} ${error.message}`, /abort/i)
      }
      assert.ok(heard.length > 10 && heard.length < 10_000, `${heard.length}`)
      assert.equal(await aborted(models.long), before + 1)

      if (fill) assert.deepEqual({ ...(await fill('form', 'Where?')) }, { city: 'Oslo', cold: true })
      if (see) {
        assert.equal(await see('pictures', 'What is this?', picture), 'A fox.')
        const {
          steps: [{ prompt }],
        } = await models.pictures.chats.at(-1)
        assert.equal(prompt.filter(part => part.image).length, 1)
      }

      await more?.()
      assert.deepEqual(
        requests.flatMap(({ refused }) => refused ?? []),
        [],
      )
      const all = list => [...new Set(list)].sort().join(' ')
      assert.deepEqual(
        {
          sends: all(requests.flatMap(({ body }) => Object.keys(body))),
          messages: all(
            requests
              .flatMap(({ body: { messages, input } }) => messages ?? input)
              .flatMap(message => (typeof message === 'string' ? [] : Object.keys(message))),
          ),
          warned: all(requests.flatMap(({ warned }) => warned)),
        },
        { sends, messages, warned },
      )
    },
  )
