// The models stored in this browser, from the package's store.
import { HeedError, modelStore, type StoredModel, type StoreEstimate } from 'heed'
import type { Source } from '../model/slot.js'
import { Observable } from '../support/observable.js'

export interface Kept {
  readonly models: readonly StoredModel[]
  readonly room: StoreEstimate
}

/** Whether the browser offers file storage in this window: private windows have none. */
export async function canKeep(): Promise<boolean> {
  try {
    await navigator.storage.getDirectory()
    return true
  } catch {
    return false
  }
}

/** The source that opens a stored model, or resumes a partly downloaded one. */
export const sourceOf = ({ source, name, revision, endpoint }: StoredModel): Source => ({
  name: `“${name}”`,
  data: source,
  cache: true,
  ...((revision || endpoint) && { hub: { revision, endpoint } }),
})

export class Library {
  /** Undefined until it is known, and always if models cannot be stored. */
  readonly kept = new Observable<Kept | undefined>(undefined)
  readonly isAvailable = canKeep()
  #latest = 0

  /** Updates `kept` from the store. */
  async refresh(): Promise<void> {
    if (!(await this.isAvailable)) return
    const turn = ++this.#latest
    const [models, room] = await Promise.all([modelStore.list(), modelStore.estimate()])
    if (turn === this.#latest) this.kept.value = { models, room }
  }

  /** Whether a source is stored completely. */
  async has(address: string): Promise<boolean> {
    return (await this.isAvailable) && modelStore.has(address).catch(() => false)
  }

  /** How many bytes of a partly downloaded source are stored; 0 for any other source. */
  async partOf({ data }: Source): Promise<number> {
    await this.refresh()
    const model = this.kept.value?.models.find(({ source, complete }) => source === data && !complete)
    return model?.bytes ?? 0
  }

  async delete(model: StoredModel): Promise<void> {
    await modelStore.delete(model).finally(() => this.refresh())
  }

  /** Stores a copy of a file, and resolves to its source. `tell` is called with the progress, from 0 to 1. */
  async keep(file: File, tell: (share: number) => void): Promise<string> {
    if (!(await this.isAvailable))
      throw new HeedError('unsupported', 'this window has no file storage (private browsing, for example)')
    const { source } = await modelStore.import(file, { onProgress: ({ loaded, total }) => tell(total ? loaded / total : 0) })
    await this.refresh()
    return source
  }
}
