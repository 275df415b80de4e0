// The script of the worker in which the templates of chats run, in a browser: a classic script, like the engine worker's.
import { answerTask } from './chat/tasks.js'
import { started } from './wire/worker-life.js'

self.onmessage = ({ data }) => self.postMessage(answerTask(data))
self.postMessage(started)
