// Images in conversations. As in llama.cpp, a template gets a text in the place of an image; where it prints this text, the image is.
import { promptText } from '../chat/prompt-text.js'
import type { ChatMessage, ContentPart, PromptPart } from '../chat/types.js'
import type { WireImage } from '../wire/text.js'

/** Images of which no more than the size is needed, to tell how many tokens they have. */
export interface ImageSizes {
  /** Of `imageKey`. */
  readonly key: string
  readonly images: readonly WireImage[]
}

/** Unknown to those who write the messages. */
export const imageKey = () => `image-${crypto.getRandomValues(new Uint32Array(2)).join('')}-`

/** `Image`: the parts of a prompt that images are. */
export class ChatImages<Image extends object = WireImage> {
  readonly #images: readonly Image[]
  readonly #key: string

  /** `key` begins the texts that stand for images. */
  constructor({ images, key }: { readonly images: readonly Image[]; readonly key: string }) {
    this.#images = images
    this.#key = key
  }

  /** A message in which texts stand for images, whose parts have their numbers. */
  asText(message: ChatMessage): ChatMessage {
    const { content } = message
    if (!Array.isArray(content)) return message
    return {
      ...message,
      content: content.map(part => (part.type === 'image' ? { type: 'text', text: `${this.#key}${part.image}-` } : part)),
    }
  }

  /** How many images of these messages, which have texts for them, the template has not printed. */
  leftOut(messages: readonly ChatMessage[], prompt: readonly PromptPart[]): number {
    const marks = (text: string) => new Set(text.match(new RegExp(`${this.#key}\\d+-`, 'g')))
    const texts = messages.flatMap(({ content }) =>
      Array.isArray(content) ? content.map((part: ContentPart) => part.text ?? '') : [content],
    )
    const printed = marks(promptText(prompt))
    return [...marks(texts.join('\n'))].filter(mark => !printed.has(mark)).length
  }

  /** The prompt, in which images stand again. */
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
