// Constrained texts: schemas, expressions, grammars and choices, in generations, sessions and chats.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { runInNewContext } from 'node:vm'
import { loadModel } from 'heed'
import { scriptedModel, scriptedTemplate } from '../support/scripted_model.mjs'
import { rejectsWith, withModel } from './support.mjs'

const person = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'age'],
  properties: {
    name: { type: 'string', maxLength: 12 },
    age: { type: 'integer', minimum: 0, maximum: 120 },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 3 },
  },
}
const isPerson = ({ name, age, tags = [], ...rest }) =>
  Object.keys(rest).length === 0 &&
  [...name].length <= 12 &&
  Number.isInteger(age) &&
  age >= 0 &&
  age <= 120 &&
  tags.length <= 3 &&
  tags.every(tag => ['a', 'b'].includes(tag))
/** The parts of a JSON text outside of strings. */
const outside = text => text.replace(/"(\\.|[^"\\])*"/g, '""')
const user = content => [{ role: 'user', content }]
/** Greedy, so that a model follows its script as far as the form lets it. */
const greedy = { temperature: 0, maxTokens: 200 }
const wild = { temperature: 1.5, topK: 0, topP: 1, minP: 0 }
let model
before(async () => {
  model = await loadModel(undefined, { threads: 2, parallel: 4 })
})
after(() => model.dispose())

test('a text satisfies the constraint at any temperature', async () => {
  const forms = [
    [{ jsonSchema: person, whitespace: 'compact' }, (text, parsed) => isPerson(parsed) && !/\s/.test(outside(text))],
    [
      { jsonSchema: JSON.stringify(person), whitespace: { indent: 2 } },
      (text, parsed) => isPerson(parsed) && /^\{\n {2}"name": "/.test(text),
    ],
    [{ jsonSchema: person, maxWhitespace: 1, order: 'any' }, (text, parsed) => isPerson(parsed) && !/\s\s/.test(outside(text))],
    [{ regex: /(\d{3}-)+[a-z]{1,8}!/u }, text => /^(\d{3}-)+[a-z]{1,8}!$/.test(text)],
    [{ regex: 'yes|no' }, text => ['yes', 'no'].includes(text)],
    [{ grammar: 'root ::= "(" root ")" | [a-c]{2,4}' }, text => /^\(*[a-c]{2,4}\)*$/.test(text)],
    [{ choices: ['red (dark)', 'red', '[a-z]*', 'größer'] }, text => ['red (dark)', 'red', '[a-z]*', 'größer'].includes(text)],
  ]
  forms.push([{ regex: runInNewContext('/[ab]{3}/') }, text => /^[ab]{3}$/.test(text)]) // of another realm
  for (const [form, isRight] of forms) {
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, seed) => model.generate('Once', { ...wild, ...form, seed, maxTokens: 600 })),
    )
    for (const { text, parsed, finishReason } of results) {
      assert.equal(finishReason, 'stop', text)
      assert.ok(isRight(text, parsed), `${JSON.stringify(form)}: ${text}`)
      assert.equal(parsed !== undefined, 'jsonSchema' in form)
    }
  }
})

test('the same seed gives the same text, with and without guesses, alone and beside others', async () => {
  const asked = { jsonSchema: person, seed: 4, whitespace: 'compact', temperature: 1 }
  const [plain, guessed, again] = [
    await model.generate('Once', { ...asked, speculate: 'off' }),
    await model.generate('Once', asked),
    await model.generate('Once', asked),
  ]
  const [beside] = await Promise.all([model.generate('Once', asked), model.generate('A fox', { seed: 1 })])
  for (const { text } of [guessed, again, beside]) assert.equal(text, plain.text)
})

