// Parameters as schema libraries write them: which of them are texts, parsed from calls in a kind of XML, checked, and enforced
// during generation.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { loadModel } from 'heed'
import { ChatTemplate } from 'heed/chat'
import { fromNpm, realTest } from './shelf.mjs'

const versions = {
  zod: '4.6.7',
  valibot: '1.5.0',
  '@valibot/to-json-schema': '1.8.0',
  typebox: '1.4.3',
  arktype: '2.2.10',
  effect: '4.1.0',
}
const source =
  '{% if false %}<tool_call><function=<parameter=</think>{% endif %}{{ messages[-1].content }}{% if add_generation_prompt %}<think></think>{% endif %}'

/** Four parameters: one of two texts, the same or null, a text, and a text or a number. */
const schemasOf = {
  async zod(load) {
    const z = await load('zod')
    const word = z.enum(['12', 'red']).meta({ id: 'Word' })
    return z.toJSONSchema(
      z.object({ word, maybe: word.nullable().describe('Or none.'), text: z.string(), both: z.union([z.string(), z.number()]) }),
    )
  },
  async valibot(load) {
    const [v, { toJsonSchema }] = [await load('valibot'), await load('@valibot/to-json-schema')]
    const word = v.picklist(['12', 'red'])
    return toJsonSchema(v.object({ word, maybe: v.nullable(word), text: v.string(), both: v.union([v.string(), v.number()]) }), {
      definitions: { word },
    })
  },
  async typebox(load) {
    const { Type } = await load('typebox')
    const word = Type.Union([Type.Literal('12'), Type.Literal('red')])
    return Type.Object({
      word,
      maybe: Type.Union([word, Type.Null()]),
      text: Type.String(),
      both: Type.Union([Type.String(), Type.Number()]),
    })
  },
  async arktype(load) {
    const { type } = await load('arktype')
    return type({ word: "'12'|'red'", maybe: "'12'|'red'|null", text: 'string', both: 'string|number' }).toJsonSchema()
  },
  async effect(load) {
    const Schema = await load('effect/Schema')
    const word = Schema.Literals(['12', 'red']).annotate({ identifier: 'Word' })
    const all = Schema.Struct({
      word,
      maybe: Schema.NullOr(word),
      text: Schema.String,
      both: Schema.Union([Schema.String, Schema.Number]),
    }).annotate({ identifier: 'All' })
    return Schema.toStandardJSONSchemaV1(all)['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  },
  /** Pydantic's `model_json_schema`, of versions 1 and 2. */
  pydantic: () => ({
    $defs: { Word: { enum: ['12', 'red'], title: 'Word', type: 'string' } },
    title: 'All',
    type: 'object',
    required: ['word', 'text', 'both'],
    properties: {
      word: { $ref: '#/$defs/Word', description: 'Which.' },
      maybe: { anyOf: [{ $ref: '#/$defs/Word' }, { type: 'null' }], default: null },
      text: { title: 'Text', type: 'string' },
      both: { anyOf: [{ type: 'string' }, { type: 'number' }], title: 'Both' },
    },
  }),
  pydantic1: () => ({
    title: 'All',
    type: 'object',
    required: ['word', 'text', 'both'],
    definitions: { Word: { title: 'Word', description: 'An enumeration.', enum: ['12', 'red'], type: 'string' } },
    properties: {
      word: { allOf: [{ $ref: '#/definitions/Word' }] },
      maybe: { $ref: '#/definitions/Word' },
      text: { type: 'string' },
      both: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    },
  }),
}

realTest(
  'parameters of schema libraries',
  () => fromNpm('arguments', versions),
  async modules => {
    const require = createRequire(join(modules, 'package.json'))
    const load = name => import(require.resolve(name))
    const model = await loadModel(undefined, { threads: 2 })
    const template = new ChatTemplate(source)
    for (const [library, schemaOf] of Object.entries(schemasOf)) {
      const parameters = await schemaOf(load)
      const tools = [{ type: 'function', function: { name: 'f', parameters } }]
      const member = name => `<parameter=${name}>\n12\n</parameter>\n`
      const {
        toolCalls: [read],
      } = template.parse(
        `<tool_call>\n<function=f>\n${['word', 'maybe', 'text', 'both'].map(member).join('')}</function>\n</tool_call>`,
        { tools },
      )
      assert.deepEqual(read.arguments, { word: '12', maybe: '12', text: '12', both: '12' }, library)

      const chat = seed =>
        model.chat([{ role: 'user', content: 'Once' }], {
          template: { jinja: source },
          tools: [{ name: 'f', parameters: { ...parameters, required: ['word', 'maybe'] } }],
          toolChoice: 'required',
          temperature: 1.5,
          topK: 0,
          topP: 1,
          seed,
          maxTokens: 300,
          maxSteps: 1,
        })
      let held = 0
      for (let seed = 0; seed < 6 || (held === 0 && seed < 60); seed++) {
        // most random replies end before their call does
        const {
          toolCalls,
          steps: [{ generation }],
        } = await chat(seed)
        const written = /<parameter=word>\n(.*)\n<\/parameter>/.exec(generation.text)?.[1]
        if (written !== undefined) {
          held++
          assert.ok(['12', 'red'].includes(written), `${library}: ${generation.text}`)
        }
        for (const { arguments: given, error } of toolCalls) {
          assert.equal(error, undefined)
          assert.ok(
            ['12', 'red'].includes(given.word) && [null, '12', 'red'].includes(given.maybe ?? null),
            `${library}: ${JSON.stringify(given)}`,
          )
        }
      }
      assert.ok(held > 0, library)
    }
    await model.dispose()
  },
)
