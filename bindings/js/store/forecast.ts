// Forecasts whether a model fits: the memory that a load would take, according to the file's header, and the room in the store.
import type { Fit } from '../types/store.js'
import { HeedError } from '../wire/errors.js'
import { entryFor } from './catalogue.js'
import { headerBytes } from './extent.js'
import type { StoreAccess } from './folder.js'
import type { FileAccess, FitsTask, Forecast } from './interface.js'
import { openModel } from './open.js'
import type { ProgressReport } from './progress.js'
import { recordOf } from './record.js'

type Access = FileAccess & StoreAccess

/** Forecasts a load. Fails as a load does, except with `out-of-memory`. */
export async function forecast(task: FitsTask, access: Access, report: ProgressReport): Promise<Fit> {
  const [header, first] = await Promise.all([readHead(task, access, report), access.startForecaster(task)])
  let started = first
  try {
    let found = await started.forecast(header)
    if (!fits(found)) {
      const larger = await started.larger(tooLarge).catch((error: unknown) => {
        if (HeedError.from(error).code !== tooLarge.code) throw error
      })
      if (larger) {
        started = larger
        found = await started.forecast(header)
      }
    }
    const storage = await storageFor(task, access, found.info.fileBytes)
    return { ...inWords(found), memory64: started.memory64, threads: started.threads, ...(storage && { storage }) }
  } finally {
    await started.end()
  }
}

async function readHead({ request }: FitsTask, access: Access, report: ProgressReport): Promise<Uint8Array> {
  const file = await openModel({ ...request, head: true }, access, report)
  try {
    return await headerBytes(file)
  } finally {
    await file.close()
  }
}

/** Stands for the error of an engine that refuses a model; never reported. */
const tooLarge = new HeedError('out-of-memory', 'The model does not fit')

const fits = ({ info, cache, limit }: Forecast) => info.memoryBytes + cache <= limit

/** Seconds that a layer takes besides its matrix products; measured with small models, where they are most of the time. */
const perLayer = 30e-6
/** The prompt tokens that one pass processes. */
const tokensAtOnce = 128

const besideProducts = (rate: number, layers: number) => (rate > 0 ? 1 / (1 / rate + layers * perLayer) : 0)

function inWords(found: Forecast): Omit<Fit, 'memory64' | 'threads' | 'storage'> {
  const { info, limit, weights, cache, longestContext, reading, writing } = found
  const { architecture, name, weights: format, parameters, fileBytes, contextLength, trainedContext, kvCache, parallel } = info
  return {
    fits: fits(found),
    architecture,
    name,
    weights: format,
    parameters,
    fileBytes,
    contextLength,
    trainedContext,
    longestContext,
    kvCache,
    parallel,
    memory: { bytes: info.memoryBytes, weights, workspace: info.memoryBytes - weights, cache, limit },
    tokensPerSecond: {
      reading: besideProducts(reading, info.layers / tokensAtOnce),
      writing: besideProducts(writing, info.layers),
    },
  }
}

async function storageFor({ request: { source } }: FitsTask, access: Access, fileBytes: number): Promise<Fit['storage']> {
  const place = await access.store()
  if (!place) return undefined
  const isRemote = source.kind === 'hub' || source.kind === 'stored' || (source.kind === 'url' && !source.own)
  const model = isRemote ? await entryFor(place, recordOf(source)) : undefined
  const { free } = await place.folder.space()
  const stored = model?.bytes ?? 0
  return { stored, needed: model?.complete ? 0 : Math.max(fileBytes - stored, 0), ...(free !== undefined && { free }) }
}
