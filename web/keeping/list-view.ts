// The list of conversations: to return to one, to name and delete them, and to export them all as one file.
import type { Keeper } from './keeper.js'
import { button, byId, make } from '../support/dom.js'
import { daysAgo, foreign, plural } from '../support/format.js'
import { saveFile } from '../support/save.js'
import { Undo } from '../support/undo.js'
import { answerOf, within } from './database.js'
import { exportedAll } from './files.js'
import { rememberModel } from './opened-model.js'
import type { Entry } from './record.js'
import { isOn, turn } from './switch.js'
import { troubleOf } from './trouble.js'

interface Asked {
  /** Shows a conversation. */
  open(id: string): void
  /** Stops the answer that is being generated, if there is one. */
  stop(): void
  /** Lets the user choose a file. */
  choose(): void
}

const none = 'There are none yet.'

/** Whether any draft is saved. */
const hasDrafts = (): Promise<boolean> =>
  within('readonly', async ({ drafts }) => (await answerOf(drafts.count())) > 0).catch(() => false)

/** When a conversation was changed, and its model. */
const aboutOf = ({ state, changed, model }: Entry): string =>
  [state === 'unkept' ? 'in this tab only' : daysAgo(new Date(changed)), ...(model ? [foreign(model)] : [])].join(', ')

const buttonsOf = (row: Element): HTMLButtonElement[] => [...row.querySelectorAll('button')]

