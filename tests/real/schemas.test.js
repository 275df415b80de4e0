// Schemas from the libraries that people write them with, as constraints and as parameters of tools: which are accepted, which are
// rejected, and the messages.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before } from 'node:test'
import { loadModel } from 'heed'
import { openai } from 'heed/openai'
import { createLanguageModel } from 'heed/prompt-api'
import { fromNpm, realTest } from './shelf.mjs'

const shelf = () =>
  fromNpm('schemas', {
    zod: '4.6.7',
    valibot: '1.5.0',
    '@valibot/to-json-schema': '1.8.0',
    typebox: '1.4.3',
    arktype: '2.2.10',
    effect: '4.1.0',
    '@openapi-contrib/openapi-schema-to-json-schema': '5.1.0',
    '@modelcontextprotocol/sdk': '1.32.2',
    '@modelcontextprotocol/server-everything': '2026.8.31',
    '@modelcontextprotocol/server-filesystem': '2026.8.31',
    '@modelcontextprotocol/server-memory': '2026.8.31',
    '@modelcontextprotocol/server-sequential-thinking': '2026.8.31',
  })
const importFrom = modules => {
  const { resolve } = createRequire(join(modules, 'index.js'))
  return name => import(resolve(name))
}

let model
before(async () => {
  model = await loadModel(undefined, { threads: 2, parallel: 4 })
})
after(() => model.dispose())

const user = content => [{ role: 'user', content }]
const asked = { seed: 1, maxTokens: 400 }

/** A schema as a form, as parameters of a tool whose calls are free, held, and strict, and in heed/openai. */
async function assertTaken(name, schema, accepted, rejected) {
  const constraint = await model.compile({ jsonSchema: schema })
  for (const value of accepted) assert.ok(await constraint.accepts(JSON.stringify(value)), `${name}: ${JSON.stringify(value)}`)
  for (const value of rejected) assert.ok(!(await constraint.accepts(JSON.stringify(value))), `${name}: ${JSON.stringify(value)}`)
  const { parsed, text } = await model.generate('As JSON: ', { ...asked, jsonSchema: schema, temperature: 0 })
  assert.ok(parsed === undefined || (await constraint.accepts(text)), `${name}: ${text}`)
  const tool = { name: 'save', description: 'Saves.', parameters: schema }
  for (const strict of [false, true]) {
    const {
      toolCalls: [call],
    } = await model.chat(user('Save it.'), { ...asked, tools: [{ ...tool, strict }], toolChoice: 'required', temperature: 0 })
    if (call) assert.ok(await constraint.accepts(JSON.stringify(call.arguments)), `${name}: ${call.text}`)
  }
  await model.chat(user('Save it.'), { ...asked, maxTokens: 8, tools: [tool] })
  const { chat } = openai(model)
  const messages = user('Save it.')
  await chat.completions.create({
    messages,
    max_tokens: 4,
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  })
  await chat.completions.create({ messages, max_tokens: 4, tools: [{ type: 'function', function: tool }] })
  await constraint.dispose()
}

/** It is refused with these words, in each place. */
async function assertRefused(name, schema, words) {
  const isRefusal = error =>
    error.code === 'invalid-argument' &&
    words.every(one => one.test(error.message)) &&
    assert.ok(error.message.length < 250) === undefined
  await assert.rejects(async () => model.compile({ jsonSchema: schema }), isRefusal, name)
  for (const strict of [false, true])
    await assert.rejects(
      async () => model.chat(user('?'), { tools: [{ name: 'save', parameters: schema, strict }] }),
      isRefusal,
      name,
    )
  const { chat } = openai(model)
  await assert.rejects(
    async () =>
      chat.completions.create({
        messages: user('?'),
        response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
      }),
    isRefusal,
    name,
  )
}

const place = { city: 'Bern', days: 3 }
const wrong = [{ city: 'Bern' }, { city: 5, days: 3 }, { city: 'Bern', days: 3, sky: 'gray' }]

