// The row of texts: a button for each turns to it, and a Stop ends it. Below, what can be done with the one looked at.
import { byId, make } from '../support/dom.js'
import { plural } from '../support/format.js'
import type { Version } from './version.js'
import type { Versions } from './versions.js'

interface Chip {
  place: HTMLLIElement
  button: HTMLButtonElement
}

export class Row {
  readonly #versions: Versions
  readonly #place = byId('versions', HTMLOListElement)
  readonly #actions = byId('version-actions', HTMLDivElement)
  readonly #beside = byId('beside', HTMLSelectElement)
  readonly #remove = byId('remove-version', HTMLButtonElement)
  readonly #chips = new Map<Version, Chip>()
  /** Stands for the prompt, where no text is looked at. */
  readonly #draft = make('li', { className: 'version current' }, make('p', {},
    make('b', {}, 'Prompt'), make('span', { className: 'beginning' }, 'nothing written yet')))

  constructor(versions: Versions) {
    this.#versions = versions
    versions.list.watch(() => this.#refresh())
    versions.inView.watch(() => this.#refresh())
    this.#beside.addEventListener('change', () => {
      versions.compare(versions.list.value.find(({ number }) => `${number}` === this.#beside.value))
    })
    this.#remove.addEventListener('click', () => {
      if (versions.current) versions.remove(versions.current)
      const next = versions.current ? this.#chips.get(versions.current)?.button : byId('prompt', HTMLTextAreaElement)
      next?.focus()
    })
  }

  #refresh(): void {
    const list = this.#versions.list.value
    const { current, beside } = this.#versions.inView.value
    for (const version of this.#chips.keys()) {
      if (!list.includes(version)) this.#chips.delete(version)
    }
    const places = list.map(version => this.#chipOf(version).place)
    const wanted = current ? places : [...places, this.#draft]
    // A chip that has the focus keeps it: only what is new is put in.
    for (const gone of [...this.#place.children].filter(child => !wanted.includes(child as HTMLLIElement))) gone.remove()
    wanted.forEach((place, index) => {
      if (this.#place.children[index] !== place) this.#place.insertBefore(place, this.#place.children[index] ?? null)
    })
    for (const [version, { place, button }] of this.#chips) {
      place.classList.toggle('current', version === current)
      if (version === current) button.setAttribute('aria-current', 'true')
      else button.removeAttribute('aria-current')
    }
    this.#actions.hidden = !current || list.length < 2
    const others = list.filter(version => version !== current)
    this.#beside.replaceChildren(new Option('no other text', ''), ...others.map(({ name, number }) => new Option(name, `${number}`)))
    this.#beside.value = beside ? `${beside.number}` : ''
    this.#remove.textContent = `Remove ${current?.name.toLowerCase() ?? 'it'}`
  }

  #chipOf(version: Version): Chip {
    const known = this.#chips.get(version)
    if (known) return known
    const state = make('span')
    const { from, name } = version
    const beginning = from ? `goes on from ${from.version.name}` : version.passage.value.prompt
    const button = make('button', { type: 'button', title: beginning },
      make('b', {}, name), ' ', state, ' ', make('span', { className: 'beginning' }, beginning))
    const stop = make('button', { type: 'button', className: 'stop', ariaLabel: `Stop ${name.toLowerCase()}` }, 'Stop')
    const chip = { place: make('li', { className: 'version' }, button, stop), button }
    button.addEventListener('click', () => this.#versions.show(version))
    stop.addEventListener('click', () => version.stop())
    version.progress.watch(progress => {
      const { outcome } = version
      const tokens = progress === 'reading' ? '' : plural(progress.tokens, 'token')
      state.textContent = outcome ? tokens : tokens ? `writing, ${tokens}` : 'reading…'
      chip.place.classList.toggle('writing', !outcome)
      if (outcome && document.activeElement === stop) button.focus()
      stop.hidden = outcome !== undefined
    })
    this.#chips.set(version, chip)
    return chip
  }
}
