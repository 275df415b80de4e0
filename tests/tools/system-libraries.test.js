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
    const texts = files.map(file => readFileSync(inRoot('cmake', file), 'utf8'))
    const given = texts.flatMap(text => text.match(/(?<![\w-])--?[a-zA-Z][\w-]*(?:=\w+)?/g))
    for (const [, libraries] of texts.join().matchAll(/target_link_libraries\(heed_module PRIVATE ([\w ]+)\)/g))
      given.push(...libraries.split(' ').map(library => `-l${library}`)) // CMake's word for the flag
    assert.deepEqual(
      flags.filter(flag => !given.includes(flag)),
      [],
      name,
    )
  }
})
