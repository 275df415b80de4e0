// The script for models that keep what they read, in a browser: a classic script, which the engine worker runs on demand.
import { Kept } from './worker/kept/kept.js'

Object.assign(globalThis, { 'heed-kept': Kept })