test('texts without a constraint are not affected by constrained ones beside them', async () => {
  const alone = await model.generate('Once upon', { seed: 9, maxTokens: 40 })
  const [beside, held] = await Promise.all([
    model.generate('Once upon', { seed: 9, maxTokens: 40 }),
    model.generate('Once upon', { jsonSchema: person, seed: 9, maxTokens: 40 }),
  ])
  assert.equal(beside.text, alone.text)
  assert.match(held.text, /^\{/)
  assert.deepEqual([beside.parsed, held.timings.generatedTokens > 0], [undefined, true])
})

test('a text that is cut off has no value', async () => {
  const { text, parsed, finishReason } = await model.generate('Once', { jsonSchema: person, maxTokens: 3, seed: 1 })
  assert.deepEqual([text[0], parsed, finishReason], ['{', undefined, 'length'])
})

test('a number that is cut off has no value, and one that is whole has', () =>
  withModel(scriptedModel(['1288888']), { threads: 1 }, async scripted => {
    const held = (more, { minimum = 10, maximum } = {}) => [
      scripted.generate('Once', { ...greedy, jsonSchema: { type: 'integer', minimum, maximum }, whitespace: 'compact', ...more }),
      scripted.chat(user('?'), { ...greedy, jsonSchema: { type: 'integer', minimum, maximum }, whitespace: 'compact', ...more }),
    ]
    for (const whole of [...held({}, { maximum: 99 }), ...held({ stop: ['\n\n'] }, { maximum: 99 })]) {
      const { text, parsed, finishReason } = await whole
      assert.match(text, /^\d\d$/)
      assert.deepEqual([parsed, whole.parsed, finishReason], [Number(text), Number(text), 'stop'])
    }
    for (const cut of [...held({ maxTokens: 2 }, { minimum: 1e9 }), held({ stop: ['88'] })[1]]) {
      const { text, parsed } = await cut
      assert.match(text, /^\d+$/)
      assert.deepEqual([parsed, cut.parsed], [undefined, undefined])
    }
  }))

test('log-probabilities are the model’s, and a token satisfies the constraint', async () => {
  const { tokens } = await model.generate('Once upon', { choices: ['zebra'], topLogprobs: 3, seed: 1 })
  assert.equal(tokens.map(({ text }) => text).join(''), 'zebra')
  const [{ alternatives }] = tokens
  const free = await model.generate('Once upon', { topLogprobs: 3, maxTokens: 1, seed: 1 })
  assert.deepEqual(alternatives, free.tokens[0].alternatives)
})

/** Whether a value may become another one as more of its text arrives. */
function begins(part, whole) {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part)
  if (Array.isArray(part))
    return (
      Array.isArray(whole) &&
      part.every((item, at) => (at < part.length - 1 ? isDeepStrictEqual(item, whole[at]) : begins(item, whole[at])))
    )
  if (typeof part === 'object' && part !== null)
    return Object.entries(part).every(([key, value]) => key in whole && begins(value, whole[key]))
  return part === whole
}

/** The values of a text as it is written. */
async function valuesOf(generation) {
  const values = []
  for await (const { type = 'text' } of generation) if (type === 'text') values.push(generation.parsed)
  const { parsed, text, finishReason } = await generation
  for (const value of values)
    assert.ok(value === undefined || finishReason === 'length' || begins(value, parsed), `${JSON.stringify(value)} of ${text}`)
  if (finishReason === 'stop') assert.deepEqual(values.at(-1), parsed)
  return values
}

test('the value of a text grows with it', async () => {
  const jsonSchema = {
    type: 'array',
    minItems: 2,
    maxItems: 3,
    items: { anyOf: [person, { type: 'string', maxLength: 9 }, { type: ['number', 'null', 'boolean'] }] },
  }
  let values = 0
  for (let seed = 0; seed < 12; seed++)
    values += (await valuesOf(model.generate('Once', { ...wild, jsonSchema, seed, maxTokens: 700 }))).length
  assert.ok(values > 100)
  await valuesOf(model.chat(user('Who?'), { jsonSchema: person, seed: 2, maxTokens: 600 }))
})

test('a value so far has no half of an escape, and no number that may go on', async () => {
  const seen = new Set()
  for (let keys = 1; keys <= 6; keys++) {
    // which moves the borders of the tokens
    const script = String.raw`{"${'k'.repeat(keys)}":"x\u00e9\ud83d\ude00\"\\n","b":[120,-3.25e1],"c":true}`
    await withModel(scriptedModel([script]), { threads: 1 }, async scripted => {
      const values = await valuesOf(scripted.chat(user('?'), { jsonSchema: { type: 'object' }, whitespace: 'compact', ...greedy }))
      assert.deepEqual(values.at(-1), JSON.parse(script))
      for (const value of values) seen.add(JSON.stringify(value))
    })
  }
  assert.ok(seen.size > 20)
})

