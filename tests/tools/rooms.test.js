// The rooms of bindings/js, bindings/viewer, bindings/elements and web, which are folders of sources, and the order of their imports; tests/unit/layout_test.cpp
// does the same for src/.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'rolldown/utils'
import { inRoot } from '../../tools/paths.mjs'

/**
 * The rooms of each place, from the lowest, and those that each may import besides itself. Files beside the rooms are `entries`. In
 * bindings/js, these are what the build bundles into scripts of their own; a room has all that is in its folder; and the caller's thread
 * (`page`) and the engine's (`worker`) know nothing of each other but `wire`. In the viewer and the page, a folder in a folder is a room of
 * its own.
 */
const roomsBelow = {
  'bindings/js': {
    types: [],
    audio: ['types'],
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
    facades: ['types', 'audio', 'wire', 'chat', 'prompting', 'page', 'entries'],
    cli: ['audio', 'entries'],
  },
  'bindings/viewer': {
    support: [],
    tokens: [],
    frame: ['support'],
    attention: ['support', 'tokens', 'frame'],
    exports: ['support', 'frame', 'attention'],
    gates: ['support', 'tokens', 'frame', 'attention', 'exports'],
    images: ['support', 'tokens', 'frame', 'attention'],
    picture: ['support', 'tokens', 'frame', 'attention'],
    text: ['support', 'tokens', 'frame', 'attention', 'gates', 'images'],
    panels: ['support', 'tokens', 'frame', 'attention', 'exports', 'text'],
    entries: ['tokens', 'frame', 'attention', 'exports', 'picture', 'text', 'panels'],
  },
  'bindings/elements': {
    support: [],
    markdown: ['support'],
    download: ['support'],
    chat: ['support', 'markdown', 'download'],
    entries: ['support', 'download', 'chat'],
  },
  web: {
    support: [],
    model: ['support'],
    view: ['support', 'model'],
    media: ['support'],
    images: ['support', 'model', 'media'],
    sharing: ['support', 'model'],
    unmasking: ['support'],
    writing: ['support', 'unmasking'],
    library: ['support', 'model'],
    metadata: ['support'],
    heads: ['support', 'model'],
    picture: ['support'],
    speech: ['support', 'model', 'media'],
    'offline/worker': [],
    offline: [],
    versions: ['support', 'unmasking', 'writing'],
    lens: ['support', 'view', 'sharing'],
    attribution: ['support', 'view'],
    edits: ['support', 'model', 'view'],
    sweep: ['support', 'view', 'edits'],
    features: ['support', 'view', 'edits'],
    compare: ['support', 'view'],
    lesson: ['support', 'sharing', 'edits'],
    conversation: ['support', 'media', 'images', 'unmasking', 'writing'],
    keeping: ['support', 'model', 'media', 'sharing', 'conversation'],
    'chat/tools': [],
    'chat/words': ['lesson', 'conversation'],
    'chat/bubbles': ['support', 'media', 'unmasking', 'writing', 'conversation', 'chat/words'],
    'chat/first': ['support', 'lesson', 'conversation', 'chat/words'],
    chat: [
      ...['support', 'model', 'media', 'images', 'sharing', 'writing', 'lesson', 'conversation', 'keeping'],
      ...['chat/tools', 'chat/words', 'chat/bubbles', 'chat/first'],
    ],
    drafts: ['support', 'model', 'media', 'images', 'versions', 'edits', 'conversation', 'keeping', 'chat'],
    entries: [
      ...[
        'support',
        'model',
        'view',
        'media',
        'images',
        'sharing',
        'writing',
        'library',
        'heads',
        'picture',
        'offline',
        'versions',
      ],
      ...['lens', 'attribution', 'edits', 'sweep', 'features', 'compare', 'lesson', 'conversation', 'keeping', 'chat', 'drafts'],
      ...['metadata', 'speech'],
    ],
  },
}

function roomOf(place, file) {
  if (!file.includes('/')) return 'entries'
  return file.slice(0, place === 'bindings/js' ? file.indexOf('/') : file.lastIndexOf('/'))
}

/** The text of a literal; undefined for addresses that are only known at run time. */
const textOf = node => (node?.type === 'TemplateLiteral' && node.quasis.length === 1 ? node.quasis[0].value.cooked : node?.value)

/** The imports of a file of any kind: of types or code, static or dynamic, to use or to re-export. */
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

