// The script of the worker that runs chat templates, in a browser: a classic script, like the script of the engine's worker.
import { serveTemplates } from './prompting/tasks.js'
import { started } from './wire/worker-life.js'

const receive = serveTemplates(message => self.postMessage(message))
self.onmessage = ({ data }) => receive(data)
self.postMessage(started)
