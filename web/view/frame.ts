// What the parts of the page that are built when they are opened have in common: what they are for, their state, and the buttons that copy a
// link or save files.
import { button, make } from '../support/dom.js'

/** Copies a link to the view; resolves to the message about that. */
export type CopyLink = () => Promise<string>

export class Frame {
  /** A sentence about what is being done, or why it could not be. */
  readonly status: HTMLParagraphElement
  /** What there is to see; hidden at first. */
  readonly shown: HTMLDivElement
  readonly #files: readonly HTMLButtonElement[]

  /**
   * Fills the place with this id. `above` is always visible, `shown` once there is something to see. `files` are the names of buttons and what
   * they save.
   */
  constructor(
    id: string,
    state: string,
    help: string,
    {
      above,
      shown,
      files,
    }: { above: readonly HTMLElement[]; shown: readonly HTMLElement[]; files: Readonly<Record<string, () => void>> },
    copyLink: CopyLink,
  ) {
    this.status = make('p', { className: 'lens-help', role: 'status', ariaLabel: state })
    const note = make('span', { ariaLive: 'polite' })
    const link = button('Copy link', async () => {
      note.textContent = await copyLink()
    })
    link.classList.add('copy-link')
    this.#files = Object.entries(files).map(([name, save]) => button(name, save))
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
