// The scripts that a browser's worker loads on demand, for workers that are bundled with them.
import { Constraints } from './constraints/constraints.js'
import { Kept } from './kept/kept.js'
import { lab } from './lab/index.js'
import type { Port } from './port.js'

const scripts = { constraints: Constraints, lab, kept: Kept }

export const readLater: Port['readLater'] = async name => scripts[name] as never
