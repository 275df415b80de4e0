// The rooms of bindings/js, the folders of the package's sources, and the order of their imports; tests/unit/layout_test.cpp does the
// same for src/.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'rolldown/utils'
import { inRoot } from '../../tools/paths.mjs'

/**
 * The rooms, from the lowest, and those that each may import besides itself. The caller's thread (`page`) and the engine's (`worker`)
 * know nothing of each other but `wire`. Files beside the rooms are `entries`: what the build bundles into scripts of their own.
 */
const roomsBelow = {
  types: [],
  wire: ['types'],
  images: ['types', 'wire'],
  platform: ['types', 'wire'],
  isolation: ['types', 'wire'],
  chat: ['types', 'wire'],
  prompting: ['types', 'wire', 'chat'],
  store: ['types', 'wire', 'platform'],
  worker: ['types', 'wire', 'platform', 'store'],
  page: ['types', 'wire', 'platform', 'chat', 'prompting'],
  entries: ['types', 'wire', 'images', 'platform', 'isolation', 'chat', 'prompting', 'store', 'worker', 'page'],
  facades: ['types', 'wire', 'chat', 'prompting', 'page', 'entries'],
  cli: ['entries'],
}

const roomOf = file => (file.includes('/') ? file.slice(0, file.indexOf('/')) : 'entries')

/** The text of a literal; undefined for addresses that are only known at run time. */
const textOf = node => (node?.type === 'TemplateLiteral' && node.quasis.length === 1 ? node.quasis[0].value.cooked : node?.value)

/** What a file imports in any way: for its types or its code, at once or later, to use it or to export it. */
function importsOf(file, text) {
  const { program, errors } = parseSync(file, text)
  assert.deepEqual(errors, [], file)
  const found = []
  const visit = node => {
    if (typeof node !== 'object' || node === null) return
    // `source`: of imports, of exports from elsewhere, of `import()`, and of types such as `import('./a.js').A`
    const source =
      node.type === 'TSExternalModuleReference' ? node.expression : /Import|^Export/.test(node.type) ? node.source : undefined
    if (typeof textOf(source) === 'string') found.push(textOf(source))
    for (const child of Object.values(node)) visit(child)
  }
  visit(program)
  return found
}

/** The file that an import names; undefined for npm's packages, Node's modules and the glue. */
function imported(file, name) {
  if (name === 'heed') return 'index.ts'
  return name.startsWith('.') ? posix.join(posix.dirname(file), name).replace(/\.js$/, '.ts') : undefined
}

/** The circles, each as a sorted list of all files that import each other, however indirectly. */
function circlesIn(graph) {
  const reach = start => {
    const seen = new Set()
    const waiting = [...graph.get(start)]
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      if (seen.has(file)) continue
      seen.add(file)
      waiting.push(...(graph.get(file) ?? []))
    }
    return seen
  }
  const reached = new Map([...graph.keys()].map(file => [file, reach(file)]))
  const circles = [...graph.keys()]
    .filter(file => reached.get(file).has(file))
    .map(file =>
      [...reached.get(file)]
        .filter(other => reached.get(other)?.has(file))
        .sort()
        .join(', '),
    )
  return [...new Set(circles)].map(circle => circle.split(', '))
}

/** The graph of some files, given as pairs of a name and a text: what each imports. */
const graphOf = files =>
  new Map(
    files.map(([file, text]) => [
      file,
      importsOf(file, text)
        .map(name => imported(file, name))
        .filter(name => name !== undefined),
    ]),
  )

/** What is wrong with the rooms of a graph. */
function faultsOf(graph) {
  const faults = []
  for (const [file, names] of graph) {
    const room = roomOf(file)
    if (!Object.hasOwn(roomsBelow, room)) faults.push(`${file} is in no room`)
    for (const name of names) {
      if (!graph.has(name)) faults.push(`${file} imports ${name}, which is not there`)
      else if (roomOf(name) !== room && !roomsBelow[room]?.includes(roomOf(name))) faults.push(`${file} imports ${name}`)
    }
  }
  for (const circle of circlesIn(graph)) faults.push(`circle: ${circle.join(', ')}`)
  return faults
}

const folder = inRoot('bindings/js')
const graph = graphOf(
  readdirSync(folder, { recursive: true })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => /\.[cm]?[jt]sx?$/.test(name))
    .map(name => [name, readFileSync(`${folder}/${name}`, 'utf8')]),
)

test('each room comes after those that it may import', () => {
  const rooms = Object.keys(roomsBelow)
  for (const [at, room] of rooms.entries()) {
    for (const lower of roomsBelow[room]) assert.ok(rooms.slice(0, at).includes(lower), `${room} after ${lower}`)
  }
})

test('imports point from room to room one way, and nowhere in a circle', () => {
  assert.ok(graph.size > 100)
  assert.deepEqual(faultsOf(graph), [])
})

test('the worker and the page share what is in `wire`', () => {
  const threads = [
    ['index.ts', 'index.node.ts'],
    ['heed-worker.ts', 'heed-worker.node.ts', 'heed-store.ts'],
  ]
  const loaded = threads.map(entries => {
    const files = new Set(entries)
    for (const file of files) for (const next of graph.get(file)) files.add(next)
    return files
  })
  for (const file of graph.keys()) {
    if (roomOf(file) === 'wire')
      assert.ok(
        loaded.every(files => files.has(file)),
        `${file} is for one thread only`,
      )
  }
})

test('a violation of any kind is found', () => {
  const faults = files => faultsOf(graphOf(Object.entries({ 'page/a.ts': '', 'index.ts': '', ...files })))
  assert.deepEqual(faults({}), [])
  for (const text of [
    "import { a } from '../page/a.js'",
    "import '../page/a.js'",
    "import type { A } from '../page/a.js'",
    "import { type A } from '../page/a.js'",
    "export * from '../page/a.js'",
    "export type { A } from '../page/a.js'",
    "export * as a from '../page/a.js'",
    "const a = () => import('../page/a.js')",
    'const a = import(`../page/a.js`)',
    "type A = import('../page/a.js').A",
    "type A = typeof import('../page/a.js')",
    "import a = require('../page/a.js')",
    "declare module '#a' { const a: import('../page/a.js').A }",
  ])
    assert.deepEqual(faults({ 'worker/b.ts': text }), ['worker/b.ts imports page/a.ts'], text)
  assert.deepEqual(faults({ 'page/b.ts': "const heed = () => import('heed')" }), ['page/b.ts imports index.ts'])
  assert.deepEqual(faults({ 'attic/b.ts': '' }), ['attic/b.ts is in no room'])
  assert.deepEqual(faults({ 'page/b.ts': "import './c.js'" }), ['page/b.ts imports page/c.ts, which is not there'])
  assert.deepEqual(
    faults({ 'page/b.ts': "import type { C } from './c.js'", 'page/c.ts': "import './d.js'", 'page/d.ts': "import './b.js'" }),
    ['circle: page/b.ts, page/c.ts, page/d.ts'],
  )
})
