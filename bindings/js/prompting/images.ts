// Images in conversations. As in llama.cpp, a template gets a text in place of each image; the image replaces this text where the
// template prints it.
import { promptText } from '../chat/prompt-text.js'
import type { ChatMessage, ContentPart, PromptPart } from '../chat/types.js'
import type { WireImage } from '../wire/text.js'

/** The sizes of images, which suffice to count their tokens. */
export interface ImageSizes {
  /** The key that `imageKey` returned. */
  readonly key: string
  readonly images: readonly WireImage[]
}

/** A key that those who write the messages cannot guess. */
export const imageKey = () => `image-${crypto.getRandomValues(new Uint32Array(2)).join('')}-`

/** `Image`: the type of images in a prompt. */
export class ChatImages<Image extends object = WireImage> {
  readonly #images: readonly Image[]
  readonly #key: string

  /** `key` begins the texts that replace images. */
  constructor({ images, key }: { readonly images: readonly Image[]; readonly key: string }) {
    this.#images = images
    this.#key = key
  }

  /** A message in which texts replace images; image parts have numbers. */
  asText(message: ChatMessage): ChatMessage {
    const { content } = message
    if (!Array.isArray(content)) return message
    return {
      ...message,
      content: content.map(part => (part.type === 'image' ? { type: 'text', text: `${this.#key}${part.image}-` } : part)),
    }
  }

  /** The number of images in these messages, as prepared by `asText`, that the template has not printed. */
  leftOut(messages: readonly ChatMessage[], prompt: readonly PromptPart[]): number {
    const marks = (text: string) => new Set(text.match(new RegExp(`${this.#key}\\d+-`, 'g')))
    const texts = messages.flatMap(({ content }) =>
      Array.isArray(content) ? content.map((part: ContentPart) => part.text ?? '') : [content],
    )
    const printed = marks(promptText(prompt))
    return [...marks(texts.join('\n'))].filter(mark => !printed.has(mark)).length
  }

  /** The prompt with its images restored. */
  restored(prompt: readonly PromptPart[]): (PromptPart | Image)[] {
    const marks = new RegExp(`${this.#key}(\\d+)-`)
    return prompt.flatMap((part): (PromptPart | Image)[] =>
      typeof part !== 'string'
        ? [part]
        : part
            .split(marks)
            .map((piece, at) => (at % 2 === 1 ? this.#images[Number(piece)]! : piece))
            .filter(piece => piece !== ''),
    )
  }
}
