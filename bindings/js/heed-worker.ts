// The engine worker's script in a browser: a classic script, so that it runs from any location and with any bundler.
import { browserPort } from './worker/browser-port.js'
import { serve } from './worker/serve.js'

serve(browserPort)
