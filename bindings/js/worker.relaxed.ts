// The engine worker with relaxed SIMD.
import { browserPort } from './browser.port.js'
import create from './heed-relaxed.js'
import { serve } from './worker.js'

serve(create, browserPort)
