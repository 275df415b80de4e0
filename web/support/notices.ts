// Shows notices, mostly errors, as one plain sentence.
import { HeedError, type HeedErrorCode } from 'heed'
import { byId, make } from './dom.js'
import { bytes, foreign } from './format.js'

/** A truncated file is still a model, so the reason is shown; for any other file it is useless. */
function notRead(what: string, why: string): string {
  const [, there, whole] = /ends after (\d+) of (\d+) bytes/.exec(why) ?? []
  if (whole) return `${what} is not complete: it ends after ${bytes(Number(there))} of ${bytes(Number(whole))}`
  if (/ends inside its header, after 0 bytes/.test(why)) return `${what} is empty`
  if (/ends inside its header/.test(why)) return `${what} is not complete: it ends inside its header`
  if (/not a GGUF file/.test(why)) return `${what} is not a GGUF file, the kind of file that Heed reads models from`
  return `${what} is damaged, or no model: ${why}`
}

/** A reason begins with the name of an option, which only means something to programs. */
const withoutOption = (why: string) => why.replace(/^(?:prompt|memoryLimit|contextLength): (has|needs) /, 'it $1 ')

const wording: Record<HeedErrorCode, (what: string, why: string) => string> = {
  'invalid-file': notRead,
  unsupported: (what, why) => `${what} needs something that Heed or this browser does not have: ${why}`,
  'invalid-argument': (_, why) => why,
  'out-of-memory': (what, why) => `There is not enough memory for ${what}: ${withoutOption(why)}`,
  'context-overflow': (_, why) => `The text is too long for the model: ${withoutOption(why)}`,
  io: (what, why) => `${what} could not be read: ${why}`,
  'out-of-space': (_, why) => `There is no room to store the model: ${why}`,
  // Without a network, the address does not matter.
  network: (what, why) =>
    `${what} could not be downloaded: ${/this machine is offline\.?$/.test(why) ? 'this device is offline' : why}`,
  template: (_, why) => `The model's chat template does not accept this conversation: ${why}`,
  aborted: what => `${what} was canceled`,
  crashed: (what, why) => `${what} failed: ${why}`,
  internal: (what, why) => `${what} failed: ${why}`,
  moved: (_, why) => why,
  disposed: what => `${what} is no longer loaded`,
}

/** A reason may contain foreign names: of keys, files, tools. */
const longest = 1000

/** One sentence: what failed and why. `what` is the name of the model or of the attempted action. */
export function explain(what: string, error: unknown): string {
  const { code, message } = HeedError.from(error)
  const sentence = foreign(wording[code](what, message), longest)
  return `${sentence[0]!.toUpperCase()}${sentence.slice(1).replace(/\.$/, '')}.`
}

/**
 * Shows a sentence until it is dismissed or replaced by the next one: in `place`, where the failure occurred, or at the top of the
 * page. In a folded part of the page, it is below the part's name. `remedy`: a button that may help.
 */
export const notify = (sentence: string, place?: HTMLElement, remedy?: HTMLButtonElement) => show(sentence, 'notice', place, remedy)

/** Shows a sentence that is not an error, at the top of the page. */
export const tell = (sentence: string) => show(sentence, 'notice mild')

let shown: HTMLElement | undefined

/** Replaces the current notice. If it had the focus, the next one or its neighbor gets it. */
function replace(next?: HTMLElement, place: HTMLElement = byId('notices', HTMLDivElement)): void {
  const hadFocus = shown?.contains(document.activeElement)
  const beside =
    shown?.parentElement?.querySelector('summary') ?? byId('other-models', HTMLDetailsElement).querySelector('summary')!
  shown?.remove()
  shown = next
  if (next && place instanceof HTMLDetailsElement) place.querySelector('summary')!.after(next)
  else if (next) place.append(next)
  if (hadFocus) (next?.querySelector('button') ?? beside).focus()
}

function show(sentence: string, className: string, place?: HTMLElement, remedy?: HTMLButtonElement): void {
  const dismiss = make('button', { type: 'button', ariaLabel: 'Dismiss' }, '×')
  dismiss.addEventListener('click', () => clearNotices())
  replace(make('p', { className, role: 'alert' }, make('span', {}, sentence), ...(remedy ? [remedy] : []), dismiss), place)
}

export const clearNotices = () => replace()
