// The wasm module of constraints, through its exports.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

const wasm = await WebAssembly.compile(readFileSync(inRoot('build/modules/heed-constraints.wasm')))
const utf8 = new TextEncoder()
/** As src/grammar/masks/token_texts.hpp numbers what tokens are. */
const uses = { text: 0, end: 1, other: 2, control: 3 }

/** Each byte, some words that cross the borders of JSON's tokens, a control token, and two that end a text. */
const vocabulary = [
  ...Array.from({ length: 256 }, (_, byte) => ({ bytes: Uint8Array.of(byte), use: uses.text })),
  ...['{"', '":', '", "', '"}', 'name', 'true', ' ', '漢字', 'abc', '12', '-', 'null,'].map(text => ({ bytes: utf8.encode(text), use: uses.text })),
  { bytes: new Uint8Array(), use: uses.other },
  { bytes: new Uint8Array(), use: uses.end }, { bytes: new Uint8Array(), use: uses.end },
]
const ends = [vocabulary.length - 2, vocabulary.length - 1]

async function open() {
  const { exports } = await WebAssembly.instantiate(wasm, { env: { emscripten_notify_memory_growth() {} } })
  exports._initialize()
  const put = (...parts) => {
    const size = parts.reduce((sum, part) => sum + part.length, 0)
    let at = exports.input(size)
    for (const part of parts) {
      new Uint8Array(exports.memory.buffer).set(part, at)
      at += part.length
    }
  }
  const output = () => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.output(), exports.outputSize()))
  const said = result => {
    if (result === 0) throw Object.assign(new Error('refused'), JSON.parse(output()))
    return result
  }
  let end = 0
  const endsOfTexts = Uint32Array.from(vocabulary, ({ bytes }) => end += bytes.length)
  put(new Uint8Array(endsOfTexts.buffer), Uint8Array.from(vocabulary, ({ use }) => use), ...vocabulary.map(({ bytes }) => bytes))
  said(exports.setVocabulary(vocabulary.length))
  return {
    make(notation, text, options = {}) {
      put(utf8.encode(JSON.stringify({ notation, text, ...notation === 'schema' && { options } })))
      const constraint = said(exports.make())
      return { constraint, ignored: JSON.parse(output()) }
    },
    accepts(constraint, text) {
      put(utf8.encode(text))
      return said(exports.accepts(constraint)) === 1
    },
    begin: constraint => said(exports.begin(constraint)),
    allowed(text) {
      const words = new Uint32Array(exports.memory.buffer, said(exports.mask(text)), Math.ceil(vocabulary.length / 64) * 2)
      return vocabulary.map((_, id) => id).filter(id => words[id >> 5] >> (id & 31) & 1)
    },
    accept: (text, token) => exports.accept(text, token) === 1,
    finished: text => said(exports.finished(text)) === 1,
    forced: text => said(exports.forced(text, 64)) && output(),
    end: text => exports.end(text),
    drop: constraint => exports.drop(constraint),
    bytes: () => exports.memory.buffer.byteLength,
  }
}

/** A random number below `most`, from a fixed seed (https://en.wikipedia.org/wiki/Linear_congruential_generator). */
function randomFrom(seed) {
  let state = BigInt(seed)
  return most => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffff_ffff_ffff_ffffn
    return Number((state >> 33n) % BigInt(most))
  }
}

