// heed/openai in the package: its types, its entry points, and the code that it must not contain.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import * as imported from 'heed/openai'
import { inRoot } from '../../tools/paths.mjs'
import { withModel } from '../package/support.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { asked } from './support.mjs'

for (const [module, resolution] of [
  ['ESNext', 'bundler'],
  ['NodeNext', 'nodenext'],
]) {
  test(`its types agree with OpenAI's: ${resolution}`, () => {
    const options = [
      '--noEmit',
      '--strict',
      '--noUncheckedIndexedAccess',
      '--skipLibCheck',
      '--target',
      'ES2022',
      '--lib',
      'ES2022,DOM,DOM.AsyncIterable',
      '--types',
      '',
      '--module',
      module,
      '--moduleResolution',
      resolution,
      inRoot('tests/openai/types.ts'),
    ]
    const { stdout, status } = spawnSync(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), ...options], {
      encoding: 'utf8',
    })
    assert.equal(stdout, '')
    assert.equal(status, 0)
  })
}

test('is the same with import and require', () =>
  withModel(scriptedModel(['Hello.']), { threads: 1 }, async model => {
    const required = createRequire(import.meta.url)('heed/openai')
    assert.deepEqual(Object.keys(required).sort(), Object.keys(imported).sort())
    const { choices } = await required.openai(model).chat.completions.create(asked())
    assert.equal(choices[0].message.content, 'Hello.')
  }))

test('shares no code with the package', () => {
  const dist = name => readFileSync(inRoot('dist', name), 'utf8')
  const own = { openai: /chat\.completion/, base: /heed-worker|loadModel|SharedArrayBuffer|Jinja|<tool_call>/ }
  for (const name of ['openai.js', 'openai.cjs']) {
    assert.match(dist(name), own.openai)
    assert.doesNotMatch(dist(name), own.base)
    assert.doesNotMatch(dist(name), /\bimport\b(?!\.meta)|\bfrom ?["']|\brequire\(/)
  }
  for (const name of ['index.js', 'index.node.js', 'heed-worker.js', 'chat.js', 'in-thread.js']) {
    assert.doesNotMatch(dist(name), own.openai)
  }
})
