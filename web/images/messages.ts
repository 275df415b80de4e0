// Images and sounds in messages: for a model, for files, and as texts that replace them while a template is rendered.
import type { ChatMessage, ChatStep, ModelInfo, PromptPart } from 'heed'
import type { PassagePart } from 'heed/viewer'
import { isAccepted, isSound, type Kind, type Medium, mediumAt, partOf } from '../media/medium.js'

type ContentPart = Extract<ChatMessage['content'], readonly unknown[]>[number]

/** The form of an image or a sound in a message; undefined leaves it out. */
export type AsPart = (medium: Medium) => ContentPart | undefined

/** The form for `model.chat`, which leaves out what the model does not accept. */
export const asAccepted =
  (info: ModelInfo): AsPart =>
  medium =>
    isAccepted(medium, info) ? { type: isSound(medium) ? 'audio' : 'image', ...partOf(medium) } : undefined

/** The form for files, which other programs also read. */
export const asUrl: AsPart = medium => {
  const { url } = medium
  if (!isSound(medium)) return { type: 'image_url', image_url: { url } }
  const [, type, data] = /^data:(.*);base64,(.*)$/.exec(url)!
  return { type: 'input_audio', input_audio: { data, format: formatOf(type!) } }
}

/** The name of a sound's format in OpenAI's API, which knows two: for others, the type. */
const formatOf = (type: string) => (/wav/.test(type) ? 'wav' : /mpeg|mp3/.test(type) ? 'mp3' : type)
const typeOf = (format: unknown) => (format === 'wav' ? 'audio/wav' : format === 'mp3' ? 'audio/mpeg' : `${format}`)

type Content = string | readonly ContentPart[]

/** A user message, images and sounds first; without `asPart`, they are left out. */
export function contentOf(text: string, pictures: readonly Medium[], asPart?: AsPart): Content {
  if (!asPart || pictures.length === 0) return text
  const media = pictures.map(asPart).filter(part => part !== undefined)
  if (media.length === 0) return text
  const parts = [...media, ...(text === '' ? [] : [{ type: 'text', text }])]
  return parts.every(part => part.type === 'text') ? parts.map(part => part.text).join('') : parts
}

const partsOf = (content: Content): readonly ContentPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** Joins two contents. */
export const joined = (one: Content, other: Content): Content =>
  typeof one === 'string' && typeof other === 'string' ? `${one}\n\n${other}` : [...partsOf(one), ...partsOf(other)]

/**
 * The images and sounds of a message from a file, and the kinds of those that are left out because they are elsewhere or damaged.
 */
export async function picturesOf({ content }: ChatMessage): Promise<{ pictures: Medium[]; lost: Kind[] }> {
  const parts = Array.isArray(content) ? (content as readonly ContentPart[]) : []
  const told = parts.flatMap((part): { kind: Kind; url: unknown }[] => {
    if (part.type === 'image_url') return [{ kind: 'picture', url: (part.image_url as { url?: unknown } | null)?.url }]
    if (part.type !== 'input_audio') return []
    const { data, format } = (part.input_audio ?? {}) as { data?: unknown; format?: unknown }
    return [{ kind: 'sound', url: `data:${typeOf(format)};base64,${data}` }]
  })
  const read = await Promise.all(
    told.map(({ kind, url }, at) => mediumAt(url, `${kind === 'sound' ? 'Sound' : 'Picture'} ${at + 1}`)),
  )
  return { pictures: read.filter(medium => medium !== undefined), lost: told.flatMap(({ kind }, at) => (read[at] ? [] : [kind])) }
}

/** A step of a chat with these images and sounds in place of the equal copies in its prompt, so that answers do not hold copies. */
export function sharing(step: ChatStep, pictures: readonly Medium[]): ChatStep {
  const parts = step.prompt as readonly PassagePart[] // a chat reports its prompt as parts
  const isMedium = (part: PassagePart) => typeof part === 'object' && ('image' in part || 'audio' in part)
  if (pictures.length === 0 || parts.filter(isMedium).length !== pictures.length) return step
  let at = 0
  return { ...step, prompt: parts.map(part => (isMedium(part) ? { ...(part as object), ...partOf(pictures[at++]!) } : part)) }
}

/** Texts that a template prints in place of images and sounds, and the prompt with these restored. */
export class StandIns {
  readonly #key = `picture-${Math.random().toString(36).slice(2)}-`
  readonly #media: Medium[] = []
  readonly #info: ModelInfo

  constructor(info: ModelInfo) {
    this.#info = info
  }

  readonly asPart: AsPart = medium =>
    isAccepted(medium, this.#info) ? { type: 'text', text: `${this.#key}${this.#media.push(medium) - 1}-` } : undefined

  restored(prompt: readonly PromptPart[]): PassagePart[] {
    const marks = new RegExp(`${this.#key}(\\d+)-`)
    return (prompt as readonly PassagePart[]).flatMap((part): PassagePart[] =>
      typeof part !== 'string'
        ? [part]
        : part
            .split(marks)
            .map((piece, at) => (at % 2 === 1 ? partOf(this.#media[Number(piece)]!) : piece))
            .filter(piece => piece !== ''),
    )
  }
}
