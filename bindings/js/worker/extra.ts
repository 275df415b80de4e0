// The extra module of an engine, with code that few models and calls need (cmake/extra.cmake). It is fetched when first needed.
import { HeedError } from '../wire/errors.js'
import type { WasmFile } from '../wire/protocol.js'
import { compiledOf } from './compiled.js'
import type { EngineModule } from './engine.js'
import { later } from './later.js'
import type { Port } from './port.js'

/** Adds the module to an engine, once. Throws `network`, `io` or `unsupported`, which may be temporary. */
export type Extra = () => Promise<void>

export const extraOf = (module: EngineModule, file: WasmFile, port: Port): Extra =>
  later(async () => {
    const compiled = await compiledOf(file, port)
    try {
      module.joinExtra(compiled)
    } catch (error) {
      if (!(error instanceof WebAssembly.LinkError || error instanceof TypeError)) throw error
      throw new HeedError('network', `${file.wasm} is not of this version of Heed: ${error.message}`, { cause: error })
    }
  })

/** Calls the engine; if it needs the extra module (require_extra in src/base/extra.hpp), adds it, and makes the same call again. */
export async function withExtra<Result>(extra: Extra, call: () => Result): Promise<Result> {
  try {
    return call()
  } catch (error) {
    if (!(error as { needsExtra?: boolean }).needsExtra) throw error
    await extra()
    return call()
  }
}
