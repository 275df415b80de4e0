// JavaScript glue for a test: the real one, except that generate() with maxTokens 13 traps, like a broken kernel; with 14 it throws
// like a mistake in our own script, with 15 like a list that is too long, and with 16 the pass after it does.
import { changedGlue } from './changed_glue.mjs'

// (module (func (export "trap") unreachable))
const bytes = [
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00, 0x07, 0x08, 0x01,
  0x04, 0x74, 0x72, 0x61, 0x70, 0x00, 0x00, 0x0a, 0x05, 0x01, 0x03, 0x00, 0x00, 0x0b,
]

/** The glue's script with this change. */
export const trappingGlue = script =>
  changedGlue(
    script,
    `
    const { trap } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([${bytes}]))).exports
    const { begin, step } = module.Engine.prototype
    let fails = false
    module.Engine.prototype.begin = function (session, prompt, options, ...rest) {
      if (options.maxTokens === 13) trap()
      if (options.maxTokens === 14) return undefined.length
      if (options.maxTokens === 15) return new Float32Array(2 ** 60)
      fails = options.maxTokens === 16
      return begin.call(this, session, prompt, options, ...rest)
    }
    module.Engine.prototype.step = function () {
      if (!fails) return step.call(this)
      fails = false
      return undefined.length
    }`,
  )
