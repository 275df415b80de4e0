// The drafts of this tab, and the texts of free text: records beside the conversations, each with a name. A tab only writes its
// own. The drafts of a closed tab are taken over by the next tab that is opened.
import { Observable } from '../support/observable.js'
import { isRecord } from '../conversation/file.js'
import { answerOf, within } from './database.js'
import { askWhile } from './leaving.js'
import { forget, forgetAll, leave, leftovers } from './leftovers.js'
import { isOn } from './switch.js'
import { closed, thisTab } from './tab.js'

const format = 1

interface DraftRecord {
  readonly tab: string
  readonly name: string
  readonly format: typeof format
  readonly changed: number
  readonly value: unknown
}

const isDraft = (value: unknown): value is DraftRecord =>
  isRecord(value) &&
  value.format === format &&
  typeof value.changed === 'number' &&
  [value.tab, value.name].every(one => typeof one === 'string')

const newest = (records: readonly DraftRecord[]): number => Math.max(...records.map(({ changed }) => changed))

/** The reason why drafts are not saved, as a sentence with a remedy. */
const troubleOf = (error: unknown): string =>
  error instanceof DOMException && error.name === 'QuotaExceededError'
    ? 'The browser has no room left, so what you write is in this tab only until it is sent or copied: delete earlier conversations under “History”.'
    : 'This window keeps nothing of what you write (private browsing, for example): copy what you need later.'

/** The records that a tab begins with: its own, or copies of the original's if the tab is a copy, or the last closed tab's. */
async function found(): Promise<{ tab: string; values: Map<string, unknown> }> {
  const { id: tab, copyOf } = await thisTab()
  await writeLeft()
  const all = await within('readonly', ({ drafts }) => answerOf<unknown[]>(drafts.getAll())).catch((): unknown[] => [])
  const byTab = grouped(all.filter(isDraft))
  const valuesOf = (records: readonly DraftRecord[] = []) => new Map(records.map(({ name, value }) => [name, value]))
  const own = byTab.get(tab)
  if (own) return { tab, values: valuesOf(own) }
  const left = copyOf === undefined ? await closed([...byTab.keys()]) : []
  const [last] = left.map(one => byTab.get(one)!).sort((one, other) => newest(other) - newest(one))
  const taken = copyOf === undefined ? last : byTab.get(copyOf)
  if (taken)
    await within('readwrite', async ({ drafts }) => {
      for (const record of taken) {
        if (copyOf === undefined) drafts.delete([record.tab, record.name])
        drafts.put({ ...record, tab })
      }
    }).catch(() => {}) // they are there, and are written with the next change
  return { tab, values: valuesOf(taken) }
}

function grouped(records: readonly DraftRecord[]): Map<string, DraftRecord[]> {
  const groups = new Map<string, DraftRecord[]>()
  for (const record of records) groups.set(record.tab, [...(groups.get(record.tab) ?? []), record])
  return groups
}

const leftKind = 'draft'
const leftName = (tab: string, name: string) => `${leftKind} ${tab} ${name}`

/** What a page leaves to the next one for an unwritten record: the new record or, if it was removed, only its key. */
type Left = DraftRecord | Pick<DraftRecord, 'tab' | 'name'>

/** Writes what earlier pages could not write before they were left. */
async function writeLeft(): Promise<void> {
  const left = leftovers(leftKind)
  if (left.length === 0) return
  try {
    await within('readwrite', async ({ drafts }) => {
      for (const [, value] of left) {
        if (isDraft(value)) drafts.put(value)
        else if (isRecord(value) && [value.tab, value.name].every(one => typeof one === 'string'))
          drafts.delete([value.tab as string, value.name as string])
      }
    })
    for (const [name] of left) forget(name)
  } catch {} // the next page tries again
}

/** The ids of the existing conversations; empty if they are unknown. */
export const conversationIds = (): Promise<IDBValidKey[]> =>
  within('readonly', ({ heads }) => answerOf(heads.getAllKeys())).catch(() => [])

export class Desk {
  /** The records when the page was opened, by name. */
  readonly found: ReadonlyMap<string, unknown>
  /** The reason why drafts are not saved; empty if they are. */
  readonly trouble = new Observable('')
  readonly #tab: string
  /** The current records; a value is computed when it is written. */
  readonly #values = new Map<string, () => unknown>()
  readonly #due = new Set<string>()
  /** The names of the records that are being written. */
  #underWay: readonly string[] = []
  #writing?: Promise<void>
  #timer?: ReturnType<typeof setTimeout>
  readonly #isLosing = () => isOn() && this.trouble.value !== ''

  static async open(): Promise<Desk> {
    const { tab, values } = await found()
    return new Desk(tab, values)
  }

  private constructor(tab: string, values: ReadonlyMap<string, unknown>) {
    this.#tab = tab
    this.found = values
    for (const [name, value] of values) this.#values.set(name, () => value)
    addEventListener('pagehide', () => {
      this.#leave()
      void this.flush()
    })
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) for (const [name] of leftovers(`${leftKind} ${tab}`)) forget(name)
    })
  }

  /** Saves a record; undefined removes it. `value` is called when the record is written: within `ms`. */
  keep(name: string, value: (() => unknown) | undefined, ms = 0): void {
    if (value) this.#values.set(name, value)
    else if (!this.#values.delete(name)) return
    this.#due.add(name)
    if (ms === 0) void this.flush()
    else
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        void this.flush()
      }, ms)
  }

  #recordOf(name: string): DraftRecord | undefined {
    const value = this.#values.get(name)
    return value && { tab: this.#tab, name, format, changed: Date.now(), value: value() }
  }

  /** Leaves what is not written yet to the next page. */
  #leave(): void {
    if (!isOn()) return
    for (const name of new Set([...this.#underWay, ...this.#due]))
      leave(leftName(this.#tab, name), (this.#recordOf(name) ?? { tab: this.#tab, name }) satisfies Left)
  }

  /** Writes pending records. Resolves once that is done, or has failed. */
  flush(): Promise<void> {
    return (this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    }))
  }

  /** Deletes all drafts, of this tab and of others. */
  async clear(): Promise<void> {
    this.#values.clear()
    this.#due.clear()
    await this.#removeAll()
  }

  /** Called when the user has switched saving on or off. */
  switched(): void {
    if (!isOn()) return void this.#removeAll()
    for (const name of this.#values.keys()) this.#due.add(name)
    void this.flush()
  }

  #removeAll(): Promise<void> {
    forgetAll()
    return within('readwrite', async ({ drafts }) => {
      drafts.clear()
    }).catch(() => {})
  }

  async #write(): Promise<void> {
    await undefined // changes made at once are written together
    while (this.#due.size > 0 && isOn()) {
      const names = (this.#underWay = [...this.#due])
      this.#due.clear()
      try {
        await within('readwrite', async ({ drafts }) => {
          for (const name of names) {
            const record = this.#recordOf(name)
            if (record) drafts.put(record)
            else drafts.delete([this.#tab, name])
          }
        })
        this.trouble.value = ''
      } catch (error) {
        this.trouble.value = this.#values.size > 0 ? troubleOf(error) : '' // there may be nothing to lose
        for (const name of names) this.#due.add(name)
        askWhile(this.#isLosing)
        return
      } finally {
        this.#underWay = []
      }
    }
  }
}
