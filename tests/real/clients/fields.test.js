// Every field of OpenAI's requests, by the types of the newest client: read, ignored, left out with a warning, or rejected with a
// reason; none is unknown. Includes the fields of answers, which clients put into the next request.
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
import { chirp, wavFile } from '../../support/whisper_model.mjs'
import { shaded } from '../../support/projector_model.mjs'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { withSeeingModel } from '../../support/seeing_model.mjs'
import { fromNpm, realTest } from '../shelf.mjs'
import { samplesOf } from './declared.mjs'

const client = () => fromNpm('client-openai', { openai: '7.59.0' })
const chats = modules => join(modules, 'openai/resources/chat/completions/completions.d.ts')
const file = (modules, name) => join(modules, 'openai/resources', `${name}.d.ts`)

const tool = { type: 'function', function: { name: 'x' } }
/** The values that samples need to be valid, beyond their types. */
const given = path =>
  ({
    model: { values: ['x'] },
    'messages[].content[].image_url.url': {
      values: [`data:image/png;base64,${Buffer.from(pngFrom(shaded(3))).toString('base64')}`],
    },
    'messages[].content[].input_audio.data': { values: [Buffer.from(wavFile(chirp(0.4))).toString('base64')] },
    'tool_choice.allowed_tools.tools[]': { values: [tool] },
    'tool_calls[]': { with: { id: 'x', type: 'function', function: { name: 'x', arguments: '{}' } } },
    'tool_calls[].function': { with: { name: 'x', arguments: '{}' } },
    prompt: { values: ['x', ['x'], [[1]], [1]] },
  })[path]

/** Fields that other fields require. */
const companions = ({ tool_choice, top_logprobs }) => ({
  ...(tool_choice && { tools: [tool] }),
  ...(top_logprobs && { logprobs: true }),
})

/**
 * Sends each request with `create`. Each is answered, or rejected for a reason in `reasons`, by the parameter's name; parameters
 * that are left out with a warning are listed in `warned`.
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
  'messages[0].content[0].type': /is not supported; use "text" or "image_url"|the model hears nothing/,
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

const responseTool = { type: 'function', name: 'x', parameters: null, strict: null }
const companionsOf = ({ tool_choice }) => (tool_choice ? { tools: [responseTool] } : {})
/** The items that Heed reads; each of the others is refused by its type. */
const readItems = ['message', 'reasoning', 'function_call', 'function_call_output', 'item_reference']
const ofResponse = path =>
  ({
    model: { values: ['x'] },
    'input[].content[].image_url': given('messages[].content[].image_url.url'),
    'tool_choice.tools[]': { values: [responseTool] },
    'text.format.schema': { values: [{ type: 'object' }] },
    tools: { values: [[responseTool]] },
  })[path]

realTest('responses: every field of a request, and of the items of an answer', client, async modules => {
  const types = file(modules, 'responses/responses')
  const sampled = samplesOf(types, 'ResponseCreateParamsBase', ofResponse)
  const tools = samplesOf(types, 'Tool').map(tool => ({ tools: [tool] }))
  const answered = ['ParsedResponseOutputMessage', 'ParsedResponseFunctionToolCall', 'ResponseOutputItem'].flatMap(name =>
    samplesOf(types, name).map(item => ({ input: [{ role: 'user', content: 'x' }, item] })),
  )
  const isRead = ({ type }) => type === undefined || readItems.includes(type)
  const read = [...sampled, ...answered].filter(({ input }) => !Array.isArray(input) || input.every(isRead))
  const others = new Map(
    [...sampled, ...answered].flatMap(({ input }) =>
      read.some(one => one.input === input) ? [] : [[input.find(item => !isRead(item)).type, input]],
    ),
  )
  assert.ok(read.length > 120 && others.size > 20 && tools.length > 40, `${read.length}, ${others.size}, ${tools.length}`)
  await withSeeingModel(scriptedModel(['Yes.']), async model => {
    const kept = openai(model)
    for (const input of others.values()) {
      await assert.rejects(kept.responses.create({ input }), {
        code: 'unsupported',
        message: /^input\[\d\]\.type: .*not supported; use "message"/,
      })
    }
    await sends(
      (request, onWarning) =>
        openai(model, { onWarning }).responses.create({ input: 'x', max_output_tokens: 8, ...companionsOf(request), ...request }),
      [...read, ...tools],
      {
        reasons: {
          conversation: /no conversations are kept/,
          input: /missing/,
          'input[0].call_id': /missing/,
          'input[0].content[0].file_id': /files are not kept/,
          'input[0].content[0].image_url': /missing/,
          'input[0].content[0].type': /"input_file" is not supported/,
          'input[0].id': /not found/,
          'input[0].output[0].type': /use "input_text"/,
          'input[1].call_id': /missing/,
          'input[1].output[0].type': /use "input_text"/,
          previous_response_id: /not found/,
          prompt: /no prompts are kept/,
          'tool_choice.type': onlyFunctions,
          'tools[0].type': onlyFunctions,
        },
        warned: [
          'context_management',
          'input[0].content[0].detail',
          'moderation',
          'reasoning.effort',
          'reasoning.generate_summary',
          'reasoning.summary',
          'text.verbosity',
          'tools[0].defer_loading',
          'tools[0].type',
          'top_logprobs',
        ],
      },
    )
  })
})

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