test('tokens say how many the form allowed', async () => {
  const { tokens } = await model.generate('Once', { choices: ['ab', 'cd'], seed: 1 })
  assert.ok(
    tokens.every(({ allowed }) => allowed >= 1 && allowed < 20),
    JSON.stringify(tokens),
  )
  assert.equal('allowed' in (await model.generate('Once', { maxTokens: 1 })).tokens[0], false)
})

test('by default, a small model comes to the end of an object', async () => {
  const animal = { enum: ['fox', 'owl', 'hen'] },
    legs = { type: 'integer', minimum: 0, maximum: 8 }
  const object = (properties, more) => ({ type: 'object', properties, required: Object.keys(properties), ...more })
  const schemas = [
    object({ animal, legs }, { additionalProperties: false }),
    object({ animal, legs }),
    { allOf: [object({ animal }), object({ legs })] },
    object({ list: { type: 'array', maxItems: 3, items: object({ animal, legs }) } }),
  ]
  for (const jsonSchema of schemas) {
    const values = await Promise.all(
      Array.from({ length: 12 }, (_, seed) => model.generate('A fox in JSON: ', { jsonSchema, seed, maxTokens: 120 })),
    )
    assert.deepEqual(
      values.filter(({ parsed }) => parsed === undefined).map(({ text }) => text),
      [],
    )
  }
})

