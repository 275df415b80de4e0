// The models that this browser keeps for the page, as they are in the package's store.
import { HeedError, modelStore, type StoredModel, type StoreEstimate } from 'heed'
import type { Source } from '../model/slot.js'
import { Observable } from '../support/observable.js'

export interface Kept {
  readonly models: readonly StoredModel[]
  readonly room: StoreEstimate
}

/** Whether the browser gives this page, and this window, files: private windows have none. */
export async function canKeep(): Promise<boolean> {
  try {
    await navigator.storage.getDirectory()
    return true
  } catch {
    return false
  }
}

/** What opens a kept model, or goes on with one that is there in part. */
export const sourceOf = ({ source, name, revision, endpoint }: StoredModel): Source => ({
  name: `“${name}”`, data: source, cache: true, ...(revision || endpoint) && { hub: { revision, endpoint } },
})

export class Library {
  /** Nothing until it is known, and where nothing can be kept. */
  readonly kept = new Observable<Kept | undefined>(undefined)
  readonly isAvailable = canKeep()
  #latest = 0

  /** Looks what there is. */
  async refresh(): Promise<void> {
    if (!await this.isAvailable) return
    const turn = ++this.#latest
    const [models, room] = await Promise.all([modelStore.list(), modelStore.estimate()])
    if (turn === this.#latest) this.kept.value = { models, room }
  }

  /** How many bytes of a source are there, of one that did not come as a whole. */
  async partOf({ data }: Source): Promise<number> {
    await this.refresh()
    const model = this.kept.value?.models.find(({ source, complete }) => source === data && !complete)
    return model?.bytes ?? 0
  }

  async delete(model: StoredModel): Promise<void> {
    await modelStore.delete(model).finally(() => this.refresh())
  }

  /** Copies a file of the reader's. `tell` is called with how much of it is there, from 0 to 1. */
  async keep(file: File, tell: (share: number) => void): Promise<void> {
    if (!await this.isAvailable) throw new HeedError('unsupported', 'the browser stores no files in this window')
    await modelStore.import(file, { onProgress: ({ loaded, total }) => tell(total ? loaded / total : 0) })
    await this.refresh()
  }
}
