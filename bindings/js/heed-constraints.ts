// The script that constrains generated texts, in a browser: a classic script, like the engine worker's script, which runs it at the
// first constraint.
import { Constraints } from './worker/constraints/constraints.js'

Object.assign(globalThis, { 'heed-constraints': Constraints })
