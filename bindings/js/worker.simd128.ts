// The engine worker with 128-bit SIMD.
import { browserPort } from './browser.port.js'
import create from './heed-simd128.js'
import { serve } from './worker.js'

serve(create, browserPort)
