// The engine itself, called directly: it checks its arguments.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inRoot } from '../../tools/paths.mjs'
import { defaultModelBytes, modules } from './support.mjs'

const name = modules.at(modules.includes('relaxed') ? modules.indexOf('relaxed') : 0)

async function newEngine() {
  await import(pathToFileURL(inRoot(`dist/heed-${name}.js`)))
  const compiled = await WebAssembly.compile(readFileSync(inRoot(`dist/heed-${name}.wasm`)))
  const module = await globalThis.heedGlue({
    workers: [],
    wasmMemory: new WebAssembly.Memory({ initial: 256, maximum: 65536, shared: true }),
    instantiateWasm(imports, onInstance) {
      const instance = new WebAssembly.Instance(compiled, imports)
      onInstance(instance, compiled)
      return instance.exports
    },
  })
  return new module.Engine()
}

test('a number of bytes that no read can give is refused, and the file can be read on', async () => {
  const engine = await newEngine()
  engine.open({ threads: 1 })
  const { length } = engine.input()
  // Chromium's private windows answer with the code of an error as an unsigned number.
  for (const count of [4294967288, 4294967292, length + 1, -8]) {
    assert.throws(
      () => engine.write(count),
      error => error.code === 'io' && /bytes were read into/.test(error.message),
      `${count}`,
    )
  }
  const bytes = defaultModelBytes()
  for (let at = 0; at < bytes.length; at += length) {
    const part = bytes.subarray(at, at + length)
    engine.input().set(part)
    engine.write(part.length)
  }
  engine.finish()
  assert.ok(engine.info().vocabulary > 0)
  engine.delete()
})
