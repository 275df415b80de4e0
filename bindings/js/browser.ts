// Heed in a page, or in a worker of a page. URLs are spelled so that bundlers find the files.
import { HeedError } from './errors.js'
import type { Endpoint, Platform } from './platform.js'
import type { FromEngine } from './protocol.js'
import type { Simd } from './types.js'

const workers: Record<Simd, () => Worker> = {
  relaxed: () => new Worker(new URL('./worker.relaxed.js', import.meta.url), { type: 'module' }),
  simd128: () => new Worker(new URL('./worker.simd128.js', import.meta.url), { type: 'module' }),
}

function start(simd: Simd): Worker {
  try {
    return workers[simd]()
  } catch (error) {  // of another origin, for example
    const { message } = error as Error
    throw new HeedError('unsupported', `The engine worker cannot be started: ${message}`, { cause: error })
  }
}

export const browser: Platform = {
  cores: globalThis.navigator?.hardwareConcurrency ?? 1,
  defaultModel: { kind: 'url', url: new URL('./heed-stories.gguf', import.meta.url).href },

  locate(source) {
    try {
      return { kind: 'url', url: new URL(source, globalThis.document?.baseURI ?? location.href).href }
    } catch {
      throw new HeedError('invalid-argument', `loadModel: source: "${source}" is not a URL`)
    }
  },

  startEngine(simd): Endpoint {
    const worker = start(simd)
    return {
      post: (message, transfer = []) => worker.postMessage(message, transfer),
      listen(onMessage, onError) {
        worker.onmessage = ({ data }: MessageEvent<FromEngine>) => onMessage(data)
        worker.onmessageerror = () =>
          onError(new HeedError('crashed', 'A message of the engine worker could not be read'))
        worker.onerror = (event: ErrorEvent | Event) => {
          event.preventDefault()
          onError('message' in event ? new HeedError('crashed', event.message)
            : new HeedError('network', 'The script of the engine worker could not be loaded'))
        }
      },
      terminate: () => worker.terminate(),
      setBusy() {},
    }
  },
}
