// The README's code compiles in strict mode and runs in Node, and its links are valid.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { obstacle, readme, readmeBlocks, readmeModels, runnable } from '../support/readme.mjs'

// In the project, where the code finds its packages; a folder of its own, as two suites may run this at the same time.
const folder = mkdtempSync(inRoot('build/readme-'))
after(() => rmSync(folder, { recursive: true }))
for (const [name, bytes] of Object.entries(readmeModels())) writeFileSync(join(folder, name), bytes)

const blocks = readmeBlocks()

const run = (...args) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 })

test("the README's TypeScript compiles in strict mode", () => {
  assert.ok(blocks.length >= 6)
  const needsNode = source => /from 'ai'/.test(source) // its types need Node's
  for (const types of ['', 'node']) {
    const files = blocks
      .filter(({ source }) => needsNode(source) === (types === 'node'))
      .map(({ source, line }) => {
        const file = join(folder, `readme-${line}.ts`)
        writeFileSync(file, source)
        return file
      })
    assert.ok(files.length > 0)
    compile(files, types)
  }
})

function compile(files, types) {
  const options = [
    '--noEmit',
    '--strict',
    '--noUncheckedIndexedAccess',
    '--target',
    'ES2022',
    '--module',
    'NodeNext',
    '--types',
    types,
    '--lib',
    'ES2022,DOM,DOM.AsyncIterable',
    '--moduleDetection',
    'force',
  ]
  const { stdout, status } = run(inRoot('node_modules/typescript/bin/tsc'), ...options, ...files)
  assert.equal(stdout, '')
  assert.equal(status, 0)
}

for (const block of blocks.filter(({ needsPage }) => !needsPage)) {
  test(`the README's code at line ${block.line} runs in Node`, { skip: obstacle(block) }, async () => {
    const file = join(folder, `readme-${block.line}.mjs`)
    writeFileSync(file, `${await runnable(block)}\nconsole.error(globalThis.ran)\n`)
    const { stderr, status } = run(file)
    assert.equal(status, 0, stderr)
    assert.match(stderr, /true\n$/)
  })
}

test('links to the source lead to existing files, and none is relative', () => {
  const { homepage } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const source = homepage.replace(/#.*/, '')
  const targets = [...readme().matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target)
  assert.ok(targets.length > 20)
  for (const target of targets) {
    assert.match(target, /^(https:|#)/)
    if (!target.startsWith(source)) continue
    const [, path] = /^\/(?:blob|tree)\/main\/([^#]+)/.exec(target.slice(source.length))
    assert.ok(existsSync(inRoot(path)), target)
  }
})
