// The engine worker's script in Node.
import { nodePort } from './worker/node-port.js'
import { serve } from './worker/serve.js'

// Makes the glue treat this thread as a web worker: like one, it may block.
Object.assign(globalThis, { WorkerGlobalScope: Object })

serve(nodePort)
