// The platform of a page, or of a worker of a page.
import type { AssetName, Assets } from '../types/index.js'
import { HeedError, refuse } from '../wire/errors.js'
import { locateIn, moduleFiles } from './assets.js'
import { bundled } from './bundled.js'
import type { Endpoint, Platform } from './platform.js'
import { startWorker } from './start-worker.js'
import { allEnded, endWorker } from './worker-end.js'

/** Resolves an address relative to the page. */
function absolute(option: string, address: string | URL): URL {
  try {
    return new URL(address, globalThis.document?.baseURI ?? location.href)
  } catch {
    throw refuse(`loadModel: ${option}: "${address}" is not a URL`)
  }
}

/** Uses the colors as stored, without the file's color profile, because models were trained that way. */
const asStored = { colorSpaceConversion: 'none' } as const

/** Locates a file that only some calls need. If a bundle cannot locate it, it is assumed to be beside the worker's script. */
function locateLater(name: AssetName, assets?: Assets): string {
  try {
    return locateAsset(assets)(name)
  } catch {
    return name
  }
}

const locateAsset = (assets?: Assets) => locateIn(assets, bundled, address => absolute('assets', address))

export const browser: Platform = {
  cores: globalThis.navigator?.hardwareConcurrency ?? 1,

  locate: source => ({ kind: 'url', url: absolute('source', source).href }),

  defaultModel: assets => ({ kind: 'url', url: locateAsset(assets)('heed-stories.gguf'), own: true }),

  engineFiles: (name, assets) => moduleFiles(locateAsset(assets), name, file => locateLater(file as AssetName, assets)),

  constraintsModule: assets => locateLater('heed-constraints.wasm', assets),

  workerScript: locateLater,

  async decodeImage(image) {
    const bitmap = await createImageBitmap(image as ImageBitmapSource, asStored)
    try {
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
      if (!context) throw new HeedError('out-of-memory', 'there is no canvas to read it')
      context.drawImage(bitmap, 0, 0)
      return context.getImageData(0, 0, bitmap.width, bitmap.height)
    } finally {
      bitmap.close()
    }
  },

  async startEngine(assets) {
    if (typeof Worker === 'undefined') {
      throw new HeedError('unsupported', 'There are no workers here: use loadModel of heed/in-thread')
    }
    await allEnded()
    return endpointOf(await startWorker(locateAsset(assets)('heed-worker.js'), 'heed'), endWorker)
  },

  startTemplates: async assets =>
    endpointOf(await startWorker(locateAsset(assets)('heed-template.js'), 'heed-template'), worker => worker.terminate()),
}

const endpointOf = <To, From>(worker: Worker, end: (worker: Worker) => void | Promise<void>): Endpoint<To, From> => ({
  post: (message, transfer = []) => worker.postMessage(message, transfer),
  listen(onMessage, onError) {
    worker.onmessage = ({ data }: MessageEvent<From>) => onMessage(data)
    worker.onmessageerror = () => onError(new HeedError('crashed', 'A message of the worker cannot be read'))
    worker.onerror = event => {
      event.preventDefault()
      onError(new HeedError('crashed', event.message ?? 'The worker failed'))
    }
  },
  terminate: () => end(worker),
  setBusy() {},
})
