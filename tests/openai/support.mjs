// Helpers of the heed/openai tests: a model behind both clients, Heed's own and OpenAI's over fetch.
import assert from 'node:assert/strict'
import OpenAI from 'openai'
import { HeedError } from 'heed'
import { heedFetch, HeedError as SameError, openai, ParameterError } from 'heed/openai'
import { withModel } from '../package/support.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { withSeeingModel } from '../support/seeing_model.mjs'

/** OpenAI's client, connected to Heed's models, without retries. */
export const openaiOver = (models, options) =>
  new OpenAI({ apiKey: 'none', baseURL: 'https://heed.local/v1', fetch: heedFetch(models, options), maxRetries: 0 })

/** A model that records its calls, in order: `chats` and `generations`. */
export function watched(model) {
  const noted = { chats: [], generations: [] }
  const note = (list, made) => {
    list.push(made)
    return made
  }
  return Object.assign(noted, {
    info: model.info,
    chat: (...args) => note(noted.chats, model.chat(...args)),
    generate: (...args) => note(noted.generations, model.generate(...args)),
    compile: (...args) => model.compile(...args),
    embed: (...args) => model.embed(...args),
    tokenize: (...args) => model.tokenize(...args),
    detokenize: (...args) => model.detokenize(...args),
    chatTemplate: (...args) => model.chatTemplate(...args),
  })
}

/** Runs `body` with each client of a model in turn: `body(client, model, name)`. */
export const withClients = (source, body) =>
  withModel(source, { threads: 1 }, async model => {
    const watching = watched(model)
    for (const [name, client] of [
      ['direct', openai(watching)],
      ['openai', openaiOver(watching)],
    ])
      await body(client, watching, name)
  })

/** The same with a model that accepts images, with options of the clients. */
export const seeing = (turns, body, options) =>
  withSeeingModel(scriptedModel(turns), async model => {
    const watching = watched(model)
    for (const [name, client] of [
      ['direct', openai(watching, options)],
      ['openai', openaiOver(watching, options)],
    ])
      await body(client, watching, name)
  })

/** The same with a model that answers with these texts, turn by turn. */
export const scripted = (turns, body, options) => withClients(scriptedModel(turns, options), body)

export const user = content => ({ role: 'user', content })
export const call = (name, args) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`

/** Parameters of a chat with a scripted model, which follows its script only if it is greedy. */
export const asked = (more = {}) => ({ model: 'scripted', messages: [user('Hi')], temperature: 0, ...more })

export const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

/** The model's last prompt, with control tokens as text. */
export async function lastPrompt(model) {
  const {
    steps: [{ promptIds }],
  } = await model.chats.at(-1)
  return (await model.detokenize(promptIds, { special: true })).replaceAll('\u2581', ' ')
}

export async function collect(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

/** The texts of one kind in the deltas of a choice, joined. */
export const joined = (chunks, kind = 'content', index = 0) =>
  chunks
    .flatMap(({ choices }) => choices)
    .filter(choice => choice.index === index)
    .map(({ delta }) => delta[kind] ?? '')
    .join('')

/** Checks that a call fails, with either client: with a parameter's name, our code or OpenAI's, and a message. */
export async function refuses(
  request,
  { param = null, code = 'invalid-argument', openaiCode = code, status = 400 },
  message = /./,
) {
  await assert.rejects(
    async () => request(),
    error => {
      assert.match(error.message, message)
      if (error instanceof OpenAI.APIError) {
        assert.deepEqual([error.status, error.param, error.code], [status, param, openaiCode], error.message)
        assert.equal(error.type, status < 500 ? 'invalid_request_error' : 'server_error')
      } else {
        assert.ok(error instanceof HeedError && error instanceof SameError)
        assert.equal(error instanceof ParameterError, param !== null)
        assert.deepEqual([error.code, error.param ?? null], [code, param], error.message)
      }
      return true
    },
  )
}
