// Images in conversations. As in llama.cpp, a template gets a text in the place of an image; where it prints this text, the image is.
import { promptText } from '../../chat/prompt-text.js'
import type { ChatMessage, ContentPart, PromptPart } from '../../chat/types.js'
import type { WireImage } from '../../wire/protocol.js'
import { randomSeed } from '../seed.js'

/** `Image`: the parts of a prompt that images are. */
export class ChatImages<Image extends object = WireImage> {
  readonly #images: readonly Image[]
  /** Unknown to who writes the messages. */
  readonly #key = `image-${randomSeed().toString(36)}-`

  constructor(images: readonly Image[]) {
    this.#images = images
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
