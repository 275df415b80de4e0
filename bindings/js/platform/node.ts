// The platform of Node: worker threads, and models by path. Importing the package has no side effects, because servers import the
// same code as their pages.
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Transferable } from 'node:worker_threads'
import type { Assets } from '../types/index.js'
import { HeedError, refuse } from '../wire/errors.js'
import { type Locate, locateIn, moduleFiles } from './assets.js'
import { decodeInWorker } from './node-images.js'
import { endThreadsOf, startNodeWorker } from './node-worker.js'
import type { Endpoint, Platform } from './platform.js'

/** A variable, because bundlers for servers would treat literals as files of a page. */
const here = import.meta.url
const besideThis: Locate = name => new URL(name, here).href

// Schemes of URLs, of any case.
const remote = /^(https?|data|blob):/i
const local = /^file:/i

/** Resolves a path or a file URL. */
function absolute(address: string | URL): URL {
  const text = String(address)
  if (local.test(text)) return new URL(text)
  if (remote.test(text)) throw refuse(`loadModel: assets: "${text}" is not a file, as Node requires`)
  return pathToFileURL(text)
}

const locateAsset = (assets?: Assets) => locateIn(assets, besideThis, absolute)

export const node: Platform = {
  get cores() {
    return availableParallelism()
  },

  locate(source) {
    const text = String(source)
    if (remote.test(text)) return { kind: 'url', url: text }
    if (!local.test(text)) return { kind: 'path', path: resolve(text) }
    try {
      return { kind: 'path', path: fileURLToPath(text) }
    } catch (error) {
      // a URL with another host, for example
      throw refuse(`source: "${text}" is not a file: ${(error as Error).message}`)
    }
  },

  defaultModel: assets => ({ kind: 'path', path: fileURLToPath(locateAsset(assets)('heed-stories.gguf')) }),

  engineFiles: (name, assets) => moduleFiles(locateAsset(assets), name),

  constraintsModule: assets => locateAsset(assets)('heed-constraints.wasm'),

  workerScript: () => undefined,

  cannotSend(blob) {
    try {
      structuredClone(blob)
      return false
    } catch {
      return true
    }
  },

  async decodeImage(image, whenAborted, assets) {
    if (typeof (image as Partial<Blob>).arrayBuffer !== 'function') {
      throw refuse('expected { width, height, data }, or a PNG or JPEG file')
    }
    return decodeInWorker(
      new URL(locateAsset(assets)('heed-images.node.js')),
      new Uint8Array(await (image as Blob).arrayBuffer()),
      whenAborted,
    )
  },

  startEngine: assets => start('heed-worker.node.js', assets),
  startTemplates: assets => start('heed-template.node.js', assets),
}

async function start<To, From>(
  name: 'heed-worker.node.js' | 'heed-template.node.js',
  assets?: Assets,
): Promise<Endpoint<To, From>> {
  const worker = await startNodeWorker(new URL(locateAsset(assets)(name)))
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer as Transferable[]),
    listen(onMessage, onError) {
      worker.on('message', (message: From) => onMessage(message))
      const crash = (error: Error) => onError(new HeedError('crashed', error.message, { cause: error }))
      worker.on('messageerror', crash)
      worker.on('error', crash)
      worker.on('exit', () => crash(new Error(`The worker ${name} exited`)))
    },
    async terminate(hasModel) {
      if (hasModel) await endThreadsOf(worker)
      await worker.terminate()
    },
    setBusy: busy => (busy ? worker.ref() : worker.unref()),
  }
}
