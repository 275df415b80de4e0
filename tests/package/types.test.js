// The published types, as a user's compiler sees them.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

const compiler = inRoot('node_modules/typescript/bin/tsc')
/** As strict as a project can be. */
const strictest = [
  '--exactOptionalPropertyTypes',
  '--skipLibCheck',
  'false',
  '--noPropertyAccessFromIndexSignature',
  '--noImplicitOverride',
]
const options = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--target', 'ES2022', '--types', '']

/** The compiler's output. */
function compile(...args) {
  const { stdout, status } = spawnSync(process.execPath, [compiler, ...options, ...args], { encoding: 'utf8' })
  assert.equal(stdout, '')
  assert.equal(status, 0)
}

for (const [module, resolution] of [
  ['ESNext', 'bundler'],
  ['NodeNext', 'nodenext'],
]) {
  test(`the types accept valid code and reject invalid code: ${resolution}`, () =>
    compile(
      '--lib',
      'ES2022,DOM,DOM.AsyncIterable',
      '--module',
      module,
      '--moduleResolution',
      resolution,
      inRoot('tests/package/types.ts'),
    ))
}

for (const [module, resolution] of [
  ['ESNext', 'bundler'],
  ['NodeNext', 'nodenext'],
]) {
  test(`the strictest project may leave options undefined, with an older library: ${resolution}`, () =>
    compile(
      ...strictest,
      '--lib',
      'ES2020,DOM',
      '--module',
      module,
      '--moduleResolution',
      resolution,
      inRoot('tests/package/strictest.ts'),
    ))
}

test("the types need neither the DOM library nor Node's types", () =>
  compile('--lib', 'ES2022', '--module', 'ESNext', '--moduleResolution', 'bundler', inRoot('dist/types/index.d.ts')))