realTest('schemas of libraries are taken as they are', shelf, async modules => {
  const from = importFrom(modules)
  const [{ z }, mini, v, { toStandardJsonSchema, toJsonSchema }, { type }, { Type }, { Schema }] = await Promise.all(
    ['zod', 'zod/mini', 'valibot', '@valibot/to-json-schema', 'arktype', 'typebox', 'effect'].map(from),
  )
  const ofZod = z.object({ city: z.string(), days: z.int() })
  const ofValibot = v.object({ city: v.string(), days: v.pipe(v.number(), v.integer()) })
  const shape = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('circle'), radius: z.number() }),
    z.object({ kind: z.literal('square'), side: z.number().min(1) }),
  ])
  const tree = z.object({
    name: z.string(),
    get children() {
      return z.array(tree)
    },
  })
  const cases = {
    zod: [ofZod, [place], wrong],
    'zod, converted': [z.toJSONSchema(ofZod), [place], wrong],
    'zod mini, converted': [mini.toJSONSchema(mini.object({ city: mini.string(), days: mini.int() })), [place], wrong],
    'zod, loose': [z.looseObject({ city: z.string() }), [{ city: 'Bern' }, { city: 'Bern', sky: 5 }], [{}]],
    'zod, strict': [z.strictObject({ city: z.string() }), [{ city: 'Bern' }], [{ city: 'Bern', sky: 5 }]],
    'zod, catchall': [
      z.object({ city: z.string() }).catchall(z.number()),
      [{ city: 'Bern', sky: 5 }],
      [{ city: 'Bern', sky: 'gray' }],
    ],
    'zod, optional and nullable': [
      z.object({ city: z.string().nullable(), days: z.int().optional() }),
      [{ city: null }, place],
      [{}, { city: null, sky: 1 }],
    ],
    'zod, defaults': [z.object({ city: z.string().default('Bern') }), [{}, { city: 'Thun' }], [{ sky: 1 }]],
    'zod, enum': [z.object({ unit: z.enum(['cm', 'ft']) }), [{ unit: 'cm' }], [{ unit: 'm' }]],
    'zod, a union with tags': [
      z.object({ shape }),
      [{ shape: { kind: 'circle', radius: 1.5 } }],
      [{ shape: { kind: 'circle', side: 2 } }, { shape: { kind: 'square', side: 2, radius: 1 } }],
    ],
    'zod, an intersection': [
      z.object({ at: z.intersection(z.object({ x: z.int() }), z.object({ y: z.int() })) }),
      [{ at: { x: 1, y: 2 } }],
      [{ at: { x: 1 } }, { at: { x: 1, y: 2, z: 3 } }],
    ],
    'zod, a record': [z.object({ of: z.record(z.string(), z.int()) }), [{ of: { a: 1 } }], [{ of: { a: 'b' } }]],
    'zod, a tuple and a set of formats': [
      z.object({ pair: z.tuple([z.string(), z.int()]), id: z.uuid(), at: z.iso.date() }),
      [{ pair: ['a', 1], id: '123e4567-e89b-12d3-a456-426614174000', at: '2024-02-29' }],
      [{ pair: ['a', 1], id: '1', at: '2024-02-29' }],
    ],
    'zod, of itself': [
      tree,
      [{ name: 'a', children: [{ name: 'b', children: [] }] }],
      [
        { name: 'a', children: [{ name: 'b' }] },
        { name: 'a', children: [{ name: 'b', children: [], more: 1 }] },
      ],
    ],
    'zod, a regex whose flag is dropped': [z.object({ code: z.string().regex(/^[a-z]{2}$/i) }), [{ code: 'ab' }], [{ code: 'AB' }]],
    'valibot, converted': [toStandardJsonSchema(ofValibot), [place], wrong],
    'valibot, as JSON Schema': [toJsonSchema(ofValibot), [place], wrong],
    arktype: [type({ city: 'string', days: 'number.integer' }), [place], wrong],
    'arktype, converted': [type({ city: 'string', days: 'number.integer' }).toJsonSchema(), [place], wrong],
    typebox: [Type.Object({ city: Type.String(), days: Type.Integer() }), [place], wrong],
    'effect, converted, which speaks of other keys': [
      Schema.toStandardJSONSchemaV1(Schema.Struct({ city: Schema.String, days: Schema.Int })),
      [place],
      wrong.slice(0, 2),
    ],
  }
  for (const [name, [schema, accepted, rejected]] of Object.entries(cases)) await assertTaken(name, schema, accepted, rejected)
  // The same in the Prompt API.
  const Language = createLanguageModel({ model })
  const session = await Language.create()
  assert.deepEqual(Object.keys(JSON.parse(await session.prompt('Where?', { responseConstraint: type({ sure: 'boolean' }) }))), [
    'sure',
  ])
  for (const inputSchema of [ofZod, type({ city: 'string' })])
    (await Language.create({ tools: [{ name: 'save', description: 'Saves.', inputSchema, execute: () => 'saved' }] })).destroy()
  const inputSchema = z.object({ at: z.date() })
  await assert.rejects(
    async () => Language.create({ tools: [{ name: 'save', description: 'Saves.', inputSchema, execute: () => 'saved' }] }),
    error => error instanceof TypeError && /Date cannot be/.test(error.message),
  )
})