test('options say how a schema is read', async () => {
  const accepts = async (options, texts) => {
    const constraint = await model.compile(options)
    const accepted = await Promise.all(texts.map(text => constraint.accepts(text)))
    await constraint.dispose()
    return [...accepted, constraint.ignored.map(({ keyword }) => keyword).join()]
  }
  const point = { type: 'object', properties: { x: { type: 'array' } } }
  const texts = ['{"x":[]}', '{"x":[1]}', '{"y":1}']
  assert.deepEqual(await accepts({ jsonSchema: point }, texts), [true, true, false, ''])
  assert.deepEqual(await accepts({ jsonSchema: point, closed: false }, texts), [true, true, true, ''])
  const gaps = ['{ "x":[]}', '{  "x":[]}', `{${' '.repeat(65)}"x":[]}`]
  assert.deepEqual(await accepts({ jsonSchema: point }, gaps), [true, false, false, ''])
  assert.deepEqual(await accepts({ jsonSchema: point, whitespace: 'any' }, gaps), [true, true, false, ''])
  assert.deepEqual(await accepts({ jsonSchema: point, maxWhitespace: 70 }, gaps), [true, true, true, ''])
  assert.deepEqual(await accepts({ jsonSchema: point, closed: true }, texts), [true, false, false, ''])

  const day = { format: 'date' },
    shift = { format: 'shift' }
  assert.deepEqual(await accepts({ jsonSchema: day }, ['"2026-01-02"', '"x"']), [true, false, ''])
  assert.deepEqual(await accepts({ jsonSchema: day, formats: 'annotate' }, ['"2026-01-02"', '"x"']), [true, true, 'format'])
  assert.deepEqual(await accepts({ jsonSchema: shift }, ['"x"']), [true, 'format'])
  await rejectsWith('unsupported', /format at #/, model.compile({ jsonSchema: shift, formats: 'strict' }))

  const word = { jsonSchema: { type: 'string' } }
  assert.deepEqual(await accepts(word, ['"/"', '"\\/"', '"\\u0061"']), [true, true, true, ''])
  assert.deepEqual(await accepts({ ...word, escapes: 'canonical' }, ['"/"', '"\\/"', '"\\u0061"', '"\\n"']), [
    true,
    false,
    false,
    true,
    '',
  ])

  const referring = { jsonSchema: { $ref: 'https://a.example/river#/$defs/level' } }
  const river = { $defs: { level: { type: 'integer', maximum: 9 } } }
  const exact = '{"$defs": {"level": {"const": 12345678901234567890}}}' // more digits than JavaScript's numbers have
  await rejectsWith('unsupported', /\$ref at #/, model.compile(referring))
  assert.deepEqual(await accepts({ ...referring, schemas: { 'https://a.example/river': river } }, ['7', '10']), [true, false, ''])
  assert.deepEqual(
    await accepts({ ...referring, schemas: { 'https://a.example/river': exact } }, [
      '12345678901234567890',
      '12345678901234567000',
    ]),
    [true, false, ''],
  )
  const { text } = await model.generate('Once', {
    ...wild,
    ...referring,
    schemas: { 'https://a.example/river': { $defs: { level: { enum: [4] } } } },
    seed: 1,
  })
  assert.equal(text, '4')

  for (const [wrong, message] of [
    [{ escapes: 'none' }, /escapes: expected 'any' or 'canonical'/],
    [{ formats: 'some' }, /formats: expected 'known' or 'strict' or 'annotate'/],
    [{ closed: 1 }, /closed: expected true or false/],
    [{ schemas: [] }, /schemas: expected an object from URIs/],
    [{ schemas: { 'https://a.example/b': 5 } }, /schemas: "https:\/\/a\.example\/b": expected a JSON schema/],
    [{ schemas: { 'https://a.example/b': '{' } }, /./],
    [{ minify: true }, /has no option "minify"/],
  ])
    await rejectsWith('invalid-argument', message, model.compile({ jsonSchema: true, ...wrong }))
  for (const name of ['formats', 'escapes', 'closed', 'schemas']) {
    const value = { formats: 'strict', escapes: 'any', closed: true, schemas: {} }[name]
    await rejectsWith(
      'invalid-argument',
      new RegExp(`${name} is an option of jsonSchema`),
      model.compile({ regex: 'a', [name]: value }),
    )
  }
})

test('a compiled form serves many calls', async () => {
  const jsonSchema = { ...person, properties: { ...person.properties, when: { type: 'string', format: 'noon', maxLength: 40 } } }
  const constraint = await model.compile({ jsonSchema, maxWhitespace: 1 }) // else a model may fill its tokens with line breaks
  assert.deepEqual(constraint.ignored, [{ keyword: 'format', path: '#/properties/when' }])
  assert.ok(constraint.size > 1000 && constraint.size < 1e6, `${constraint.size} bytes`)
  assert.deepEqual(
    [await constraint.accepts('{"name": "Ada", "age": 36}'), await constraint.accepts('{"name": "Ada"}')],
    [true, false],
  )
  const results = await Promise.all([1, 2, 3].map(seed => model.generate('Once', { constraint, seed, maxTokens: 800 })))
  for (const {
    parsed: { when = '', ...rest },
  } of results)
    assert.ok(typeof when === 'string' && isPerson(rest))
  const same = await model.compile({ regex: 'a+' })
  const other = await model.compile({ regex: 'a+' })
  await same.dispose()
  assert.equal(await other.accepts('aaa'), true)
  await same.dispose()
  await rejectsWith('disposed', /constraint/, same.accepts('a'))
  await rejectsWith('disposed', /constraint/, () => model.generate('x', { constraint: same }))
  await rejectsWith('invalid-argument', /accepts: expected a string, got 5/, other.accepts(5))
  await withModel(undefined, { threads: 1 }, async another => {
    assert.match((await another.generate('Once', { constraint: other, maxTokens: 5, seed: 1 })).text, /^a+$/)
  })
  await other.dispose()
  await constraint.dispose()
})

test('a Standard Schema is converted', async () => {
  const schema = {
    '~standard': {
      version: 1,
      validate: value => ({ value }),
      jsonSchema: { input: () => ({ type: 'array', items: { const: 7 }, minItems: 2, maxItems: 2 }) },
    },
  }
  assert.deepEqual((await model.generate('x', { jsonSchema: schema, maxTokens: 500, seed: 1 })).parsed, [7, 7])
  // Like the result of z.toJSONSchema, with its original schema as a hidden property.
  const made = Object.defineProperty({ const: 8 }, '~standard', { value: schema['~standard'] })
  assert.equal((await model.generate('x', { jsonSchema: made })).parsed, 8)
  await rejectsWith('invalid-argument', /jsonSchema: this schema of a library cannot be converted: give a JSON schema/, () =>
    model.generate('x', { jsonSchema: { '~standard': {} } }),
  )
})

test('more forms than are kept', async () => {
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 20; i++) assert.equal((await model.generate('x', { choices: [`n${i}`] })).text, `n${i}`)
  }
})

