// The script that holds texts to forms, in a browser: a classic script, like the engine worker's, which runs it at the first form.
import { Constraints } from './worker/constraints/constraints.js'

Object.assign(globalThis, { 'heed-constraints': Constraints })
