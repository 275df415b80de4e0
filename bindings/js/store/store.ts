// The store, in a worker: opens models for the loader, downloads, imports and lists them.
import type { StoredModel } from '../types/store.js'
import { HeedError } from '../wire/errors.js'
import * as catalogue from './catalogue.js'
import type { StoreAccess, StorePlace } from './folder.js'
import { forecast } from './forecast.js'
import type { Store } from './interface.js'
import type { SourceRecord } from './journal-lines.js'
import { readMetadata } from './metadata.js'
import { importFiles, openModel, storeModel } from './open.js'
import type { ProgressReport } from './progress.js'
import { recordOf } from './record.js'
import { splitName } from './split-name.js'

/** `listed`: the place to list and delete models; also available in a thread that cannot write files. */
export function openStore(own: StoreAccess, listed = own.store): Store {
  async function inPlace<Result>(body: (place: StorePlace) => Promise<Result>, otherwise: Result): Promise<Result> {
    const place = await listed()
    return place ? body(place) : otherwise
  }

  async function required(record: SourceRecord): Promise<StoredModel> {
    const model = await inPlace(place => catalogue.entryFor(place, record), undefined)
    if (!model?.complete) throw new HeedError('io', `${record.source} is missing from the store`) // another tab was quicker
    return model
  }

  function ended(phase: 'download' | 'import', model: StoredModel, report: ProgressReport): StoredModel {
    report.end(phase, model.bytes)
    return model
  }

  return {
    kept: () => own.store('kept'),
    metadata: readMetadata,
    open: (request, access, report) => openModel(request, { ...access, ...own }, report),

    async run(task, access, report) {
      switch (task.task) {
        case 'download':
          await storeModel(task.request, { ...access, ...own }, report)
          return ended('download', await required(recordOf(task.request.source)), report)
        case 'import': {
          const name = splitName(task.name)?.title ?? task.name
          const record = { source: `store:${name}` }
          await importFiles(record, name, task.source, { ...access, ...own }, report)
          return ended('import', await required(record), report)
        }
        case 'list':
          return inPlace(async place => (await catalogue.entries(place)).map(({ model }) => model), [])
        case 'clear':
          return inPlace(catalogue.clear, undefined)
        case 'estimate':
          return catalogue.estimate(await listed(), await listed('kept', false))
        case 'has':
          return inPlace(place => catalogue.has(place, recordOf(task.source)), false)
        case 'delete':
          return inPlace(place => catalogue.remove(place, recordOf(task.source)), false)
        case 'prune':
          return inPlace(place => catalogue.prune(place, task.keepBytes), [])
        case 'clearKept': {
          const place = await listed('kept', false)
          for (const name of (await place?.folder.names()) ?? []) await place!.folder.remove(name)
          return undefined
        }
        case 'fits':
          return forecast(task, { ...access, ...own }, report)
      }
    },
  }
}
