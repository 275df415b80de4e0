// The nodes of a chat in its shadow tree.
import { HeedDownload } from '../download/element.js'
import { make, part } from '../support/dom.js'
import type { Labels } from '../support/labels.js'
import { Composer, type ComposerEvents } from './composer.js'
import { Log } from './log.js'

export interface PartEvents extends ComposerEvents {
  readonly suggest: (text: string) => void
  readonly retry: () => void
}

export class Parts {
  readonly log: Log
  readonly composer: Composer
  readonly download = part('download', new HeedDownload())
  /** For screen readers. */
  readonly status = make('p', { className: 'hidden', role: 'status' })
  readonly node: HTMLElement
  readonly #errorText = make('span')
  readonly #retry = make('button', { type: 'button', hidden: true })
  readonly #error = part('error', make('p', { className: 'error', role: 'alert', hidden: true }, this.#errorText, this.#retry))
  readonly #slot = make('slot', { name: 'suggestion' })
  readonly #suggestions = part('suggestions', make('div', { className: 'suggestions' }))
  readonly #suggest: (text: string) => void

  constructor(labels: Labels, events: PartEvents) {
    this.#suggest = events.suggest
    this.log = new Log(labels)
    this.composer = new Composer(events)
    this.download.setAttribute('exportparts', 'what: download-what, bar: download-bar, pace: download-pace')
    this.#retry.addEventListener('click', events.retry)
    this.#suggestions.append(this.#slot)
    this.#slot.addEventListener('click', ({ target }) => {
      const chosen = this.#slot.assignedElements().find(one => one.contains(target as Node))
      if (chosen) events.suggest(chosen.textContent!.trim())
    })
    const below = part(
      'below',
      make('div', { className: 'below' }, this.download, this.#error, this.#suggestions, this.composer.node),
    )
    this.node = make('div', { className: 'chat' }, this.log.node, below, this.status)
    this.labels = labels
  }

  set labels(labels: Labels) {
    this.log.labels = this.composer.labels = labels
    this.download.labels = labels
    this.#retry.textContent = labels.retry
  }

  /** Buttons that send their text, in addition to those of the slot. */
  set suggestions(texts: readonly string[]) {
    const buttons = texts.map(text => {
      const button = part('suggestion', make('button', { type: 'button', dir: 'auto' }, text))
      button.addEventListener('click', () => this.#suggest(text))
      return button
    })
    this.#suggestions.replaceChildren(...buttons, this.#slot)
  }

  /** Suggestions are shown only in an empty conversation. */
  set hasBegun(hasBegun: boolean) {
    this.#suggestions.hidden = hasBegun
  }

  /** Shows an error; undefined shows none. */
  showError(message: string | undefined, canRetry = false): void {
    this.#error.hidden = message === undefined
    this.#errorText.textContent = message ?? ''
    this.#retry.hidden = !canRetry
  }
}
