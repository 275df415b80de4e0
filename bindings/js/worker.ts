// The engine's own worker: answers one call at a time, in small steps, so that an abort is heard in between.
import {
  attention, classify, detokenize, embed, embedImages, generate, type Host, imageAttention, logits, rerank, tokenize,
} from './answers.js'
import { type CreateModule, sharesMemory, startEngine, type ThreadWorker } from './engine.js'
import { HeedError } from './errors.js'
import { load } from './load.js'
import type { Call, FromEngine, Results, ToEngine } from './protocol.js'
import type { StoreAccess } from './store/folder.js'
import type { ModelFile } from './store/model-file.js'
import { keepModel, openModel } from './store/open.js'
import { ProgressReport } from './store/progress.js'

/** The worker's end of the line, and what depends on where it runs. */
export interface Port extends StoreAccess {
  post(message: FromEngine, transfer?: ArrayBuffer[]): void
  listen(onMessage: (message: ToEngine) => void): void
  /** Lets messages in before going on. */
  breathe(): Promise<void>
  openPath?(path: string): ModelFile
  /** These throw `network` or `unsupported`, with the cause. */
  readGlue(address: string): Promise<CreateModule>
  compile(address: string): Promise<WebAssembly.Module>
  /** Starts a worker that runs the glue as a thread; absent where there are no threads. */
  startThread?(glue: string): Promise<ThreadWorker>
}

/** Answers calls, the first of which loads a model. */
export function serve(port: Port): void {
  let host: Host | undefined
  let receiveChunk: (bytes?: Uint8Array) => void

  const pull = () => new Promise<Uint8Array | undefined>(resolve => {
    receiveChunk = resolve
    port.post({ type: 'pull' })
  })

  async function answer(call: Call): Promise<Results[keyof Results]> {
    const report = new ProgressReport(progress => port.post({ type: 'progress', progress }))
    if (call.type === 'keep') {
      await keepModel(call.request, { ...port, pull }, report)
      return []
    }
    if (call.type === 'load') {
      const opening = openModel(call.request, { ...port, pull }, report)
      opening.catch(() => {})  // told below, unless the engine fails first
      host = { ...await startEngine(port, call), ...port }
      return load(host, await opening, report)
    }
    if (!sharesMemory()) host!.engine.setCancelled(false)  // otherwise the page does, before it posts the call
    switch (call.type) {
      case 'tokenize': return tokenize(host!, call)
      case 'detokenize': return detokenize(host!, call)
      case 'generate': return generate(host!, call)
      case 'logits': return logits(host!, call)
      case 'attention': return attention(host!, call)
      case 'embed': return embed(host!, call)
      case 'rerank': return rerank(host!, call)
      case 'embedImages': return embedImages(host!, call)
      case 'classify': return classify(host!, call)
      case 'imageAttention': return imageAttention(host!, call)
    }
  }

  async function run(call: Call): Promise<void> {
    try {
      const result = await answer(call)
      port.post({ type: 'done', result }, movable(result))
    } catch (error) {
      const { code, message } = HeedError.from(error)
      port.post({ type: 'failed', code, message })
    }
  }

  port.listen(message => {
    if (message.type === 'chunk') receiveChunk(message.bytes)
    else if (message.type === 'abort') host?.engine.setCancelled(true)
    else run(message)
  })
}

/** The large arrays of a result, which need not be copied. */
function movable(result: Results[keyof Results]): ArrayBuffer[] {
  if (typeof result === 'string') return []
  const arrays = 'weights' in result ? [result.weights] : Array.isArray(result) ? result : [result]
  return arrays.filter(array => array instanceof Float32Array).map(array => array.buffer as ArrayBuffer)
}