test('sessions continue after a form', async () => {
  const session = await model.session()
  const { text } = await session.generate('Once', { choices: [' upon a time, there was a fox.'] })
  assert.equal(text, ' upon a time, there was a fox.')
  const { tokens } = await session.generate('', { maxTokens: 3, seed: 1 })
  assert.equal(tokens.length, 3)
  const ending = new AbortController()
  const generation = session.generate('', { regex: '[a-z ]*', minP: 0, maxTokens: 1000, signal: ending.signal })
  for await (const _ of generation) ending.abort()
  assert.equal((await generation).finishReason, 'abort')
  assert.equal((await session.generate('', { choices: ['end'] })).text, 'end')
  await session.dispose()
})

test('expressions match the same texts as RegExp', async () => {
  for (const [regex, ...texts] of [
    [/[\p{Lu}\]x]\[/v, 'A[', 'x[', ']['],
    [/\\p/, '\\p'],
    [/[\\p]/, 'p', '\\'],
    [/[\\u{]/, 'u', '{'],
    [/[^\\]]\u0041/, 'b]A'],
    [/\u{1F600}\p{L}/u, '😀a'],
    [/./u, '😀'],
  ]) {
    const constraint = await model.compile({ regex })
    for (const text of texts) assert.ok(await constraint.accepts(text), `${regex}: ${text}`)
    await constraint.dispose()
  }
})

test('an unenforceable constraint is rejected with its place, and the model stays usable', async () => {
  const refused = (code, message, options) => rejectsWith(code, message, () => model.generate('Once', options))
  await refused('invalid-argument', /type must be .*\(type at #\/properties\/a\)/, {
    jsonSchema: { properties: { a: { type: 'objet' } } },
  })
  await refused('invalid-argument', /not closed .*at 1\)/, { regex: 'a(b' })
  await refused('invalid-argument', /root/, { grammar: 'start ::= "a"' })
  await refused('invalid-argument', /at #/, { jsonSchema: { type: 'integer', minimum: 5, maximum: 4 } })
  await refused('invalid-argument', /generate: jsonSchema and choices exclude each other/, { jsonSchema: {}, choices: ['a'] })
  await refused('invalid-argument', /generate: order is an option of jsonSchema/, { regex: 'a', order: 'any' })
  await refused('invalid-argument', /generate: regex: the flags "i"/, { regex: /a/i })
  for (const regex of [/[[a-z]&&[aeiou]]/v, /[a--b]/v, /[\q{abc}]/v, /\\[x[y]]/v])
    await refused('invalid-argument', /regex: classes within classes/, { regex })
  for (const regex of ['\\p{L}', 'a\\P{L}', '[\\u{3}]'].map(source => new RegExp(source)))
    await refused('invalid-argument', /regex: \\p and .* flag u/, { regex })
  await refused('invalid-argument', /generate: whitespace: indent: expected an integer from 0 to 10/, {
    jsonSchema: {},
    whitespace: { indent: 11 },
  })
  await refused('invalid-argument', /generate: choices: expected an array of non-empty texts, got \[""\]/, { choices: [''] })
  await refused('invalid-argument', /generate: choices: expected at least one text/, { choices: [] })
  await refused('invalid-argument', /generate: jsonSchema: expected a JSON schema/, { jsonSchema: 5 })
  await refused('invalid-argument', /generate: constraint: expected a constraint of `compile`/, { constraint: {} })
  await rejectsWith('invalid-argument', /compile: one of jsonSchema, regex, grammar and choices is required/, model.compile({}))
  await refused('invalid-argument', /stopAtEnd/, { regex: 'a', stopAtEnd: false })
  await refused('unsupported', /at 3\)/, { regex: '(a)\\1' })
  assert.equal((await model.generate('Once', { choices: ['still'] })).text, 'still')
})

test('a module that cannot be fetched is an error of the call alone', () =>
  withModel(
    undefined,
    { threads: 1, assets: { 'heed-constraints.wasm': 'file:///nowhere/heed-constraints.wasm' } },
    async lacking => {
      await rejectsWith('io', /nowhere/, () => lacking.generate('Once', { choices: ['a'] }))
      await rejectsWith('io', /nowhere/, lacking.compile({ choices: ['a'] }))
      assert.equal((await lacking.generate('Once', { maxTokens: 3 })).tokens.length, 3)
    },
  ))

