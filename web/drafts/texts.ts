// Free text: the prompt and its pictures, prompts that were set aside, and the texts of each model.
import type { Desk } from '../keeping/desk.js'
import type { PicturesInText } from '../images/in-text.js'
import { pictureAt } from '../media/picture.js'
import type { Medium } from '../media/medium.js'
import type { Keeper } from '../keeping/keeper.js'
import { keyOf } from '../model/key.js'
import type { ModelSlot } from '../model/slot.js'
import { byId } from '../support/dom.js'
import type { SetAside } from '../support/set-aside.js'
import { isSameText, storedText, textsOf } from '../versions/stored.js'
import { Version } from '../versions/version.js'
import type { InView, Versions } from '../versions/versions.js'
import { type Boxed, bring, keepBox, reset } from './boxes.js'
import { asList, asRecord, asText, asTexts } from './reading.js'

/** A picture of the prompt, with the number in its mark. */
type NumberedUrl = Pick<Medium, 'name' | 'url'> & { readonly number: number }

/** The interval at which a growing text is saved: the most that a crash may lose. */
const growthMs = 300

/** The parts of free text that are saved. */
interface TextRoom {
  readonly versions: Versions
  readonly pictures: PicturesInText
  readonly aside: SetAside
  /** Whether a link has brought the prompt. */
  readonly isOfLink: boolean
  readonly place: { readonly prompt: string }
  comeBack(place: { prompt: string; texts: readonly Version[]; inView: InView }): void
}

export async function keepTexts(desk: Desk, texts: TextRoom, slot: ModelSlot, keeper: Keeper): Promise<void> {
  await keepPrompt(desk, texts, keeper)
  keepVersions(desk, texts, slot, keeper)
}

async function keepPrompt(desk: Desk, texts: TextRoom, keeper: Keeper): Promise<void> {
  const { aside, pictures } = texts
  const box = byId('prompt', HTMLTextAreaElement)
  const there = asRecord<Boxed>(desk.found.get('prompt'))
  const numbered = asList<NumberedUrl>(desk.found.get('pictures of the text')).map(async ({ name, url, number }) => {
    const picture = await pictureAt(url, asText(name))
    return picture && Number.isSafeInteger(number) ? [{ picture, number: number as number }] : []
  })
  pictures.bringBack((await Promise.all(numbered)).flat()) // before the prompt, which has their marks
  aside.add(asTexts(desk.found.get('prompts aside')))
  // The text of a link replaces the prompt, which is then set aside.
  const isOfLink = location.hash.includes('prompt=') && there.isOfLink === true
  bring(box, isOfLink ? '' : asText(there.text), text => aside.add([text]))
  keepBox(desk, 'prompt', box, () => texts.isOfLink)
  aside.list.watch(list => desk.keep('prompts aside', list.length > 0 ? () => list : undefined))
  pictures.list.watch(() => {
    const stored = pictures.numbered.map(({ picture: { name, url }, number }): NumberedUrl => ({ name, url, number }))
    desk.keep('pictures of the text', stored.length > 0 ? () => stored : undefined)
  })
  keepLength(desk)
  keeper.clears.watch(clears => {
    if (clears === 0) return
    pictures.clear()
    aside.clear()
    reset(box)
  })
}

/** Keeps the choice between a sentence and a whole text. */
function keepLength(desk: Desk): void {
  const whole = byId('whole-text', HTMLInputElement)
  if (desk.found.get('length') === whole.value) whole.checked = true
  const keep = () => desk.keep('length', whole.checked ? () => whole.value : undefined)
  byId('writing', HTMLDivElement).addEventListener('change', keep)
  if (whole.checked) keep()
}

/** Saves the texts of each model, and lists them again once the model is loaded. */
function keepVersions(desk: Desk, texts: TextRoom, slot: ModelSlot, keeper: Keeper): void {
  const { versions } = texts
  const names = new WeakMap<Version, string>()
  /** The texts of all models, by the name of the record: a Version of this visit, or a record as found. */
  const all = new Map<string, unknown>([...desk.found].filter(([name]) => name.startsWith('text ')))
  const inView = new Map([...desk.found].filter(([name]) => name.startsWith('view ')))

  function follow(version: Version): void {
    const model = slot.model.value
    if (!model || names.has(version) || version.order.isOfLink) return
    const name = `text ${keyOf(model)} ${version.number}`
    names.set(version, name)
    all.set(name, version)
    version.progress.watch(() => {
      if (all.has(name)) desk.keep(name, () => storedText(version), version.outcome ? 0 : growthMs)
    })
  }
  for (const version of versions.list.value) follow(version)
  versions.onAdded(follow)
  versions.removed.watch(version => {
    const name = version && names.get(version)
    if (!name) return
    all.delete(name)
    desk.keep(name, undefined)
  })
  versions.broughtBack.watch(version => {
    const name = version && names.get(version)
    if (!name) return
    all.set(name, version)
    desk.keep(name, () => storedText(version))
  })
  versions.inView.watch(({ current, beside }) => {
    const model = slot.model.value
    if (!model || versions.list.value.length === 0) return
    const name = `view ${keyOf(model)}`
    const value = { current: current?.number, beside: beside?.number }
    inView.set(name, value)
    desk.keep(name, () => value)
  })
  keeper.clears.watch(clears => {
    if (clears === 0) return
    all.clear()
    versions.clear()
  })
  slot.model.watch(model => {
    if (!model) return
    const mine = [...all].filter(([name]) => name.startsWith(`text ${keyOf(model)} `))
    const live = mine.flatMap(([, text]) => (text instanceof Version ? [text] : []))
    // Texts that a link has brought meanwhile are not shown twice.
    const stored = mine.filter(
      ([, text]) => !(text instanceof Version) && !versions.list.value.some(version => isSameText(version, text)),
    )
    for (const [name] of stored) {
      all.delete(name)
      desk.keep(name, undefined) // the text may get another number, and so another name
    }
    const made = textsOf(
      stored.map(([, text]) => text),
      [...versions.list.value, ...live].map(({ number }) => number),
    )
    versions.adopt(made)
    const list = [...live, ...made].filter(version => !versions.list.value.includes(version))
    if (list.length === 0) return
    const view = inView.get(`view ${keyOf(model)}`) as { current?: number; beside?: number } | undefined
    const find = (number: number | undefined) => list.find(version => version.number === number)
    const there = versions.inView.value
    const shown = there.current ? there : { current: find(view?.current), beside: find(view?.beside) }
    texts.comeBack({ prompt: texts.place.prompt, texts: list.sort((one, other) => one.number - other.number), inView: shown })
  })
}
