// Paths in comments and documents lead to files.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { filesIn } from '../../tools/style/files.mjs'

const endings = ['.cmake', '.cpp', '.css', '.hpp', '.html', '.js', '.json', '.md', '.mjs', '.py', '.ts', '.txt']
const files = [
  ...filesIn(['api', 'bindings', 'cmake', 'create', 'docs', 'examples', 'models', 'src', 'tests', 'tools', 'web'], endings),
  ...readdirSync(inRoot('.')),
]

/** Paths with folders, and names of sources without; `*` and NAME stand for a part of a path. */
const pathPattern = /(?<![\w./-])(?:\.\.?\/)*(?:[\w.-]+\/)+[\w.-]+\.(?:cmake|cpp|css|hpp|html|js|json|md|mjs|py|ts|txt)\b/g
const sourcePattern = /(?<![\w./*-])[\w-]+\.(?:cmake|cpp|hpp|mjs|ts)\b/g

/** Files that are built, installed, of other projects, examples, or of the folder that can be lifted out. */
const others = [
  /(^|\/)a\.js$/,
  /(^|\/)(build|dist|node_modules|shared|tmp)\//,
  /[A-Z]{4}/,
  /^jinja2\//,
  /^ai\/resources\//,
  /^ggerganov\/whisper\.cpp/,
  /^modelcontextprotocol\//,
  /^Catch2Config\.cmake$/,
  ...(existsSync(inRoot('models/training')) ? [] : [/(^|\/)training\//]),
]

/** The comments of a source, or the lines of a document: [number, text]. */
function* commentsOf(file, text) {
  const isDocument = file.endsWith('.md')
  for (const [i, line] of text.split('\n').entries()) {
    const comment = isDocument ? line : /(?:(?:^|\s)(?:\/\/\/?|\/\*\*?|#|""")|^\s*\*)\s(.*)$/.exec(line)?.[1]
    if (comment) yield [i + 1, comment.replace(/https?:\/\/\S+/g, '')]
  }
}

/** Whether a path names a file, as seen from another: relative to it, to the project, or to a folder that the context names. */
function leadsToFile(path, from) {
  const sources = [path, path.replace(/\.js$/, '.ts')] // imports name what TypeScript becomes
  return sources.some(
    source =>
      files.includes(posix.join(posix.dirname(from), source)) ||
      files.some(file => file === source || file.endsWith(`/${source.replace(/^(\.\.?\/)+/, '')}`)),
  )
}

/** The paths in a file's comments that lead nowhere. */
function deadPaths(file, text) {
  return [...commentsOf(file, text)].flatMap(([line, comment]) =>
    [...(comment.match(pathPattern) ?? []), ...(comment.match(sourcePattern) ?? [])]
      .filter(path => !others.some(pattern => pattern.test(path)) && !leadsToFile(path, file))
      .map(path => `${file}:${line}: ${path}`),
  )
}

test('a path that leads nowhere is found, wherever a comment has it', () => {
  const found = text => deadPaths('src/nn/stack.cpp', text)
  assert.deepEqual(found('// as in nn/missing.hpp'), ['src/nn/stack.cpp:1: nn/missing.hpp'])
  assert.deepEqual(found('int x;\nf();  // see missing.cpp'), ['src/nn/stack.cpp:2: missing.cpp'])
  assert.deepEqual(found('// nn/block.hpp, block.hpp, src/nn/*.hpp, https://a.b/c/d.py'), [])
  assert.deepEqual(found('auto path = "nn/missing.hpp";'), [])
  assert.deepEqual(deadPaths('README.md', 'See `tools/missing.mjs`.'), ['README.md:1: tools/missing.mjs'])
})

test('paths in comments and documents lead to files', () => {
  const checked = files.filter(file => endings.some(ending => file.endsWith(ending)) && file !== 'tests/tools/paths.test.js')
  assert.ok(checked.length > 500)
  assert.deepEqual(
    checked.flatMap(file => deadPaths(file, readFileSync(inRoot(file), 'utf8'))),
    [],
  )
})
