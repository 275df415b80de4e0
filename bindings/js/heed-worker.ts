// The engine worker's script in a browser; no module, so that it runs from wherever it comes, and through any bundler.
import { browserPort } from './platform/browser-port.js'
import { serve } from './worker.js'

serve(browserPort)
