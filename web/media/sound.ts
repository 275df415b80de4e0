// A sound in a conversation: its file, its length, and how loud it is over time.
import { highest, levelsOfFile, perSecond } from './levels.js'
import { make } from '../support/dom.js'
import { fileAt, urlOf } from './addresses.js'

export interface Sound {
  readonly name: string
  /** The bytes of the file in `url`, which the model reads. */
  readonly file: Uint8Array
  readonly seconds: number
  /** Twenty a second, from 0 to 1. */
  readonly levels: readonly number[]
  /** The file as a data: address. */
  readonly url: string
}

/** The size in bytes up to which a file is read: five minutes of a WAV file with 16,000 samples a second. */
const mostBytes = 10_000_000
/** The maximum length, in characters, of a `data:` URL that is read from a conversation's file. */
const longestUrl = 1.4 * mostBytes

/** A message for `what`, which is or has a sound that the model cannot read. */
export const noSounds = (what: string): string =>
  `${what}, but this model hears nothing: open one together with its projector for audio.`

export const isSoundFile = ({ type }: Blob): boolean => /^(audio|video)\//.test(type)
export const isSoundUrl = (url: unknown): url is string => typeof url === 'string' && /^data:(audio|video)\//.test(url)

/** The file with a type that its address can have: without parameters, and of a sound even if the browser does not know it. */
const typed = (file: Blob): Blob => new Blob([file], { type: /^(audio|video)\/[\w.+-]+/.exec(file.type)?.[0] ?? 'audio/unknown' })

/** Rejects with an Error whose message says what is wrong with the file. `url`: its data: address, if there is one already. */
export async function readSound(file: Blob, name: string, url?: string): Promise<Sound> {
  if (file.size > mostBytes) throw new Error(`is larger than ${mostBytes / 1e6} MB`)
  const levels = await levelsOfFile(file)
  if (!levels || levels.length === 0) throw new Error('is not a sound that this browser can read')
  const bytes = new Uint8Array(await file.arrayBuffer())
  return { name, file: bytes, seconds: levels.length / perSecond, levels, url: url ?? (await urlOf(typed(file))) }
}

/** The sound of a data: address; undefined for data that is not a sound. */
export async function soundAt(url: string, name: string): Promise<Sound | undefined> {
  const file = fileAt(url, longestUrl)
  return file && readSound(file, name, url).catch(() => undefined)
}

export const lengthOf = ({ seconds }: Sound): string => `${seconds.toFixed(1)} s`

/** A drawing of a sound, twice as wide as `side`, above its length. `label` describes it to screen readers. */
export function soundDrawing(sound: Sound, side: number, label: string): HTMLElement {
  const canvas = make('canvas', { width: 2 * side, height: side / 2 })
  const place = make('div', { className: 'sound' }, canvas, make('i', {}, lengthOf(sound)))
  Object.assign(canvas, { role: 'img', ariaLabel: label })
  const context = canvas.getContext('2d')!
  const bars = side / 2
  const most = Math.max(0.05, highest(sound.levels))
  context.fillStyle = '#8a8f98' // legible on light and dark
  for (let bar = 0; bar < bars; bar++) {
    const [from, to] = [bar, bar + 1].map(at => Math.floor((at * sound.levels.length) / bars)) as [number, number]
    const level = highest(sound.levels.slice(from, Math.max(to, from + 1)))
    const height = Math.max(1, (level / most) * canvas.height)
    context.fillRect(4 * bar, (canvas.height - height) / 2, 3, height)
  }
  return place
}
