// Emscripten's own libraries: the set compiled beside a module's units equals the set that it is linked with.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allModuleNames } from '../../tools/building/modules.mjs'
import { sets } from '../../tools/building/system-libraries.mjs'
import { inRoot } from '../../tools/paths.mjs'

test('the library set of each module has the flags of its link', () => {
  assert.deepEqual(Object.keys(sets).sort(), [...allModuleNames].sort())
  for (const [name, [, flags]] of Object.entries(sets)) {
    const files = ['platform.cmake', name === 'constraints' ? 'constraints_module.cmake' : 'wasm_module.cmake']
    const given = files.flatMap(file => readFileSync(inRoot('cmake', file), 'utf8').match(/(?<![\w-])--?[a-zA-Z][\w-]*(?:=\w+)?/g))
    assert.deepEqual(
      flags.filter(flag => !given.includes(flag)),
      [],
      name,
    )
  }
})
