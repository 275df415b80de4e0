// Chooses the WebAssembly modules by probing what runs here.
import type { Simd } from '../types/index.js'
import { HeedError, refuse } from '../wire/errors.js'
import type { ModuleName } from './assets.js'
import { hasMemory64 } from './memory64-probe.js'
import { moduleOf } from './probe-module.js'
import { runsRelaxedSimd } from './relaxed-probe.js'

// (func (result v128) (i8x16.splat (i32.const 0)))
const simdProbe =
  '01 05 01 60 00 01 7b ' + // type: () -> v128
  '03 02 01 00 ' + // one function of that type
  '0a 08 01 06 00 41 00 fd 0f 0b' // its code

/** Throws `unsupported` if neither module can run. */
function checkSimd(): void {
  const lack =
    typeof WebAssembly === 'undefined'
      ? 'has no WebAssembly, or has it turned off'
      : WebAssembly.validate(moduleOf(simdProbe))
        ? undefined
        : 'has no SIMD in WebAssembly'
  if (lack) {
    throw new HeedError('unsupported', `This browser ${lack}. Heed needs at least Chrome or Edge 91, Firefox 89 or Safari 16.4.`)
  }
}

/** The requested kernels, or the fastest that run here. Throws `unsupported` if the requested kernels, or all, cannot run. */
function chooseSimd(asked?: Simd): Simd {
  checkSimd()
  if (asked === 'simd128') return asked
  const relaxed = runsRelaxedSimd()
  if (asked === 'relaxed' && !relaxed) {
    throw new HeedError('unsupported', 'simd: relaxed SIMD does not run here as Heed needs it')
  }
  return relaxed ? 'relaxed' : 'simd128'
}

export interface ModuleChoice {
  simd: Simd
  /** The module to start, then the module for models that do not fit into the memory of the first. */
  names: ModuleName[]
  /** The reason why there is no second module, for the error about a model that needs it. */
  lack?: string
}

/** Firefox has 64-bit memory from 134, and relaxed SIMD from 146: https://www.npmjs.com/package/@mdn/browser-compat-data, in `webassembly` */
const lackOf = (missing: string) =>
  `64-bit memory and relaxed SIMD, but there is no ${missing} here. Both need at least Chrome or Edge 133, ` +
  'Firefox 146, Safari 27.3 or Node 24.'

/**
 * `memory64`: whether to use 64-bit memory; by default, only if a model needs it. Throws `unsupported` or `invalid-argument`.
 */
export function chooseModules(asked?: Simd, memory64?: boolean): ModuleChoice {
  const simd = chooseSimd(asked)
  const limit = memory64 === false ? 'memory64: false' : asked === 'simd128' && "simd: 'simd128'"
  if (limit) {
    if (memory64) throw refuse(`loadModel: memory64: needs relaxed SIMD, not ${limit}`)
    return { simd, names: [simd], lack: `\`${limit}\` rules out 64-bit memory, which allows more.` }
  }
  const missing = simd !== 'relaxed' ? 'relaxed SIMD' : hasMemory64() ? undefined : '64-bit memory'
  if (missing && memory64) throw new HeedError('unsupported', `loadModel: memory64: needs ${lackOf(missing)}`)
  if (missing) return { simd, names: [simd], lack: `More needs ${lackOf(missing)}` }
  return { simd, names: memory64 ? ['memory64'] : [simd, 'memory64'] }
}
