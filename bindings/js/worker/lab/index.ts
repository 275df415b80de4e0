// The lab in the engine's worker: handlers of calls that inspect a model, and values from other texts for edits. A script of its
// own (heed-lab.js).
import type { Lab } from '../host.js'
import { engineEdits } from './edits.js'
import { imageAttention } from './image-attention.js'
import { points, readFile, unembed, weights } from './model.js'
import { sweep } from './sweep.js'
import { attribute, hidden, lens, score } from './text.js'
import { trace } from './trace.js'

export const lab: Lab = {
  trace,
  hidden,
  lens,
  score,
  attribute,
  sweep,
  points,
  unembed,
  weights,
  readFile,
  imageAttention,
  engineEdits,
}
