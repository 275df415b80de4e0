import { readFileSync } from 'node:fs'
import { inRoot } from '../../tools/paths.mjs'

/** Whether dist/ has a WebAssembly module; the suites for every day build only the one for relaxed SIMD. */
export const isBuilt = name =>
  readFileSync(inRoot('dist', `heed-${name}.wasm`))
    .subarray(0, 4)
    .equals(Buffer.from('\0asm'))
