// The frame of a part of the page that is built when it is opened: help, status, and the buttons that copy a link or save files.
import { button, make } from '../support/dom.js'
import { saveFile } from '../support/save.js'

/** Copies a link to the view; resolves to a message about the result. */
export type CopyLink = () => Promise<string>

/** The files in which the shown contents can be saved. */
export interface Files<Shown> {
  /** The shown contents; undefined if there are none. */
  of(): Shown | undefined
  csv(shown: Shown): string
  npy(shown: Shown): Blob
  /** `place` has the fonts and colors. */
  svg(shown: Shown, place: HTMLElement): string
}

export class Frame<Shown> {
  /** A sentence about the work in progress, or why it failed. */
  readonly status: HTMLParagraphElement
  /** The contents; hidden at first. */
  readonly shown: HTMLDivElement
  readonly #files: readonly HTMLButtonElement[]

  /**
   * Fills the element with this id, which is also the name of saved files. `above` is always visible, `shown` only once there is
   * something to see.
   */
  constructor(
    id: string,
    state: string,
    help: string,
    { above, shown, files }: { above: readonly HTMLElement[]; shown: readonly HTMLElement[]; files: Files<Shown> },
    copyLink: CopyLink,
  ) {
    this.status = make('p', { className: 'lens-help', role: 'status', ariaLabel: state })
    const note = make('span', { ariaLive: 'polite' })
    const link = button('Copy link', async () => {
      note.textContent = await copyLink()
    })
    link.classList.add('copy-link')
    const saving = (name: string, ending: string, type: string, write: (shown: Shown) => string | Blob) =>
      button(name, () => {
        const shown = files.of()
        if (shown) saveFile(`${id}.${ending}`, type, write(shown))
      })
    this.#files = [
      saving('Save as CSV', 'csv', 'text/csv', files.csv),
      saving('Save as NPY', 'npy', 'application/octet-stream', files.npy),
      saving('Save as a picture', 'svg', 'image/svg+xml', one => files.svg(one, this.shown)),
    ]
    this.shown = make('div', { className: 'frame-shown', hidden: true }, ...shown)
    document
      .getElementById(id)!
      .append(
        make('p', { className: 'lens-help' }, help),
        ...above,
        this.status,
        this.shown,
        make('p', { className: 'sharing' }, link, ...this.#files, note),
      )
    this.canSave = false
  }

  set canSave(can: boolean) {
    for (const file of this.#files) file.disabled = !can
  }
}

/** A field with its name. */
export const labeled = <Field extends HTMLElement>(name: string, field: Field) => make('label', {}, name, field)
