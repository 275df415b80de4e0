// What looks into a model, in a browser: a classic script, like the engine worker's, which runs it at the first such call.
import { lab } from './worker/lab/index.js'

Object.assign(globalThis, { 'heed-lab': lab })
