// The wasm module of constraints, through the engine's worker's own wrapper of it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bundlePart } from '../../tools/building/parts.mjs'
import { inRoot } from '../../tools/paths.mjs'

await bundlePart('worker/constraints/module.ts', inRoot('build/tests/constraint-module.mjs'))
const { ConstraintModule } = await import('../../build/tests/constraint-module.mjs')

const wasm = await WebAssembly.compile(readFileSync(inRoot('build/modules/heed-constraints.wasm')))
const utf8 = new TextEncoder()
/** The numbers of kinds of tokens, as in src/grammar/masks/token_texts.hpp. */
const uses = { text: 0, end: 1, other: 2, control: 3 }

/** Each byte, some words that cross the borders of JSON's tokens, a control token, and two that end a text. */
const vocabulary = [
  ...Array.from({ length: 256 }, (_, byte) => ({ bytes: Uint8Array.of(byte), use: uses.text })),
  ...['{"', '":', '", "', '"}', 'name', 'true', ' ', '漢字', 'abc', '12', '-', 'null,'].map(text => ({
    bytes: utf8.encode(text),
    use: uses.text,
  })),
  { bytes: new Uint8Array(), use: uses.other },
  { bytes: new Uint8Array(), use: uses.end },
  { bytes: new Uint8Array(), use: uses.end },
]
const ends = [vocabulary.length - 2, vocabulary.length - 1]

/** The vocabulary as bindings/constraints/module.cpp reads it. */
function vocabularyBytes() {
  let end = 0
  const endsOfTexts = Uint32Array.from(vocabulary, ({ bytes }) => (end += bytes.length))
  return Buffer.concat([
    Buffer.from(endsOfTexts.buffer),
    Uint8Array.from(vocabulary, ({ use }) => use),
    ...vocabulary.map(({ bytes }) => bytes),
  ])
}

/** Between slices of work. */
const pause = async () => {}
const open = () => new ConstraintModule(wasm, vocabularyBytes(), vocabulary.length)
const form = (notation, text, options) => ({ notation, text, options })
const allowedBy = mask => vocabulary.map((_, id) => id).filter(id => (mask[id >> 5] >> (id & 31)) & 1)

/** A random number below `most`, from a fixed seed (https://en.wikipedia.org/wiki/Linear_congruential_generator). */
function randomFrom(seed) {
  let state = BigInt(seed)
  return most => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffff_ffff_ffff_ffffn
    return Number((state >> 33n) % BigInt(most))
  }
}

