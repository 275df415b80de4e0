// The extra module of an engine: what few models and calls need (cmake/extra.cmake). It is fetched when something asks for it.
import { HeedError } from '../wire/errors.js'
import type { ExtraFile } from '../wire/protocol.js'
import type { EngineModule } from './engine.js'
import { later } from './later.js'
import type { Port } from './port.js'

/** Adds the module to an engine, once. Throws `network`, `io` or `unsupported`, which may be temporary. */
export type Extra = () => Promise<void>

async function compiledExtra(file: ExtraFile, { readBytes, post }: Port): Promise<Required<ExtraFile>> {
  if (file.compiled && file.bytes) return file as Required<ExtraFile>
  const { wasm } = file
  const bytes = await readBytes(wasm)
  const compiled = await WebAssembly.compile(bytes).catch((error: Error) => {
    throw new HeedError('network', `${wasm} is not what it should be: ${error.message}`, { cause: error })
  })
  post({ type: 'compiled', wasm, compiled, bytes })
  return { wasm, compiled, bytes }
}

export const extraOf = (module: EngineModule, file: ExtraFile, threads: number, port: Port): Extra =>
  later(async () => {
    const { wasm, compiled, bytes } = await compiledExtra(file, port)
    try {
      module.joinExtra(compiled as WebAssembly.Module, threads > 1 ? new Uint8Array(bytes) : undefined)
    } catch (error) {
      if (!(error instanceof WebAssembly.LinkError || error instanceof TypeError)) throw error
      throw new HeedError('network', `${wasm} is not of this version of Heed: ${error.message}`, { cause: error })
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
