// The script of the worker that runs chat templates, in Node, Deno and Bun.
import { parentPort } from 'node:worker_threads'
import { serveTemplates } from './prompting/tasks.js'
import { started } from './wire/worker-life.js'

parentPort!.on(
  'message',
  serveTemplates(message => parentPort!.postMessage(message)),
)
parentPort!.postMessage(started)
