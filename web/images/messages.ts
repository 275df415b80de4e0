// Images in messages: for a model, for files, and as texts that replace them while a template is rendered.
import type { ChatMessage, ChatStep, PromptPart } from 'heed'
import type { PassagePart } from 'heed/viewer'
import { type Picture, pictureAt } from './picture.js'

type ContentPart = Extract<ChatMessage['content'], readonly unknown[]>[number]

/** The form of an image in a message. */
export type AsPart = (picture: Picture) => ContentPart

/** For `model.chat`. */
export const asImage: AsPart = ({ pixels }) => ({ type: 'image', image: pixels })

/** The form that other programs read, too. */
export const asUrl: AsPart = ({ url }) => ({ type: 'image_url', image_url: { url } })

type Content = string | readonly ContentPart[]

/** A user message, images first; without `asPart`, the images are left out. */
export function contentOf(text: string, pictures: readonly Picture[], asPart?: AsPart): Content {
  if (!asPart || pictures.length === 0) return text
  const parts = [...pictures.map(asPart), ...(text === '' ? [] : [{ type: 'text', text }])]
  return parts.every(part => part.type === 'text') ? parts.map(part => part.text).join('') : parts
}

const partsOf = (content: Content): readonly ContentPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** Joins two contents. */
export const joined = (one: Content, other: Content): Content =>
  typeof one === 'string' && typeof other === 'string' ? `${one}\n\n${other}` : [...partsOf(one), ...partsOf(other)]

/** The images of a message from a file, and the number of images that are left out because they are elsewhere or damaged. */
export async function picturesOf({ content }: ChatMessage): Promise<{ pictures: Picture[]; lost: number }> {
  const parts = Array.isArray(content) ? (content as readonly ContentPart[]) : []
  const urls = parts.flatMap(part => (part.type === 'image_url' ? [(part.image_url as { url?: unknown } | null)?.url] : []))
  const read = await Promise.all(urls.map((url, at) => pictureAt(url, `Picture ${at + 1}`)))
  const pictures = read.filter(picture => picture !== undefined)
  return { pictures, lost: urls.length - pictures.length }
}

/** A step of a chat with these images in place of the equal copies in its prompt, so that answers do not hold copies. */
export function sharing(step: ChatStep, pictures: readonly Picture[]): ChatStep {
  const parts = step.prompt as readonly PassagePart[] // a chat reports its prompt as parts
  const isImage = (part: PassagePart) => typeof part === 'object' && 'image' in part
  if (pictures.length === 0 || parts.filter(isImage).length !== pictures.length) return step
  let at = 0
  return { ...step, prompt: parts.map(part => (isImage(part) ? { ...(part as object), image: pictures[at++]!.pixels } : part)) }
}

/** Texts that a template prints in place of images, and the prompt with the images restored. */
export class StandIns {
  readonly #key = `picture-${Math.random().toString(36).slice(2)}-`
  readonly #pictures: Picture[] = []

  readonly asPart: AsPart = picture => ({ type: 'text', text: `${this.#key}${this.#pictures.push(picture) - 1}-` })

  restored(prompt: readonly PromptPart[]): PassagePart[] {
    const marks = new RegExp(`${this.#key}(\\d+)-`)
    return (prompt as readonly PassagePart[]).flatMap((part): PassagePart[] =>
      typeof part !== 'string'
        ? [part]
        : part
            .split(marks)
            .map((piece, at) => (at % 2 === 1 ? { image: this.#pictures[Number(piece)]!.pixels } : piece))
            .filter(piece => piece !== ''),
    )
  }
}