/** A module of constraints whose functions return 1, except those that trap, and `input`, which returns memory. */
function trapping(...traps) {
  const names = [
    '_initialize',
    'input',
    'output',
    'outputSize',
    'setVocabulary',
    'make',
    'drop',
    'beginCompare',
    'compare',
    'endCompare',
    'begin',
    'prepare',
    'end',
    'mask',
    'accept',
    'finished',
    'forced',
  ]
  const text = name => [name.length, ...Buffer.from(name)]
  const section = (id, ...bytes) => [id, (bytes.length & 0x7f) | 0x80, bytes.length >> 7, ...bytes]
  const functionOf = name => (traps.includes(name) ? 2 : name === 'input' ? 0 : 1)
  return Uint8Array.from([
    0,
    ...Buffer.from('asm'),
    1,
    0,
    0,
    0,
    ...section(1, 1, 0x60, 5, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 1, 0x7f), // (i32, i32, i32, i32, i32) -> i32
    ...section(3, 3, 0, 0, 0),
    ...section(5, 1, 0, 0x40),
    ...section(7, names.length + 1, ...text('memory'), 2, 0, ...names.flatMap(name => [...text(name), 0, functionOf(name)])),
    ...section(10, 3, 4, 0, 0x41, 8, 0x0b, 4, 0, 0x41, 1, 0x0b, 3, 0, 0, 0x0b), // 8; 1; unreachable
    ...section(11, 1, 0, 0x41, 1, 0x0b, 1, 0x30), // where `output` is: 0, in JSON
  ])
}

test('a module that traps is an error of the call alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-constraints-'))
  try {
    for (const name of ['setVocabulary', 'make', 'begin', 'mask']) {
      const file = join(folder, `${name}.wasm`)
      writeFileSync(file, trapping(name))
      await withModel(undefined, { threads: 1, assets: { 'heed-constraints.wasm': pathToFileURL(file) } }, async failing => {
        const both = await Promise.allSettled([1, 2].map(() => failing.generate('Once', { regex: name }).result))
        assert.deepEqual(
          both.map(({ reason }) => reason?.code),
          ['unsupported', 'unsupported'],
        )
        for (let again = 0; again < 2; again++)
          await rejectsWith('unsupported', /the constraint failed/, () => failing.generate('Once', { regex: name }))
        assert.equal((await failing.generate('Once', { maxTokens: 3 })).tokens.length, 3)
      })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a chat satisfies a constraint', async () => {
  const { text, parsed, message } = await model.chat(user('Who?'), {
    jsonSchema: person,
    whitespace: 'compact',
    seed: 2,
    maxTokens: 600,
  })
  assert.ok(isPerson(parsed), text)
  assert.equal(message.content, text)
  const session = await model.session()
  assert.equal((await session.chat(user('Yes?'), { choices: ['Yes!'] })).text, 'Yes!')
  await session.dispose()
  const tools = [{ name: 'time' }]
  assert.throws(
    () => model.chat([...user('Who?'), { role: 'assistant', content: 'A' }], { jsonSchema: person, continueFinal: true }),
    /continueFinal/,
  )
  assert.ok(
    isPerson((await model.chat(user('Who?'), { jsonSchema: person, tools, toolChoice: 'none', seed: 3, maxTokens: 900 })).parsed),
  )
})

test('reasoning stays free, and the form begins after it', async () => {
  const template = `{# </think> #}${scriptedTemplate}`
  await withModel(scriptedModel(['<think>Let me {"think".</think>\n\n{"a": 5}'], { template }), { threads: 1 }, async reasoning => {
    const { reasoning: thought, parsed, text } = await reasoning.chat(user('?'), { ...greedy, jsonSchema: { type: 'object' } })
    assert.deepEqual([thought, parsed, text], ['Let me {"think".', { a: 5 }, '{"a": 5}'])
  })
  await withModel(
    scriptedModel(['Thinking about it</think>"b"'], { template: template.replace('assistant\n', 'assistant\n<think>') }),
    { threads: 1 },
    async reasoning => {
      const { reasoning: thought, text } = await reasoning.chat(user('?'), { ...greedy, jsonSchema: { enum: ['a', 'b'] } })
      assert.deepEqual([thought, text], ['Thinking about it', '"b"'])
    },
  )
  await withModel(scriptedModel(['Sure!'], { template }), { threads: 1 }, async reasoning => {
    const { text, reasoning: thought } = await reasoning.chat(user('?'), { ...greedy, jsonSchema: { enum: [1, 2] }, think: false })
    assert.deepEqual([['1', '2'].includes(text), thought], [true, ''])
  })
})
