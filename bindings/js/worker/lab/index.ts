// The lab in the engine's worker: handlers of calls that inspect a model, values from other texts for edits, and generation by
// unmasking. A script of its own (heed-lab.js).
import type { Lab } from '../host.js'
import { engineEdits } from './edits.js'
import { imageAttention } from './image-attention.js'
import { multiply } from './multiply.js'
import { points, readFile, unembed, weights } from './model.js'
import { sweep } from './sweep.js'
import { attribute, hidden, lens, score } from './text.js'
import { trace } from './trace.js'
import { unmask } from './unmask.js'

export const lab: Lab = {
  trace,
  hidden,
  lens,
  score,
  attribute,
  sweep,
  points,
  unembed,
  multiply,
  weights,
  readFile,
  imageAttention,
  engineEdits,
  unmask,
}
