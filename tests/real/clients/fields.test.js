// Every field of OpenAI's requests, by the types of the newest client: read, ignored, left out with a warning, or refused with a reason;
// nothing is unknown. What answers have, which clients put into the next request, is among them.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { HeedError } from 'heed'
import { openai } from 'heed/openai'
import { inRoot } from '../../../tools/paths.mjs'
import { withModel } from '../../package/support.mjs'
import { goldenBytes } from '../../support/golden.mjs'
import { pngFrom } from '../../support/image_files.mjs'
import { shaded } from '../../support/projector_model.mjs'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { withSeeingModel } from '../../support/seeing_model.mjs'
import { fromNpm, realTest } from '../shelf.mjs'
import { samplesOf } from './declared.mjs'

const client = () => fromNpm('client-openai', { openai: '7.59.0' })
const chats = modules => join(modules, 'openai/resources/chat/completions/completions.d.ts')
const file = (modules, name) => join(modules, 'openai/resources', `${name}.d.ts`)

const tool = { type: 'function', function: { name: 'x' } }
/** What samples need to be valid beyond the types. */
const given = path =>
  ({
    model: { values: ['x'] },
    'messages[].content[].image_url.url': {
      values: [`data:image/png;base64,${Buffer.from(pngFrom(shaded(3))).toString('base64')}`],
    },
    'tool_choice.allowed_tools.tools[]': { values: [tool] },
    'tool_calls[]': { with: { id: 'x', type: 'function', function: { name: 'x', arguments: '{}' } } },
    'tool_calls[].function': { with: { name: 'x', arguments: '{}' } },
    prompt: { values: ['x', ['x'], [[1]], [1]] },
  })[path]

/** Fields that others need. */
const companions = ({ tool_choice, top_logprobs }) => ({
  ...(tool_choice && { tools: [tool] }),
  ...(top_logprobs && { logprobs: true }),
})

/**
 * Sends each request with `create`. Every one is answered, or refused for a reason in `reasons`, by the parameter's name, and the parameters
 * that are left out with a warning are `warned`.
 */
async function sends(create, requests, { reasons = {}, warned = [] }) {
  const [met, told] = [new Set(), new Set()]
  for (const request of requests) {
    try {
      const answer = await create(request, ({ param, message }) => {
        assert.ok(message.startsWith(`${param}: `) && /^[ -~]+$/.test(message), message)
        told.add(param)
      })
      if (answer[Symbol.asyncIterator]) for await (const _ of answer);
    } catch (error) {
      const shown = `${JSON.stringify(request)}: ${error.message}`
      assert.ok(error instanceof HeedError && error.param, shown)
      assert.ok(Object.hasOwn(reasons, error.param), shown)
      assert.match(error.message, reasons[error.param], shown)
      met.add(error.param)
    }
  }
  assert.deepEqual([...met].sort(), Object.keys(reasons).sort())
  assert.deepEqual([...told].sort(), [...warned].sort())
}

const onlyFunctions = /only functions are/
const ofMessages = {
  'messages[0].role': /got "function"/,
  'messages[0].content[0].type': /is not supported; use "text" or "image_url"/,
  'messages[0].function_call': /the older form of `tool_calls`/,
  'messages[0].tool_calls[0].custom': onlyFunctions,
}

realTest('chats: every field of a request is read, ignored, or refused with its reason', client, modules => {
  const requests = samplesOf(chats(modules), 'ChatCompletionCreateParamsBase', given)
  assert.ok(
    requests.length > 170 && ['messages', 'tools', 'prompt_cache_options'].every(name => requests.some(request => request[name])),
  )
  return withSeeingModel(scriptedModel(['Yes.']), model =>
    sends(
      (request, onWarning) =>
        openai(model, { onWarning }).chat.completions.create({ max_tokens: 8, ...companions(request), ...request }),
      requests,
      {
        reasons: {
          ...ofMessages,
          audio: /answers are text/,
          'modalities[0]': /answers are text/,
          function_call: /the older form of `tool_choice`/,
          functions: /the older form of `tools`/,
          'tool_choice.custom': onlyFunctions,
          'tools[0].custom': onlyFunctions,
          web_search_options: /nothing is searched/,
        },
        warned: [
          'messages[0].content[0].image_url.detail',
          'messages[0].audio',
          'moderation',
          'prediction',
          'reasoning_effort',
          'store',
          'stream_options',
          'verbosity',
        ],
      },
    ),
  )
})