/** A random text of a constraint, token by token; undefined where it gets too long. */
function write(module, constraint, random) {
  const text = module.begin(constraint), bytes = []
  try {
    while (!module.finished(text)) {
      const allowed = module.allowed(text)
      assert.ok(allowed.length > 0)
      assert.ok(!allowed.some(id => vocabulary[id].use === uses.other))
      assert.equal(ends.every(id => allowed.includes(id)), ends.some(id => allowed.includes(id)))
      const ending = allowed.includes(ends[0]) && random(3) === 0
      const id = ending ? ends[0] : allowed[random(allowed.length)]
      assert.ok(module.accept(text, id))
      bytes.push(...vocabulary[id].bytes)
      if (bytes.length > 4000) return
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
  } finally {
    module.end(text)
  }
}

test('random texts have the form that was asked for', async () => {
  const module = await open()
  const forms = {
    schema: [JSON.stringify({
      type: 'object', additionalProperties: false, required: ['name', 'tags'], properties: {
        name: { type: 'string', maxLength: 5 }, size: { type: 'integer', minimum: -3, maximum: 120 },
        tags: { type: 'array', items: { enum: ['a', 'b', null] }, maxItems: 3, uniqueItems: true },
      },
    }), text => {
      const { name, size = 0, tags, ...rest } = JSON.parse(text)
      assert.deepEqual(rest, {})
      assert.ok([...name].length <= 5 && Number.isInteger(size) && size >= -3 && size <= 120)
      assert.equal(new Set(tags).size, tags.length)
    }],
    regex: ['(\\p{Lu}[a-c]{1,3}|\\d+-)+!', text => assert.match(text, /^(\p{Lu}[a-c]{1,3}|\d+-)+!$/u)],
    gbnf: ['root ::= "(" root ")" | "x" root?', text => assert.match(text, /^[(x)]+$/)],
  }
  for (const [notation, [form, check]] of Object.entries(forms)) {
    const { constraint, ignored } = module.make(notation, form)
    assert.deepEqual(ignored, [])
    let written = 0
    for (let seed = 0; seed < 40; seed++) {
      const text = write(module, constraint, randomFrom(seed))
      if (text === undefined) continue
      check(text)
      assert.ok(module.accepts(constraint, text), text)
      assert.ok(!module.accepts(constraint, `${text}\0`))
      written++
    }
    assert.ok(written >= 30, `${notation}: ${written} texts`)
    module.drop(constraint)
  }
})

test('what is forced is told, a token that is not allowed is refused', async () => {
  const module = await open()
  const { constraint } = module.make('regex', 'abcde(f|g)')
  const text = module.begin(constraint)
  assert.equal(module.forced(text), 'abcde')
  assert.ok(!module.accept(text, 'z'.charCodeAt(0)))
  assert.ok(module.accept(text, vocabulary.findIndex(({ bytes }) => new TextDecoder().decode(bytes) === 'abc')))
  assert.equal(module.forced(text), 'de')
  assert.ok(!module.finished(text))
  for (const letter of 'deg') assert.ok(module.accept(text, letter.charCodeAt(0)))
  assert.ok(module.finished(text))
  assert.deepEqual(module.allowed(text), ends)
})

test('refusals name the keyword and its place, and the module goes on', async () => {
  const module = await open()
  const refused = { code: 'unsupported', keyword: '$ref', path: '#/properties/a' }
  assert.throws(() => module.make('schema', '{"properties": {"a": {"$ref": "https://example.com/b"}}}'), refused)
  assert.throws(() => module.make('schema', '{', {}), { code: 'invalid' })
  assert.throws(() => module.make('schema', '{}', { whitespaces: 'any' }), { message: /whitespaces/ })
  assert.throws(() => module.make('regex', '(?<=a)b'), { code: 'unsupported', keyword: '(?<=' })
  assert.throws(() => module.make('gbnf', 'root ::= a'), { code: 'invalid', keyword: 'a' })
  assert.throws(() => module.make('schema', '{"allOf": [{"type": "string"}, {"type": "number"}]}'), { code: 'unsatisfiable' })
  const { constraint } = module.make('schema', '{"type": "boolean"}', { whitespace: 'compact' })
  assert.ok(module.accepts(constraint, 'true'))
  assert.ok(!module.accepts(constraint, '1'))
})

test('formats that no draft defines are told as ignored', async () => {
  const module = await open()
  const { ignored } = module.make('schema', '{"type": "integer", "format": "int32"}')
  assert.deepEqual(ignored, [{ keyword: 'format', path: '#' }])
})

test('memory is used again', async () => {
  const module = await open()
  const schema = '{"type": "array", "items": {"type": "string", "pattern": "^a{1,20}$"}}'
  const round = () => {
    const { constraint } = module.make('schema', schema)
    write(module, constraint, randomFrom(1))
    module.drop(constraint)
  }
  for (let i = 0; i < 20; i++) round()
  const before = module.bytes()
  for (let i = 0; i < 200; i++) round()
  assert.equal(module.bytes(), before)
})
