// The user's own lists of edits for each model, including those that a link's list has replaced, as JSON. They are kept while other
// models are open; drafts keep them across reloads. Once the view of edits has been opened, it shows them.
import type { Model } from 'heed'
import { keyOf } from '../model/key.js'
import { Observable } from '../support/observable.js'

export interface OwnLists {
  /** The list in view; empty if that is a link's. */
  readonly list: string
  /** Lists that were set aside, the last one first. */
  readonly aside: readonly string[]
}

const none: OwnLists = { list: '', aside: [] }

export class OwnEdits {
  /** The key of a model, and its lists, once they have changed. */
  readonly changed = new Observable<{ readonly key: string; readonly lists?: OwnLists } | undefined>(undefined)
  /** Incremented when lists of an earlier page were added, or all were removed. */
  readonly restored = new Observable(0)
  readonly #byModel = new Map<string, OwnLists>()

  of(model: Model): OwnLists {
    return this.#byModel.get(keyOf(model)) ?? none
  }

  set(model: Model, lists: OwnLists): void {
    const key = keyOf(model)
    const { list, aside } = this.of(model)
    if (list === lists.list && aside.length === lists.aside.length && aside.every((one, at) => one === lists.aside[at])) return
    this.#byModel.set(key, lists)
    const isEmpty = lists.list === '' && lists.aside.length === 0
    this.changed.value = { key, ...(!isEmpty && { lists }) }
  }

  /** Adds lists of an earlier page; where the user has begun a list meanwhile, they are set aside. */
  bringBack(found: ReadonlyMap<string, OwnLists>): void {
    for (const [key, { list, aside }] of found) {
      const now = this.#byModel.get(key) ?? none
      const others = [...now.aside, ...(now.list === '' || list === '' ? [] : [list]), ...aside]
      this.#byModel.set(key, { list: now.list || list, aside: others })
    }
    if (found.size > 0) this.restored.value++
  }

  clear(): void {
    this.#byModel.clear()
    this.restored.value++
  }
}
