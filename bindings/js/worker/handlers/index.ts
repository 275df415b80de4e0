// The engine worker's handlers, by type of call.
import type { Call, Results } from '../../wire/protocol.js'
import type { CallState, Handler, Host } from '../host.js'
import { attentionParts, valueNorms } from './attention-parts.js'
import { controlVector, loadAdapter, loadProjector, unloadAdapter } from './adapters.js'
import { accepts, compile, release } from './constraints.js'
import { embed, rerank } from './embed.js'
import { generate } from './generate.js'
import { classify, embedImages, imageAttention } from './images.js'
import { attribute, hidden, lens, score } from './lab.js'
import { attention, gates, logits } from './read.js'
import {
  closeSession, forkSession, memory, openSession, restoreSession, saveSession, sessionTokens, truncateSession,
} from './sessions.js'
import { detokenize, imageTokens, tokenize } from './tokens.js'

type LoadedCall = Exclude<Call, { type: 'load' | 'store' }>

const handlers: { [Type in LoadedCall['type']]: Handler<Type> } = {
  tokenize, imageTokens, detokenize,
  generate,
  compile, release, accepts,
  logits, attention, attentionParts, valueNorms, gates,
  hidden, lens, score, attribute, loadAdapter, unloadAdapter, controlVector, loadProjector,
  embed, rerank,
  embedImages, classify, imageAttention,
  memory, openSession, forkSession, restoreSession, truncateSession, sessionTokens, saveSession, closeSession,
}

export const handle = async (host: Host, state: CallState, call: LoadedCall): Promise<Results[keyof Results]> =>
  (handlers[call.type] as Handler<typeof call.type>)(host, state, call as never)