export class ListView {
  readonly #keeper: Keeper
  readonly #asked: Asked
  readonly #place = byId('history-panel', HTMLElement)
  readonly #switch = make('input', { type: 'checkbox' })
  readonly #news = make('p', { className: 'history-news', role: 'status' })
  readonly #list = make('ul', { className: 'history-list' })
  readonly #export = make('button', { type: 'button' }, 'Export all')
  readonly #clear = make('button', { type: 'button' })
  #isSure = false
  #shows = 0
  /** The entries in the list, and all that their rows show, as text. */
  #entries: readonly Entry[] = []
  #shown = ''
  /** The conversations that were deleted here. */
  readonly #undo = new Undo(
    (...content) => this.#say(...content),
    async () => {
      await this.show()
      this.#list.querySelector('button')?.focus()
    },
    error => this.#say(troubleOf(error)),
  )
  /** The ids of deleted conversations that may still have a row. */
  readonly #gone = new Set<string>()
  /** Resolves when no pointer is down on the list: a row that is replaced in between gets no click. */
  #press?: Promise<void>

  constructor(keeper: Keeper, asked: Asked) {
    this.#keeper = keeper
    this.#asked = asked
    const choose = make('button', { type: 'button' }, 'Import…')
    choose.addEventListener('click', () => asked.choose())
    this.#export.addEventListener('click', () => void this.#exportAll())
    this.#clear.addEventListener('click', () => void this.#clearAll())
    this.#clear.addEventListener('blur', () => this.#ask(false))
    this.#switch.addEventListener('change', () => void this.#turn())
    this.#list.addEventListener('pointerdown', () => {
      this.#press = new Promise(resolve => {
        const released = new AbortController()
        const end = () => {
          released.abort()
          setTimeout(resolve) // the click is first
        }
        for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, released)
      })
    })
    this.#place.append(
      make(
        'p',
        { className: 'history-help' },
        'Conversations, what you are writing, and the texts of “Free text” are kept in this browser, on this device only, until you delete them here.',
      ),
      this.#list,
      this.#news,
      make('div', { className: 'history-actions' }, this.#export, choose, this.#clear),
      make('label', {}, this.#switch, ' Keep conversations, and what I write, in this browser'),
    )
    for (const observed of [keeper.changes, keeper.current, keeper.trouble]) {
      observed.watch(() => {
        if (!this.#place.hidden) void this.show()
      })
    }
  }

  /** Shows the current list. */
  async show(): Promise<void> {
    const show = ++this.#shows
    const { entries, trouble } = await this.#keeper.list()
    await this.#press
    if (show !== this.#shows) return
    this.#switch.checked = isOn()
    if (this.#list.querySelector('input:not([readonly])')) return // a name is being typed; the list is updated afterwards
    this.#showRows(entries)
    for (const id of this.#gone) if (!entries.some(entry => entry.id === id)) this.#gone.delete(id)
    if (trouble !== '') this.#say(trouble)
    else if (entries.length === 0 && this.#news.textContent === '') this.#say(none)
    else if (entries.length > 0 && this.#news.textContent === none) this.#say('')
    this.#export.disabled = entries.length === 0
    this.#clear.disabled = entries.length === 0 && !(await hasDrafts())
    // The question stays while its button has the focus; a disabled button loses the focus without an event.
    if (this.#clear.disabled || document.activeElement !== this.#clear) this.#ask(false)
  }

  /** Replaces the rows if they differ, which a growing answer does not change. The focus stays with its conversation. */
  #showRows(entries: readonly Entry[]): void {
    const { value: current } = this.#keeper.current
    const shown = JSON.stringify([current, entries.map(entry => [entry.id, entry.title, entry.state, aboutOf(entry)])])
    if (shown === this.#shown) return
    this.#shown = shown
    const at = [...this.#list.children].findIndex(row => row.contains(document.activeElement))
    const focused = this.#entries[at]
    const which = focused && buttonsOf(this.#list.children[at]!).indexOf(document.activeElement as HTMLButtonElement)
    this.#entries = entries
    this.#list.replaceChildren(...entries.map(entry => this.#row(entry)))
    if (!focused) return
    const now = this.#list.children[entries.findIndex(({ id }) => id === focused.id)]
    const same = now && buttonsOf(now)[which!]
    if (same) same.focus()
    else this.#focusNear(at)
  }

  #row(entry: Entry): HTMLLIElement {
    const { id, state } = entry
    const title = foreign(entry.title)
    const name = make('span', { className: 'history-title', dir: 'auto' }, title)
    const open = make(
      'button',
      { type: 'button', className: 'history-open' },
      name,
      make('span', { className: 'history-about' }, aboutOf(entry)),
    )
    open.disabled = state === 'newer' || state === 'damaged'
    open.addEventListener('click', () => this.#asked.open(id))
    if (id === this.#keeper.current.value) open.setAttribute('aria-current', 'true')
    const rename = button('Rename', () => this.#rename(row, entry), `Rename ${title}`)
    rename.hidden = state !== 'whole'
    const row = make(
      'li',
      {},
      open,
      rename,
      button('Delete', () => void this.#delete(entry), `Delete ${title}`),
    )
    return row
  }

  /** Replaces the row by a text field; Enter and leaving it accept the name, Escape does not. */
  #rename(row: HTMLLIElement, { id, title }: Entry): void {
    const field = make('input', { type: 'text', value: title, maxLength: 80, ariaLabel: 'Name of the conversation', dir: 'auto' })
    const at = [...this.#list.children].indexOf(row)
    let isDone = false
    const end = async (isTaken: boolean) => {
      if (isDone) return
      isDone = true
      const hadFocus = document.activeElement === field
      const { value } = field
      field.readOnly = true // it stays until the list is shown again, so that no row moves under a pointer
      if (isTaken && value.trim() !== title)
        await this.#keeper.rename(id, value).catch((error: unknown) => this.#say(troubleOf(error)))
      await this.show()
      if (hadFocus) this.#focusNear(at, '.quiet')
    }
    field.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      void end(event.key === 'Enter')
    })
    field.addEventListener('blur', () => void end(true))
    row.replaceChildren(field)
    this.#shown = '' // the row has to come back
    field.focus()
    field.select()
  }

  async #delete({ id, title }: Entry): Promise<void> {
    if (this.#gone.has(id)) return // a second click before the row has disappeared
    this.#asked.stop()
    this.#gone.add(id)
    try {
      const putBack = await this.#keeper.remove(id)
      this.#undo.add({
        what: `“${foreign(title)}” is deleted`,
        putBack: () => {
          this.#gone.delete(id)
          return putBack()
        },
      })
      if (document.activeElement === this.#switch) this.#focusNear(0) // of the last row
    } catch (error) {
      this.#gone.delete(id)
      this.#say(troubleOf(error))
    }
  }

  /** Deletes on the second click only. */
  async #clearAll(): Promise<void> {
    this.#clear.focus() // Safari does not focus a clicked button
    if (!this.#isSure) return this.#ask(true)
    this.#asked.stop()
    try {
      await this.#keeper.clear()
      this.#undo.clear()
      rememberModel()
      this.#say('All conversations, and what was being written, are deleted.')
    } catch (error) {
      this.#say(troubleOf(error))
    }
    this.#switch.focus()
  }

  #ask(isSure: boolean): void {
    this.#isSure = isSure
    this.#clear.textContent = isSure ? 'Delete all: are you sure?' : 'Delete all'
  }

  async #exportAll(): Promise<void> {
    saveFile('conversations.json', 'application/json', await exportedAll(this.#keeper))
  }

  async #turn(): Promise<void> {
    turn(this.#switch.checked)
    if (!isOn()) rememberModel()
    this.#keeper.switched()
    await this.show()
    const kept = this.#list.children.length
    if (isOn()) this.#say('')
    else
      this.#say(
        `Nothing is kept from now on.${kept > 0 ? ` ${plural(kept, 'conversation')} from before can be deleted above.` : ''}`,
      )
  }

  #say(...content: (Node | string)[]): void {
    this.#news.replaceChildren(...content.flatMap((part, at) => (at === 0 ? [part] : [' ', part])))
  }

  /** Focuses the row now at `index`, or the last one; without rows, the button that restores one, or else the switch. */
  #focusNear(index: number, what = 'button'): void {
    const rows = this.#list.children
    const next = rows[Math.min(index, rows.length - 1)]?.querySelector<HTMLElement>(what)
    ;(next ?? this.#news.querySelector('button') ?? this.#switch).focus()
  }
}
