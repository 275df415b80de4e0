// The engine worker with relaxed SIMD.
import { browserPort, compileFrom } from './browser.port.js'
import create from './heed-relaxed.js'
import { serve } from './worker.js'

serve(create, () => compileFrom(new URL('./heed-relaxed.wasm', import.meta.url)), browserPort)
