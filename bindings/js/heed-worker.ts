// The engine worker's script in a browser: a classic script, so that it runs from any location and with any bundler.
import { browserPort } from './platform/browser-port.js'
import { serve } from './worker.js'

serve(browserPort)
