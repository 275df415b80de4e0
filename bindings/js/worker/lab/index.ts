// The lab of the engine's worker: the handlers of calls that look into a model, and what edits take from other texts. A script of its own
// (heed-lab.js).
import type { Lab } from '../host.js'
import { attentionParts, valueNorms } from './attention-parts.js'
import { engineEdits } from './edits.js'
import { gates } from './gates.js'
import { imageAttention } from './image-attention.js'
import { attribute, hidden, lens, score } from './text.js'

export const lab: Lab = { attentionParts, valueNorms, gates, hidden, lens, score, attribute, imageAttention, engineEdits }
