// The script that reads a model's inside, in a browser: a classic script, like the engine worker's, which runs it at the first such
// call.
import { lab } from './worker/lab/index.js'

Object.assign(globalThis, { 'heed-lab': lab })
