// The TypeScript of the README and of the manual compiles in strict mode, and runs in Node.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { inRoot } from '../../tools/paths.mjs'
import { startHub } from '../support/hub/index.mjs'
import { documents, hubFiles, modelFiles, obstacle, onHub, programsOf, runnable } from '../support/snippets.mjs'

// In the project, where the code finds its packages; in a separate folder, because two suites may run this at the same time.
const folder = mkdtempSync(inRoot('build/docs-'))
const programs = documents.flatMap(programsOf)
let hub

before(async () => {
  hub = await startHub(hubFiles())
  for (const [name, bytes] of Object.entries(modelFiles())) writeFileSync(join(folder, name), bytes)
  writeFileSync(join(folder, 'on-hub.mjs'), onHub(hub.endpoint, 'heed'))
})
after(async () => {
  await hub.close()
  rmSync(folder, { recursive: true })
})

/** Packages whose types need Node's. */
const needsNode = source => /from '(?:ai|openai|@modelcontextprotocol\/.*|@langchain\/.*|heed\/langchain)'/.test(source)

const options = [
  ...['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', '--target', 'ES2022', '--module', 'NodeNext'],
  ...['--lib', 'ES2022,DOM,DOM.Iterable,DOM.AsyncIterable', '--moduleDetection', 'force'],
]

for (const types of ['', 'node']) {
  test(`programs compile in strict mode, ${types ? "with Node's types" : 'without types of others'}`, () => {
    const files = programs
      .filter(({ source }) => needsNode(source) === (types === 'node'))
      .map(({ name, source }) => {
        const file = join(folder, `${name}.ts`)
        writeFileSync(file, source)
        return file
      })
    assert.ok(files.length > 2)
    const tsc = inRoot('node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(process.execPath, [tsc, ...options, '--types', types, ...files], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.equal(stdout, '')
    assert.equal(status, 0)
  })
}

/** Runs the programs of a document in one process, one after the other. Each prints its name when it has ended. */
async function runAll(blocks) {
  for (const block of blocks) writeFileSync(join(folder, `${block.name}.mjs`), await runnable(block, './on-hub.mjs'))
  const script = blocks.map(({ name }) => `await import('./${name}.mjs'); console.error('ran ${name}')`).join('\n')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    env: { ...process.env, HEED_MODELS: join(folder, 'models') },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 120_000,
  })
  const errors = await text(child.stderr)
  for (const { name } of blocks)
    assert.match(errors, new RegExp(`^ran ${name}$`, 'm'), `${name} has not run to its end:\n${errors}`)
}

describe('programs run in Node', { concurrency: 2 }, () => {
  for (const path of documents) {
    const here = programsOf(path).filter(block => !block.needsPage)
    for (const block of here.filter(obstacle)) test(block.name, { skip: obstacle(block) }, () => {})
    const blocks = here.filter(block => !obstacle(block))
    if (blocks.length > 0) test(`${path}: ${blocks.length}`, () => runAll(blocks))
  }
})
