// The lab's script in a browser: a classic script, like the engine worker's script, which runs it at the first call that looks
// inside a model.
import { lab } from './worker/lab/index.js'

Object.assign(globalThis, { 'heed-lab': lab })
