// The engine worker with 128-bit SIMD.
import { browserPort, compileFrom } from './browser.port.js'
import create from './heed-simd128.js'
import { serve } from './worker.js'

serve(create, () => compileFrom(new URL('./heed-simd128.wasm', import.meta.url)), browserPort)
