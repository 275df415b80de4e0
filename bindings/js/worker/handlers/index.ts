// The engine worker's handlers, by type of call. Those of the lab are loaded on demand.
import type { Call, Results } from '../../wire/protocol.js'
import type { CallState, Handler, Host, LabCall } from '../host.js'
import { controlVector, loadAdapter, loadBeside, unloadAdapter } from './adapters.js'
import { accepts, compile, release } from './constraints.js'
import { embed, rerank } from './embed.js'
import { generate } from './generate.js'
import { forget, unfinished } from './kept.js'
import { classify, embedImages } from './images.js'
import { attention, logits } from './read.js'
import {
  closeSession,
  forkSession,
  memory,
  openSession,
  restoreSession,
  saveSession,
  sessionTokens,
  truncateSession,
} from './sessions.js'
import { transcribe } from './transcribe.js'
import { audioTokens, detokenize, hear, imageTokens, tokenize } from './tokens.js'

type LoadedCall = Exclude<Call, { type: 'load' | 'store' | 'metadata' }>

type OwnCall = Exclude<LoadedCall['type'], LabCall>

const handlers: { [Type in OwnCall]: Handler<Type> } = {
  tokenize,
  imageTokens,
  audioTokens,
  hear,
  detokenize,
  generate,
  unfinished,
  forget,
  compile,
  release,
  accepts,
  logits,
  attention,
  loadAdapter,
  unloadAdapter,
  controlVector,
  loadBeside,
  embed,
  rerank,
  embedImages,
  classify,
  transcribe,
  memory,
  openSession,
  forkSession,
  restoreSession,
  truncateSession,
  sessionTokens,
  saveSession,
  closeSession,
}

/** Calls for which the engine needs its extra module, whatever the model. */
const needExtra: ReadonlySet<string> = new Set<OwnCall>([
  'loadAdapter',
  'unloadAdapter',
  'controlVector',
  'loadBeside',
  'embed',
  'rerank',
  'embedImages',
  'classify',
  'transcribe',
])

export async function handle(host: Host, state: CallState, call: LoadedCall): Promise<Results[keyof Results]> {
  if (needExtra.has(call.type)) await host.extra()
  const handler = handlers[call.type as OwnCall] ?? (await host.lab())[call.type as LabCall]
  return (handler as Handler<typeof call.type>)(host, state, call as never)
}
