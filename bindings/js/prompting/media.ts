// Images and sounds in conversations. As in llama.cpp, a template gets a text in place of each one; the image or sound replaces
// this text where the template prints it.
import { promptText } from '../chat/prompt-text.js'
import type { ChatMessage, ContentPart, PromptPart } from '../chat/types.js'
import type { WireMedia } from '../wire/text.js'

/** The sizes of images and sounds, which suffice to count their tokens. */
export interface MediaSizes {
  /** The key that `mediaKey` returned. */
  readonly key: string
  readonly media: readonly WireMedia[]
}

/** A key that those who write the messages cannot guess. */
export const mediaKey = () => `image-${crypto.getRandomValues(new Uint32Array(2)).join('')}-`

/** `Media`: the type of images and sounds in a prompt. */
export class ChatMedia<Media extends object = WireMedia> {
  readonly #media: readonly Media[]
  readonly #key: string

  /** `key`: the beginning of the texts that replace images and sounds. */
  constructor({ media, key }: { readonly media: readonly Media[]; readonly key: string }) {
    this.#media = media
    this.#key = key
  }

  /** A message in which texts replace images and sounds; their parts have numbers. */
  asText(message: ChatMessage): ChatMessage {
    const { content } = message
    if (!Array.isArray(content)) return message
    return {
      ...message,
      content: content.map(part =>
        part.type === 'image' || part.type === 'audio' ? { type: 'text', text: `${this.#key}${part[part.type]}-` } : part,
      ),
    }
  }

  /** The number of images and sounds in these messages, as prepared by `asText`, that the template has not printed. */
  leftOut(messages: readonly ChatMessage[], prompt: readonly PromptPart[]): number {
    const marks = (text: string) => new Set(text.match(new RegExp(`${this.#key}\\d+-`, 'g')))
    const texts = messages.flatMap(({ content }) =>
      Array.isArray(content) ? content.map((part: ContentPart) => part.text ?? '') : [content],
    )
    const printed = marks(promptText(prompt))
    return [...marks(texts.join('\n'))].filter(mark => !printed.has(mark)).length
  }

  /** The prompt with its images and sounds restored. */
  restored(prompt: readonly PromptPart[]): (PromptPart | Media)[] {
    const marks = new RegExp(`${this.#key}(\\d+)-`)
    return prompt.flatMap((part): (PromptPart | Media)[] =>
      typeof part !== 'string'
        ? [part]
        : part
            .split(marks)
            .map((piece, at) => (at % 2 === 1 ? this.#media[Number(piece)]! : piece))
            .filter(piece => piece !== ''),
    )
  }
}