realTest(
  'chats: a message of an answer, whole, parsed or accumulated from its deltas, is part of the next request',
  client,
  modules => {
    const samples = ['ChatCompletionMessage', 'ParsedChatCompletionMessage', 'ChatCompletionChunk.Choice.Delta'].flatMap(name =>
      samplesOf(chats(modules), name, given),
    )
    assert.ok(samples.some(message => message.tool_calls?.[0].index === 1) && samples.some(message => message.parsed))
    const requests = samples.map(message => ({ messages: [{ ...message, role: 'assistant' }] }))
    return withModel(scriptedModel(['.', 'Yes.']), { threads: 1 }, model =>
      sends((request, onWarning) => openai(model, { onWarning }).chat.completions.create(request), requests, {
        reasons: {
          'messages[0].function_call': ofMessages['messages[0].function_call'],
          'messages[0].tool_calls[0].custom': onlyFunctions,
          'messages[0].tool_calls[0].type': onlyFunctions,
        },
        warned: ['messages[0].audio'],
      }),
    )
  },
)

realTest('completions: every field of a request', client, modules =>
  withModel(undefined, { threads: 1 }, model =>
    sends(
      (request, onWarning) => openai(model, { onWarning }).completions.create({ max_tokens: 1, ...request }),
      samplesOf(file(modules, 'completions'), 'CompletionCreateParamsBase', given),
      { reasons: { suffix: /a text is continued at its end/ }, warned: ['stream_options'] },
    ),
  ),
)

realTest('embeddings: every field of a request', client, modules =>
  withModel(goldenBytes('bert'), { threads: 1 }, model =>
    sends(
      request => openai(model).embeddings.create(request),
      samplesOf(file(modules, 'embeddings'), 'EmbeddingCreateParams', given),
      {},
    ),
  ),
)

realTest('what is declared with the types of the newest client is accepted, and results have them', client, async modules => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-types-'))
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        noEmit: true,
        strict: true,
        skipLibCheck: true,
        target: 'ES2022',
        lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
        types: [],
        module: 'ESNext',
        moduleResolution: 'bundler',
        paths: { openai: [join(modules, 'openai')], 'openai/*': [join(modules, 'openai/*')] },
      },
      files: [inRoot('tests/openai/types.ts')],
    }),
  )
  const tsc = (...options) =>
    spawnSync(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-p', folder, ...options], { encoding: 'utf8' })
  const checked = tsc('--listFiles')
  rmSync(folder, { recursive: true })
  const [files, errors] = [true, false].map(isFile =>
    checked.stdout.split('\n').filter(line => line && /^\S+\.ts$/.test(line) === isFile),
  )
  assert.deepEqual([errors, checked.status], [[], 0])
  const clients = files.filter(file => /node_modules\/openai\/client\.d\.m?ts$/.test(file))
  assert.ok(clients.length > 0 && clients.every(file => file.startsWith(join(modules, 'openai'))), clients.join())
})

test('a field that OpenAI does not have is an error that names it', () =>
  withModel(scriptedModel(['Yes.']), { threads: 1 }, async model => {
    for (const param of [
      'color',
      'messages[0].color',
      'messages[1].tool_calls[0].color',
      'tools[0].color',
      'tools[0].function.color',
      'stream_options.color',
    ]) {
      const request = structuredClone({
        tools: [tool],
        stream_options: {},
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', tool_calls: [{ id: 'x', ...tool }] },
        ],
      })
      const path = param.match(/\w+/g)
      path.slice(0, -1).reduce((value, name) => value[name], request)[path.at(-1)] = 'red'
      await assert.rejects(
        openai(model).chat.completions.create(request),
        { code: 'unsupported', param, message: /unknown parameter/ },
        param,
      )
      await assert.rejects(
        sends(sent => openai(model).chat.completions.create(sent), [request], {}),
        /unknown parameter/,
      )
    }
  }))