/** A random text of a constraint, token by token; undefined where it gets too long. */
async function write(module, constraint, random) {
  const text = await module.begin(constraint, pause),
    bytes = []
  try {
    while (!text.finished()) {
      const allowed = allowedBy(text.mask())
      assert.ok(allowed.length > 0)
      assert.ok(!allowed.some(id => vocabulary[id].use === uses.other))
      assert.equal(
        ends.every(id => allowed.includes(id)),
        ends.some(id => allowed.includes(id)),
      )
      const ending = allowed.includes(ends[0]) && random(3) === 0
      const id = ending ? ends[0] : allowed[random(allowed.length)]
      assert.ok(text.accept(id))
      bytes.push(...vocabulary[id].bytes)
      if (bytes.length > 4000) return
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
  } finally {
    text.end()
  }
}

test('random texts satisfy the constraint', async () => {
  const module = open()
  const forms = {
    schema: [
      JSON.stringify({
        type: 'object',
        additionalProperties: false,
        required: ['name', 'tags'],
        properties: {
          name: { type: 'string', maxLength: 5 },
          size: { type: 'integer', minimum: -3, maximum: 120 },
          tags: { type: 'array', items: { enum: ['a', 'b', null] }, maxItems: 3, uniqueItems: true },
        },
      }),
      text => {
        const { name, size = 0, tags, ...rest } = JSON.parse(text)
        assert.deepEqual(rest, {})
        assert.ok([...name].length <= 5 && Number.isInteger(size) && size >= -3 && size <= 120)
        assert.equal(new Set(tags).size, tags.length)
      },
    ],
    regex: ['(\\p{Lu}[a-c]{1,3}|\\d+-)+!', text => assert.match(text, /^(\p{Lu}[a-c]{1,3}|\d+-)+!$/u)],
    gbnf: ['root ::= "(" root ")" | "x" root?', text => assert.match(text, /^[(x)]+$/)],
  }
  for (const [notation, [source, check]] of Object.entries(forms)) {
    const { constraint, size, ignored } = await module.make(form(notation, source), pause)
    assert.deepEqual(ignored, [])
    assert.ok(size > 1000 && size < 1e6, `${size} bytes`)
    let written = 0
    for (let seed = 0; seed < 40; seed++) {
      const text = await write(module, constraint, randomFrom(seed))
      if (text === undefined) continue
      check(text)
      assert.ok(await module.accepts(constraint, text, pause), text)
      assert.ok(!(await module.accepts(constraint, `${text}\0`, pause)))
      written++
    }
    assert.ok(written >= 30, `${notation}: ${written} texts`)
    module.drop(constraint)
  }
})

test('memory left by texts is bounded', async () => {
  const { Instance } = WebAssembly
  let memory
  WebAssembly.Instance = class extends Instance {
    constructor(...given) {
      super(...given)
      memory = this.exports.memory
    }
  }
  const module = open()
  WebAssembly.Instance = Instance
  const schema = '{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": true}'
  const { constraint } = await module.make(form('schema', schema), pause)
  const begun = await module.begin(constraint, pause)
  for (let round = 0; round < 45; round++) {
    // each leaves 7 MB
    const keys = Array.from({ length: 400 }, (_, at) => [`key ${round} ${at}`, 1])
    assert.ok(await module.accepts(constraint, JSON.stringify({ a: round, ...Object.fromEntries(keys) }), pause))
    assert.ok(!(await module.accepts(constraint, JSON.stringify({ a: 'x' }), pause)))
  }
  assert.ok(memory.buffer.byteLength < 250e6, `${memory.buffer.byteLength} bytes`)
  for (const byte of utf8.encode('{"a":1}')) assert.ok(begun.accept(byte)) // of the constraint that it began with
  assert.ok(allowedBy(begun.mask()).includes(ends[0]))
  begun.end()
})

test('forced text is reported, and a forbidden token is rejected', async () => {
  const module = open()
  const { constraint } = await module.make(form('regex', 'abcde(f|g)'), pause)
  const text = await module.begin(constraint, pause)
  const forced = () => new TextDecoder().decode(text.forced())
  assert.equal(forced(), 'abcde')
  assert.ok(!text.accept('z'.charCodeAt(0)))
  assert.ok(text.accept(vocabulary.findIndex(({ bytes }) => new TextDecoder().decode(bytes) === 'abc')))
  assert.equal(forced(), 'de')
  assert.ok(!text.finished())
  for (const letter of 'deg') assert.ok(text.accept(letter.charCodeAt(0)))
  assert.ok(text.finished())
  assert.deepEqual(allowedBy(text.mask()), ends)
})

test('refusals name the keyword and its place, and the module goes on', async () => {
  const module = open()
  const refusals = [
    ['unsupported', /\$ref at #\/properties\/a/, 'schema', '{"properties": {"a": {"$ref": "https://example.com/b"}}}'],
    ['invalid-argument', /JSON/, 'schema', '{'],
    ['invalid-argument', /whitespaces/, 'schema', '{}', { whitespaces: 'any' }],
    ['unsupported', /\(\?<= at 0/, 'regex', '(?<=a)b'],
    ['invalid-argument', /\ba at 1:10/, 'gbnf', 'root ::= a'],
    ['invalid-argument', /allOf/, 'schema', '{"allOf": [{"type": "string"}, {"type": "number"}]}'],
  ]
  for (const [code, message, ...of] of refusals) await assert.rejects(module.make(form(...of), pause), { code, message }, of[1])
  const { constraint } = await module.make(form('schema', '{"type": "boolean"}', { whitespace: 'compact' }), pause)
  assert.ok(await module.accepts(constraint, 'true', pause))
  assert.ok(!(await module.accepts(constraint, '1', pause)))
})

test('patterns and lengths meet exactly, in whatever branches they are', async () => {
  const module = open(),
    random = randomFrom(7)
  const patterns = ['a', 'b$', '^a+$', '^(ab)*$', '^[^b]*$', 'é.', '^.{2,5}$', '^\\S+( \\S+){0,3}$', '^(a+b){1,3}$']
  const of = (...makers) => makers[random(makers.length)]()
  const leaf = () =>
    of(
      () => ({ pattern: patterns[random(patterns.length)] }),
      () => ({ minLength: random(6) }),
      () => ({ maxLength: 1 + random(7) }),
      () => ({ pattern: patterns[random(patterns.length)], minLength: random(4), maxLength: 4 + random(4) }),
    )
  const schemaOf = depth =>
    depth === 0
      ? leaf()
      : {
          ...of(leaf, () => ({})),
          ...of(
            () => ({ allOf: [schemaOf(depth - 1), schemaOf(depth - 1)] }),
            () => ({ allOf: [schemaOf(depth - 1), schemaOf(depth - 1), leaf()] }),
            () => ({ anyOf: [schemaOf(depth - 1), schemaOf(depth - 1)] }),
            () => ({ oneOf: [schemaOf(depth - 1), schemaOf(depth - 1)] }),
            () => ({ not: schemaOf(depth - 1) }),
          ),
        }
  const isValid = ({ pattern = '', minLength = 0, maxLength = Infinity, allOf = [], anyOf, oneOf, not }, text) =>
    new RegExp(pattern, 'u').test(text) &&
    [...text].length >= minLength &&
    [...text].length <= maxLength &&
    allOf.every(one => isValid(one, text)) &&
    (!anyOf || anyOf.some(one => isValid(one, text))) &&
    (!oneOf || oneOf.filter(one => isValid(one, text)).length === 1) &&
    (!not || !isValid(not, text))
  const letters = ['a', 'b', 'a', 'b', 'c', ' ', 'é', '😀']
  const counts = { valid: 0, invalid: 0, unsatisfiable: 0 }
  for (let i = 0; i < 300; i++) {
    const schema = { type: 'string', ...schemaOf(1 + random(2)) }
    const texts = Array.from({ length: 40 }, () =>
      Array.from({ length: random(8) }, () => letters[random(letters.length)]).join(''),
    )
    let constraint
    try {
      ;({ constraint } = await module.make(form('schema', JSON.stringify(schema)), pause))
    } catch (error) {
      assert.match(error.message, /no value is valid/)
      counts.unsatisfiable++
    }
    for (const text of texts) {
      const valid = isValid(schema, text)
      assert.equal(
        constraint !== undefined && (await module.accepts(constraint, JSON.stringify(text), pause)),
        valid,
        `${text} ${JSON.stringify(schema)}`,
      )
      counts[valid ? 'valid' : 'invalid']++
    }
    if (constraint !== undefined) module.drop(constraint)
  }
  assert.ok(counts.valid > 1000 && counts.invalid > 1000 && counts.unsatisfiable < 150, JSON.stringify(counts))
})

test('the size of a constraint grows with its source', async () => {
  const module = open()
  const sizeOf = async schema => (await module.make(form('schema', JSON.stringify(schema)), pause)).size
  const members = count => ({
    properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, { enum: [`a${i}`, i] }])),
  })
  const small = await sizeOf(members(1)),
    large = await sizeOf(members(2000))
  assert.ok(large > 2000 * 100 && large > 10 * small, `${small} and ${large} bytes`)
  assert.ok(Math.abs((await sizeOf(members(1))) - small) < small / 10) // an allocation can be larger than requested
})

test('formats that no draft defines are told as ignored', async () => {
  const module = open()
  const { ignored } = await module.make(form('schema', '{"type": "integer", "format": "int32"}'), pause)
  assert.deepEqual(ignored, [{ keyword: 'format', path: '#' }])
})

test('memory is used again', async t => {
  let bytes
  const { Instance } = WebAssembly
  t.after(() => {
    WebAssembly.Instance = Instance
  })
  WebAssembly.Instance = class extends Instance {
    constructor(...args) {
      super(...args)
      bytes = () => this.exports.memory.buffer.byteLength
    }
  }
  const module = open()
  const schema = '{"type": "array", "items": {"type": "string", "pattern": "^a{1,20}$"}}'
  const round = async () => {
    const { constraint } = await module.make(form('schema', schema), pause)
    await write(module, constraint, randomFrom(1))
    module.drop(constraint)
  }
  for (let i = 0; i < 20; i++) await round()
  const before = bytes()
  for (let i = 0; i < 200; i++) await round()
  assert.equal(bytes(), before)
})