realTest(
  'schemas that do not become JSON Schema are refused with the way out, and the reason of their library',
  shelf,
  async modules => {
    const from = importFrom(modules)
    const [{ z }, { z: z3 }, mini, v, { toStandardJsonSchema }, { Schema }] = await Promise.all(
      ['zod', 'zod/v3', 'zod/mini', 'valibot', '@valibot/to-json-schema', 'effect'].map(from),
    )
    const cases = {
      valibot: [v.object({ city: v.string() }), /valibot/, /give toStandardJsonSchema\(schema\) of @valibot\/to-json-schema/],
      'valibot, a flag': [
        toStandardJsonSchema(v.object({ city: v.pipe(v.string(), v.regex(/a/i)) })),
        /valibot/,
        /RegExp flags are not supported/,
      ],
      'valibot, a date': [toStandardJsonSchema(v.object({ at: v.date() })), /"date" schema cannot be converted/],
      'zod, a date': [z.object({ at: z.date() }), /zod/, /Date cannot be represented in JSON Schema/],
      'zod, a bigint': [z.object({ n: z.bigint() }), /BigInt cannot be represented/],
      'zod, a map': [z.object({ n: z.map(z.string(), z.int()) }), /Map cannot be represented/],
      'zod 3': [z3.object({ city: z3.string() }), /give one of Zod 4\.2 or later/],
      'zod mini': [mini.object({ city: mini.string() }), /z\.toJSONSchema\(schema\) of Zod 4/],
      'one that has functions, as those of libraries without a standard': [
        { type: 'object', validator: () => true },
        /a function is not data/,
      ],
      'effect, to be converted': [
        Schema.toStandardSchemaV1(Schema.Struct({ city: Schema.String })),
        /give Schema\.toStandardJSONSchemaV1\(schema\)/,
      ],
      effect: [Schema.Struct({ city: Schema.String }), /expected a JSON schema|not a JSON schema/],
    }
    for (const [name, [schema, ...words]] of Object.entries(cases)) await assertRefused(name, schema, words)
  },
)

realTest('schemas of OpenAPI, converted', shelf, async modules => {
  const { openapiSchemaToJsonSchema } = await importFrom(modules)('@openapi-contrib/openapi-schema-to-json-schema')
  const pet = {
    type: 'object',
    required: ['name', 'kind'],
    properties: {
      name: { type: 'string', nullable: true },
      kind: { type: 'string', enum: ['cat', 'dog'] },
      weight: { type: 'number', minimum: 0, exclusiveMinimum: true, format: 'float' },
      id: { type: 'integer', format: 'int64', readOnly: true },
    },
    discriminator: { propertyName: 'kind' },
    example: { name: 'Tom', kind: 'cat' },
  }
  const cat = {
    allOf: [pet, { type: 'object', required: ['lives'], properties: { lives: { type: 'integer', minimum: 1, maximum: 9 } } }],
  }
  await assertTaken(
    'an object',
    openapiSchemaToJsonSchema(pet),
    [
      { name: null, kind: 'cat' },
      { name: 'Tom', kind: 'dog', weight: 0.5, id: 5 },
    ],
    [
      { name: 'Tom', kind: 'cat', weight: 0 },
      { name: 'Tom', kind: 'cat', fur: 1 },
    ],
  )
  await assertTaken(
    'one that extends another',
    openapiSchemaToJsonSchema(cat),
    [{ name: 'Tom', kind: 'cat', lives: 9 }],
    [
      { name: 'Tom', kind: 'cat' },
      { name: 'Tom', kind: 'cat', lives: 9, fur: 1 },
    ],
  )
})

/** The tools of an MCP server, asked over its standard streams. */
async function toolsOf(modules, name, args = []) {
  const file = createRequire(join(modules, 'index.js')).resolve(`@modelcontextprotocol/${name}/dist/index.js`)
  const server = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'ignore'] })
  const gone = new Promise((_, reject) => server.once('exit', code => reject(new Error(`${name} ended: ${code}`))))
  gone.catch(() => {})
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
    const send = message => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const answer = async id => {
      for (;;) {
        const message = JSON.parse((await Promise.race([lines.next(), gone])).value)
        if (message.id === id && message.method === undefined) return message.result
      }
    }
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    })
    await answer(1)
    send({ method: 'notifications/initialized' })
    send({ id: 2, method: 'tools/list' })
    return (await answer(2)).tools
  } finally {
    server.kill()
  }
}

/** A template that does not show the tools, whose descriptions are longer than the bundled model's context. */
const unseen = '{% if false %}<tool_call>{% endif %}{{ messages[-1].content }}\n'

realTest('the tools of MCP servers, as parameters and held', shelf, async modules => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-mcp-'))
  try {
    const servers = {
      'server-everything': [],
      'server-filesystem': [folder],
      'server-memory': [],
      'server-sequential-thinking': [],
    }
    const lists = await Promise.all(Object.entries(servers).map(([name, args]) => toolsOf(modules, name, args)))
    const tools = lists.flat()
    assert.ok(tools.length > 25, `${tools.length}`)
    for (const { name, description, inputSchema } of tools) {
      const constraint = await model.compile({ jsonSchema: inputSchema })
      await constraint.dispose()
      const {
        toolCalls: [call],
        finishReason,
      } = await model.chat(user('Do it.'), {
        ...asked,
        temperature: 0,
        maxTokens: 150,
        tools: [{ name, description, parameters: inputSchema, strict: true }],
        toolChoice: 'required',
        template: { jinja: unseen },
      })
      if (finishReason === 'tool-calls') assert.deepEqual([call.name, call.error], [name, undefined], name)
    }
    // All at once, without any being held.
    await model.chat(user('Do it.'), {
      ...asked,
      maxTokens: 8,
      template: { jinja: unseen },
      tools: tools.map(({ name, inputSchema }) => ({ name, parameters: inputSchema })),
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
