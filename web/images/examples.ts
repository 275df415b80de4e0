// Example images that come with a model: one click adds one to the message.
import { fileName } from '../model/address.js'
import { make } from '../support/dom.js'
import type { Attachments } from './attachments.js'
import { thumbnail, readPicture } from '../media/picture.js'

const thumbnailSide = 72

export class ExamplePictures {
  readonly place = make('div', { className: 'example-pictures', role: 'group', ariaLabel: 'Example pictures' })
  readonly #attachments: Attachments
  #files: readonly Promise<File | undefined>[] = []

  constructor(attachments: Attachments) {
    this.#attachments = attachments
  }

  /** Offers the images at these addresses, below a hint if there is one. Images that cannot be loaded are not shown. */
  offer(addresses: readonly string[], hint?: string): void {
    this.#files = addresses.map(load)
    this.place.replaceChildren(
      ...(hint === undefined ? [] : [make('p', { className: 'example-hint' }, hint)]),
      ...addresses.map((address, at) => {
        const name = nameOf(address)
        const button = make('button', {
          type: 'button',
          className: 'example-picture',
          ariaLabel: `Add the picture ${name}`,
          title: name,
        })
        button.addEventListener('click', () => void this.#attach(at))
        void this.#files[at]!.then(async file => {
          if (file) button.append(thumbnail(await readPicture(file, name), thumbnailSide))
          else button.hidden = true
        })
        return button
      }),
    )
  }

  /** Adds the first image to the message, if there is one. */
  async attachFirst(): Promise<void> {
    if (this.#files.length > 0) await this.#attach(0)
  }

  async #attach(at: number): Promise<void> {
    const file = await this.#files[at]!
    if (file) await this.#attachments.add([file])
    else this.#attachments.tell('The example picture could not be loaded.')
  }
}

/** “boat and house” for an address that ends in boat-and-house.png. */
const nameOf = (address: string): string =>
  fileName(address)
    .replace(/\.\w+$/, '')
    .replaceAll('-', ' ')

async function load(address: string): Promise<File | undefined> {
  try {
    const answer = await fetch(address)
    return answer.ok
      ? new File([await answer.blob()], fileName(address), { type: answer.headers.get('content-type') ?? '' })
      : undefined
  } catch {
    return undefined
  }
}
