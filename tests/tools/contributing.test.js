// CONTRIBUTING.md sends readers to files: they are there.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

const folders = ['api', 'bindings', 'models', 'src', 'tests', 'tools', 'web']
const files = folders.flatMap(folder => readdirSync(inRoot(folder), { recursive: true }).map(name => `/${folder}/${name}`))

/** The folder that can be lifted out. */
const lifted = name => name.startsWith('models/training/') && !existsSync(inRoot('models/training'))

test('every source file that CONTRIBUTING.md names exists', () => {
  const text = readFileSync(inRoot('CONTRIBUTING.md'), 'utf8')
  const named = [...text.matchAll(/`(?:\.\.\/)?([\w./-]+\.(?:cpp|hpp|ts|mjs|test\.js))`/g)].map(([, name]) => name)
  assert.ok(named.length > 200, `${named.length} names`)
  assert.deepEqual(
    named.filter(name => !lifted(name) && !files.some(file => file.endsWith(`/${name}`))),
    [],
  )
})
