// The engine worker's script in Node.
import { nodePort } from './worker/node-port.js'
import { serve } from './worker/serve.js'

// The glue takes this thread for a web worker; both may block.
Object.assign(globalThis, { WorkerGlobalScope: Object })

serve(nodePort)
