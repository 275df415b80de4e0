// The script of the worker in which the templates of chats run, in Node, Deno and Bun.
import { parentPort } from 'node:worker_threads'
import { answerTask } from './chat/tasks.js'
import { started } from './wire/worker-life.js'

parentPort!.on('message', task => parentPort!.postMessage(answerTask(task)))
parentPort!.postMessage(started)
