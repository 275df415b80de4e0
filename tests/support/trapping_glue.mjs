// JavaScript glue for a test: the real one, but generate() with maxTokens 13 traps, like a broken kernel.
import { changedGlue } from './changed_glue.mjs'

// (module (func (export "trap") unreachable))
const bytes = [
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00,
  0x07, 0x08, 0x01, 0x04, 0x74, 0x72, 0x61, 0x70, 0x00, 0x00, 0x0a, 0x05, 0x01, 0x03, 0x00, 0x00, 0x0b,
]

/** The glue's script with this change. */
export const trappingGlue = script => changedGlue(script, `
    const { trap } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([${bytes}]))).exports
    const { begin } = module.Engine.prototype
    module.Engine.prototype.begin = function (session, prompt, options, ...rest) {
      if (options.maxTokens === 13) trap()
      return begin.call(this, session, prompt, options, ...rest)
    }`)
