// The types that a schema gives a parameter, in every way of expressing them: they determine how its values are written and read
// (Qwen 3.5's calls), and are checked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChatTemplate } from 'heed/chat'

const template = new ChatTemplate('{% if false %}<tool_call><function=<parameter={% endif %}')
const defs = {
  color: { type: 'string', enum: ['12', 'red', 'null'] },
  level: { enum: [1, 2] },
  word: { type: 'string' },
  size: { type: 'integer' },
  tree: { type: 'object', properties: { of: { $ref: '#/$defs/tree' } } },
  loop: { $ref: '#/$defs/loop' },
  'a/b~c': { type: 'string' },
}

/** The value that is read of a text under a schema, which has the definitions. */
function read(text, schema, root = {}) {
  const parameters = { type: 'object', properties: { x: schema }, $defs: defs, definitions: defs, ...root }
  const {
    toolCalls: [call],
  } = template.parse(`<tool_call>\n<function=f>\n<parameter=x>\n${text}\n</parameter>\n</function>\n</tool_call>`, {
    tools: [{ type: 'function', function: { name: 'f', parameters } }],
  })
  assert.deepEqual(JSON.parse(call.text), call.arguments)
  return call.arguments.x
}

/** A condition. `then` is set so, because an object that has one looks like a promise to tools. */
const when = (condition, then, otherwise) =>
  Object.fromEntries([['if', condition], ['then', then], ...(otherwise ? [['else', otherwise]] : [])])
const ref = name => ({ $ref: `#/$defs/${name}` })
/** A text that would be a number elsewhere stays a text. */
const texts = {
  'a type': { type: 'string' },
  'a list of types': { type: ['string', 'integer'] },
  'a reference': ref('word'),
  'a reference with a description': { ...ref('word'), description: 'Which.', default: 'x' },
  definitions: { $ref: '#/definitions/word' },
  'a name with escapes': { $ref: '#/$defs/a~1b~0c' },
  allOf: { allOf: [ref('word')] },
  'allOf with a limit': { type: 'string', allOf: [{ minLength: 1 }] },
  'anyOf with null': { anyOf: [ref('word'), { type: 'null' }] },
  oneOf: { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
  'anyOf in anyOf': { anyOf: [{ anyOf: [{ type: 'integer' }, ref('word')] }, { type: 'null' }] },
  'enum without a type': { enum: ['12', 'b'] },
  const: { const: '12' },
  'a union of constants': { anyOf: [{ const: '12' }, { const: '13' }] },
  nullable: { type: 'string', nullable: true },
  'nullable around a reference': { nullable: true, allOf: [ref('word')] },
  'a reference to an enum': ref('color'),
  'an enum and null': { anyOf: [ref('color'), { type: 'null' }] },
  'branches of a condition': when({ minLength: 2 }, { type: 'string' }, { type: ['string', 'null'] }),
  'all types but one': { not: { type: ['number', 'integer', 'boolean', 'null', 'object', 'array'] } },
  'a list beside it': { anyOf: [{ type: 'string' }, { type: 'array' }] },
  'several parts': { allOf: [{ type: ['string', 'integer'] }, { type: ['string', 'null'] }] },
}
for (const [name, schema] of Object.entries(texts)) test(`a text: ${name}`, () => assert.equal(read('12', schema), '12'))

const values = {
  'a reference to an integer': [ref('size'), '12', 12],
  'an integer or null': [{ anyOf: [ref('size'), { type: 'null' }] }, 'null', null],
  'null as Python writes it': [{ type: ['string', 'null'] }, 'None', null],
  'null that is one of the texts': [{ anyOf: [ref('color'), { type: 'null' }] }, 'null', 'null'],
  'an enum of numbers': [ref('level'), '2', 2],
  'an enum of both, a text': [{ enum: [1, '2'] }, '2', '2'],
  'an enum of both, a number': [{ enum: [1, '2'] }, '1', 1],
  'a reference to an object': [ref('tree'), '{"of": {}}', { of: {} }],
  'no schema': [{}, '12', 12],
  'any value': [true, '[1]', [1]],
  'a schema that refers to itself': [ref('loop'), '12', 12],
  'a reference to nothing': [ref('nowhere'), '12', 12],
  'a type that nobody knows': [{ type: 'date' }, '12', 12],
  'a boolean of Python': [{ type: 'boolean' }, 'True', true],
  'a dict of Python': [{ type: 'object' }, "{'a': [1, None]}", { a: [1, null] }],
  'a type that is excluded': [{ type: ['string', 'integer'], not: { type: 'string' } }, '12', 12],
  'integers are numbers that are excluded': [
    { type: ['string', 'integer', 'boolean'], not: { type: ['number', 'string'] } },
    'true',
    true,
  ],
  'a branch that allows anything': [when({ minimum: 2 }, { type: 'string' }), '12', 12],
  'a list that may be a text': [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, '["a"]', ['a']],
  'an object that may be a text': [{ type: ['string', 'object'] }, '{"a": 1}', { a: 1 }],
  'a text that looks like a list': [{ type: 'string' }, '["a"]', '["a"]'],
  'one that is enumerated': [{ enum: ['[1]', [1]] }, '[1]', '[1]'],
  'a signed integer': [{ type: 'integer' }, '+7', 7],
  'a sign without a schema is text': [{}, '+41791234567', '+41791234567'],
}
for (const [name, [schema, text, value]] of Object.entries(values))
  test(`a value: ${name}`, () => assert.deepEqual(read(text, schema), value))

test('parameters that lie elsewhere', () => {
  const properties = undefined
  for (const root of [
    { properties, $ref: '#/$defs/all' },
    { properties, allOf: [{ $ref: '#/$defs/all' }] },
    { properties, anyOf: [{ properties: { y: {} } }, { $ref: '#/$defs/all' }] },
    { properties, additionalProperties: { type: 'string' } },
    { properties, patternProperties: { '^x': { type: 'string' } }, additionalProperties: false },
    {
      properties,
      patternProperties: { '^x': { type: 'string' }, '^y': { type: 'integer' } },
      additionalProperties: { type: 'number' },
    },
    { properties, ...when({ required: ['y'] }, { properties: { x: { type: 'string' } } }) },
    { properties, ...when({}, { $ref: '#/$defs/all' }, { $ref: '#/$defs/all' }) },
    { properties, dependentSchemas: { y: { $ref: '#/$defs/all' } } },
    { properties, dependencies: { z: ['y'], y: { $ref: '#/$defs/all' } } },
    { properties: { x: { $ref: '#/properties/y' }, y: { type: 'string' } } },
    { properties: { x: { $ref: 'Word' } }, $defs: { Word: { $id: 'Word', type: 'string' } } },
    {
      $id: 'https://a.example/all',
      properties: { x: { $ref: 'https://a.example/word' } },
      $defs: { w: { $id: 'https://a.example/word', type: 'string' } },
    },
    { properties: { x: { $ref: '#word' } }, $defs: { w: { $anchor: 'word', type: 'string' } } },
  ])
    assert.equal(
      read('12', undefined, { $defs: { all: { type: 'object', properties: { x: { type: 'string' } } } }, ...root }),
      '12',
      JSON.stringify(root),
    )
})

test('schemas of many references that branch are read in no time', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `d${at}`,
      at === 59 ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  )
  assert.equal(read('12', { $ref: '#/$defs/d0' }, { $defs }), '12')
})
