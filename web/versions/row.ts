// The row of texts, each with a button that shows it and a Stop button. Below it are the actions on the current text.
import { byId, make } from '../support/dom.js'
import { Undo } from '../support/undo.js'
import { type Chip, makeChip } from './chip.js'
import type { Version } from './version.js'
import type { Versions } from './versions.js'

export class Row {
  readonly #versions: Versions
  readonly #place = byId('versions', HTMLOListElement)
  readonly #actions = byId('version-actions', HTMLDivElement)
  readonly #beside = byId('beside', HTMLSelectElement)
  readonly #remove = byId('remove-version', HTMLButtonElement)
  readonly #chips = new Map<Version, Chip>()
  readonly #news = byId('version-news', HTMLParagraphElement)
  readonly #undo = new Undo(
    (...content) => this.#news.replaceChildren(...content.flatMap((part, at) => (at === 0 ? [part] : [' ', part]))),
    () => this.#focusCurrent(),
  )
  /** Represents the prompt while no text is in view. */
  readonly #draft = make(
    'li',
    { className: 'version current' },
    make('p', {}, make('b', {}, 'Prompt'), make('span', { className: 'beginning' }, 'nothing generated yet')),
  )

  constructor(versions: Versions) {
    this.#versions = versions
    versions.list.watch(() => this.#refresh())
    versions.inView.watch(() => this.#refresh())
    versions.partly.watch(partly => {
      for (const [version, chip] of this.#chips) chip.offer(version === partly?.version ? partly.showAll : undefined)
    })
    this.#beside.addEventListener('change', () => {
      versions.compare(versions.list.value.find(({ number }) => `${number}` === this.#beside.value))
    })
    this.#remove.addEventListener('click', () => this.#removeCurrent())
  }

  #removeCurrent(): void {
    const { current } = this.#versions
    if (!current) return
    this.#versions.remove(current)
    this.#undo.add({ what: `${current.name} is removed`, putBack: () => this.#versions.putBack(current) })
    this.#focusCurrent()
  }

  #focusCurrent(): void {
    const { current } = this.#versions
    const next = current ? this.#chips.get(current)?.button : byId('prompt', HTMLTextAreaElement)
    next?.focus()
  }

  #refresh(): void {
    const list = this.#versions.list.value
    const { current } = this.#versions.inView.value
    for (const [version, { place }] of this.#chips) {
      if (list.includes(version)) continue
      place.remove()
      this.#chips.delete(version)
    }
    if (list.length === 0) this.#undo.clear()
    // Existing chips are not moved, since one may have the focus.
    for (const [at, version] of list.entries()) {
      const { place, button } = this.#chipOf(version)
      if (!place.isConnected) this.#place.insertBefore(place, this.#place.children[at] ?? null)
      place.classList.toggle('current', version === current)
      button.ariaCurrent = version === current ? 'true' : null
    }
    if (current) this.#draft.remove()
    else this.#place.append(this.#draft)
    this.#actions.hidden = !current || list.length < 2
    this.#offerOthers()
    this.#remove.textContent = `Remove ${current?.name.toLowerCase() ?? 'it'}`
  }

  /** The texts that can be compared with the current one, each with its last words once it is complete. */
  #offerOthers(): void {
    const { current, beside } = this.#versions.inView.value
    const others = this.#versions.list.value.filter(version => version !== current)
    const nameOf = ({ name, outcome, end }: Version) => (outcome && end ? `${name}: ${end}` : name)
    this.#beside.replaceChildren(new Option('none', ''), ...others.map(one => new Option(nameOf(one), `${one.number}`)))
    this.#beside.value = beside ? `${beside.number}` : ''
  }

  #chipOf(version: Version): Chip {
    const known = this.#chips.get(version)
    if (known) return known
    const chip = makeChip(version, () => this.#versions.show(version))
    this.#chips.set(version, chip)
    version.progress.watch(() => {
      if (version.outcome) this.#offerOthers()
    })
    return chip
  }
}