/** The file that an import names; undefined for npm's packages, Node's modules, the glue, and imports that are not scripts. */
function imported(place, file, name) {
  if (name === 'heed' && place === 'bindings/js') return 'index.ts'
  return /^\..*\.[jt]s$/.test(name) ? posix.join(posix.dirname(file), name).replace(/\.js$/, '.ts') : undefined
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

/** The graph of imports of some files of a place, given as pairs of a name and a text. */
const graphOf = (place, files) =>
  new Map(
    files.map(([file, text]) => [
      file,
      importsOf(file, text)
        .map(name => imported(place, file, name))
        .filter(name => name !== undefined),
    ]),
  )

/** The faults in the rooms of a graph. */
function faultsOf(place, graph) {
  const faults = []
  const below = roomsBelow[place]
  for (const [file, names] of graph) {
    const room = roomOf(place, file)
    if (!Object.hasOwn(below, room)) faults.push(`${file} is in no room`)
    for (const name of names) {
      const other = roomOf(place, name)
      if (!graph.has(name)) faults.push(`${file} imports ${name}, which is not there`)
      else if (other !== room && !below[room]?.includes(other)) faults.push(`${file} imports ${name}`)
    }
  }
  for (const circle of circlesIn(graph)) faults.push(`circle: ${circle.join(', ')}`)
  return faults
}

/** The sources of a place. Its build is no part of it: JavaScript beside TypeScript. */
function sourcesOf(place) {
  const folder = inRoot(place)
  return graphOf(
    place,
    readdirSync(folder, { recursive: true })
      .map(name => name.replaceAll('\\', '/'))
      .filter(name => /\.[cm]?tsx?$/.test(name))
      .map(name => [name, readFileSync(`${folder}/${name}`, 'utf8')]),
  )
}

const graphs = new Map(Object.keys(roomsBelow).map(place => [place, sourcesOf(place)]))

test('each room comes after those that it may import', () => {
  for (const below of Object.values(roomsBelow)) {
    const rooms = Object.keys(below)
    for (const [at, room] of rooms.entries()) {
      for (const lower of below[room]) assert.ok(rooms.slice(0, at).includes(lower), `${room} after ${lower}`)
    }
  }
})

for (const [place, graph] of graphs) {
  test(`imports of ${place} point from room to room one way, and nowhere in a circle`, () => {
    assert.ok(graph.size > 12)
    assert.deepEqual(faultsOf(place, graph), [])
  })
}

test('rooms of the viewer, the elements and the page use every import that they may', () => {
  for (const place of ['bindings/viewer', 'bindings/elements', 'web']) {
    const used = new Set()
    for (const [file, names] of graphs.get(place)) {
      for (const name of names) used.add(`${roomOf(place, file)} imports ${roomOf(place, name)}`)
    }
    const allowed = Object.entries(roomsBelow[place]).flatMap(([room, lower]) => lower.map(name => `${room} imports ${name}`))
    assert.deepEqual(
      allowed.filter(line => !used.has(line)),
      [],
      place,
    )
  }
})

test('the worker and the page share what is in `wire`', () => {
  const threads = [
    ['index.ts', 'index.node.ts'],
    ['heed-worker.ts', 'heed-worker.node.ts', 'heed-store.ts'],
  ]
  const graph = graphs.get('bindings/js')
  const loaded = threads.map(entries => {
    const files = new Set(entries)
    for (const file of files) for (const next of graph.get(file)) files.add(next)
    return files
  })
  for (const file of graph.keys()) {
    if (roomOf('bindings/js', file) === 'wire')
      assert.ok(
        loaded.every(files => files.has(file)),
        `${file} is for one thread only`,
      )
  }
})

test('a violation of any kind is found', () => {
  const faultsIn = (place, files) => faultsOf(place, graphOf(place, Object.entries(files)))
  const faults = files => faultsIn('bindings/js', { 'page/a.ts': '', 'index.ts': '', ...files })
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
  assert.deepEqual(faultsIn('web', { 'chat/words/a.ts': "import '../b.js'", 'chat/b.ts': "import './words/a.js'" }), [
    'chat/words/a.ts imports chat/b.ts',
    'circle: chat/b.ts, chat/words/a.ts',
  ])
  assert.deepEqual(faultsIn('web', { 'main.ts': "import 'heed'\nimport './styles/main.css'" }), [])
})
