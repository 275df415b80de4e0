// heed/chat in the package: with import and require, with types, and separate from code that loads models.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import * as chat from 'heed/chat'
import { inRoot } from '../../tools/paths.mjs'
import { chatml, user } from './support.mjs'

test('import and require give the same', () => {
  const both = [chat, createRequire(import.meta.url)('heed/chat')].map(({ templateOf, ...exported }) => {
    assert.equal(typeof templateOf, 'function') // used by models, which import this script
    return exported
  })
  const [exported, required] = both
  assert.deepEqual(Object.keys(required).sort(), Object.keys(exported).sort())
  assert.deepEqual(Object.keys(exported).sort(), ['ChatTemplate', 'HeedError', 'TemplateError', 'promptText'])
  const [ours, theirs] = both.map(({ ChatTemplate }) => new ChatTemplate(chatml).render([user('Hi')]))
  assert.deepEqual(ours, theirs)
})

test('code that loads models does not contain it', () => {
  // Except in-thread.js, because a service worker cannot load scripts later.
  for (const name of ['index.js', 'index.node.js', 'heed-worker.js']) {
    assert.doesNotMatch(readFileSync(inRoot('dist', name), 'utf8'), /raise_exception|strftime/, name)
  }
  for (const name of ['converse.js', 'converse.node.js'])
    assert.doesNotMatch(readFileSync(inRoot('dist', name), 'utf8'), /strftime/, name) // Jinja
})

for (const [module, resolution] of [
  ['ESNext', 'bundler'],
  ['NodeNext', 'nodenext'],
]) {
  test(`the types accept valid code and reject invalid code: ${resolution}`, () => {
    const options = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--target', 'ES2022', '--lib', 'ES2022', '--types', '']
    const args = [
      inRoot('node_modules/typescript/bin/tsc'),
      ...options,
      '--module',
      module,
      '--moduleResolution',
      resolution,
      inRoot('tests/chat/types.ts'),
    ]
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(stdout, '')
    assert.equal(status, 0)
  })
}
