// Chooses the conversation in view: a new one, a saved one, one from a link or a file; each with a way back to the previous one.
import type { Model } from 'heed'
import type { Conversation } from '../conversation/conversation.js'
import { exported, imported, isOfAll, isRecord, parsed } from '../conversation/file.js'
import { Keeper } from '../keeping/keeper.js'
import type { ListView } from '../keeping/list-view.js'
import { type Circumstances, isCircumstances } from '../keeping/record.js'
import { troubleOf } from '../keeping/trouble.js'
import type { Around } from '../keeping/visit.js'
import { countedKinds } from '../media/medium.js'
import type { LinkedChat } from '../sharing/chat-link.js'
import { button, byId } from '../support/dom.js'
import { foreign, plural } from '../support/format.js'
import { explain, notify } from '../support/notices.js'
import { saveFile } from '../support/save.js'

/** What the conversation in view asks of the chat room around it. */
export interface Surroundings {
  /** The model and the settings. */
  readonly around: () => Around
  /** Stops the answer that is being generated. */
  readonly stop: () => void
  /** Called when another conversation has come into view, with the settings that it was saved with, if any. */
  readonly shown: (circumstances?: Circumstances) => void
  /** Called when the user may want to write next. */
  readonly beReady: () => void
  /** Leaves out of prompts everything that the link does not contain, and takes the link's format of answers. */
  readonly shareOnly: (link: LinkedChat) => void
  /** Unfolds the list of conversations. */
  readonly unfold: () => void
  /** Folds the list of conversations; the focus returns to its button. */
  readonly fold: () => void
}

export class InView {
  readonly conversation: Conversation
  readonly keeper: Keeper
  readonly #note = byId('chat-note', HTMLParagraphElement)
  readonly #file = byId('chat-file', HTMLInputElement)
  readonly #surroundings: Surroundings
  #list?: Promise<ListView>
  /** The name of the last model that chatted, and, by a model's name, the conversation that it wrote in last. */
  #model?: string
  readonly #lastOf = new Map<string, string>()
  /** The conversation that gave way to a blank one when the model changed. */
  #left?: string
  /** Resolves once the conversation of the current model is in view. */
  arrived: Promise<void> = Promise.resolve()

  constructor(conversation: Conversation, surroundings: Surroundings) {
    this.conversation = conversation
    this.#surroundings = surroundings
    this.keeper = new Keeper(this.conversation, surroundings.around)
    const { trouble, copyName } = this.keeper
    const tell = () => {
      const copied = copyName.value && `Another tab has gone on with this conversation, so this one goes on as “${copyName.value}”.`
      byId('keeping-note', HTMLParagraphElement).textContent = trouble.value || copied
    }
    trouble.watch(tell)
    copyName.watch(tell)
    byId('chat-new', HTMLButtonElement).addEventListener('click', () => this.startAnew())
    byId('chat-import', HTMLButtonElement).addEventListener('click', () => this.#file.click())
    this.#file.addEventListener('change', () => {
      const [chosen] = this.#file.files ?? []
      if (chosen) void this.openFile(chosen)
      this.#file.value = '' // lets the user choose the same file again
    })
  }

  /** Shows a message about the conversation, with a button if there is something to do. */
  say(...content: (Node | string)[]): void {
    this.#note.replaceChildren(...content.flatMap((part, at) => (at === 0 ? [part] : [' ', part])))
  }

  /** Scrolls to the message about the conversation. */
  showNote(): void {
    this.#note.scrollIntoView({ block: 'nearest' })
  }

  /** Starts a new conversation. The old one is in the list. */
  startAnew(): void {
    this.#surroundings.stop()
    this.#left = undefined
    this.say('New conversation.', ...this.#wayBack(this.keeper.begin()))
    this.#surroundings.beReady()
  }

  /**
   * A model of this name chats from now on. If the conversation in view was written by the previous model, shows this model's own
   * conversation of this visit, or a new one: the vocabulary of this model may lack words of the previous model's.
   */
  take(model: string): void {
    const before = this.#model
    this.#model = model
    if (before === undefined || before === model) return
    const { value: id } = this.keeper.current
    const { path, writers } = this.conversation
    const writer = writers.at(-1)
    if (writer === before) this.#lastOf.set(before, id)
    if (path.value.length > 0 ? writer === undefined || writer === model : !this.keeper.isBlank) return
    const own = this.#lastOf.get(model)
    if (own !== undefined && own !== id) this.arrived = this.#comeBackTo(own, model)
    else this.#giveWay(model)
  }

  #giveWay(model: string): void {
    const left = this.keeper.begin()
    if (left === undefined) return
    this.#left = left
    this.say(`New conversation, with ${foreign(model)}.`, ...this.#wayBack(left))
  }

  async #comeBackTo(own: string, model: string): Promise<void> {
    const { value: id } = this.keeper.current
    const way = this.#wayBack(this.keeper.isBlank ? undefined : id)
    if (await this.bring(own)) this.say(...(way.length > 0 ? [`The conversation with ${foreign(model)}.`, ...way] : ['']))
    else if (this.keeper.current.value === id) this.#giveWay(model) // this model's conversation has been deleted
  }

  /** Brings a conversation back, by default the last changed one. Resolves to its settings and model; undefined if it is gone. */
  async bring(id?: string): Promise<Around | undefined> {
    if (id === this.keeper.current.value) return this.conversation.path.value.length > 0 ? {} : undefined
    const around = await this.keeper.bring(id)
    if (!around) return undefined
    this.#left = undefined
    this.#surroundings.shown(around.circumstances)
    return around
  }

  /** Brings back the conversation of an entry in the tab's history. */
  async comeBack(id: string): Promise<void> {
    this.#surroundings.stop()
    if (id !== this.keeper.current.value) this.say('')
    await this.bring(id)
  }

  /**
   * Opens the conversation of a link, beside the saved ones, or the conversation with the id `kept`, its continuation, if there is
   * one. Resolves to whether the conversation in view equals the link's, and stops once `isLeft`.
   */
  async follow(link: LinkedChat, kept: string | undefined, isLeft: () => boolean): Promise<boolean> {
    this.#surroundings.stop()
    const isKept = kept !== undefined && (await this.bring(kept)) !== undefined
    if (isLeft()) return false
    if (isKept) return this.keeper.isOfLink
    try {
      const { conversation } = await imported(link.messages)
      if (isLeft()) return false
      const before = this.keeper.show(conversation, () => this.#surroundings.shareOnly(link))
      this.say('', ...this.#wayBack(before ?? this.#left))
      this.#surroundings.shown()
      return true
    } catch (error) {
      notify(`The link has no conversation: ${(error as Error).message}.`)
      return false
    }
  }

  /** Opens a conversation from a file, with a way back to the previous one, or adds the conversations of a file to the list. */
  async openFile(file: File): Promise<void> {
    this.#surroundings.stop()
    const name = `“${foreign(file.name)}”`
    const text = await file.text().catch(() => undefined)
    if (text === undefined) return this.say(`${name} cannot be read: it has changed since, or is too large.`)
    try {
      const value = parsed(text)
      if (isOfAll(value)) return await this.#addAll(name, value)
      const { conversation, lost } = await imported(text)
      const wayBack = this.#wayBack(this.keeper.show(conversation))
      const given = isRecord(value) ? value.circumstances : undefined
      this.#surroundings.shown(isCircumstances(given) ? given : undefined)
      const without = lost.length === 0 ? '' : `, without ${countedKinds(lost)} that it does not contain or that cannot be read`
      this.say(`${name} is loaded${without}.`, ...wayBack)
    } catch (error) {
      this.say(error instanceof DOMException ? troubleOf(error) : `${name} is not a conversation: ${(error as Error).message}.`)
    }
  }

  async #addAll(name: string, value: Record<string, unknown>): Promise<void> {
    const { importAll } = await import('../keeping/files.js')
    const { added, known, malformed } = await importAll(value)
    this.keeper.relist()
    this.say(
      [
        `${name}: ${plural(added, 'conversation')} added.`,
        ...(known > 0 ? [`${known} were here already.`] : []),
        ...(malformed > 0 ? [`${malformed} cannot be read.`] : []),
      ].join(' '),
    )
    this.#surroundings.unfold()
  }

  export(model: Model | undefined): void {
    const { circumstances } = this.#surroundings.around()
    saveFile('conversation.json', 'application/json', exported(this.conversation, circumstances, model?.info.name))
  }

  /** Shows the list of conversations, whose script is loaded for this. */
  async showList(): Promise<void> {
    const { stop } = this.#surroundings
    const choose = () => this.#file.click()
    this.#list ??= import('../keeping/list-view.js').then(
      ({ ListView }) => new ListView(this.keeper, { open: id => void this.#choose(id), stop, choose }),
    )
    try {
      await (await this.#list).show()
    } catch (error) {
      this.#list = undefined
      this.say(explain('The list of conversations', error))
    }
  }

  /**
   * A button that brings back the conversation with this id, if there is one. An answer that was just stopped is still finished in
   * it.
   */
  #wayBack(id: string | undefined): HTMLButtonElement[] {
    if (id === undefined) return []
    const comeBack = () => {
      this.#surroundings.beReady() // the button is removed
      void this.#open(id)
    }
    return [button('Restore the previous one', comeBack)]
  }

  /** Shows a conversation chosen in the list. */
  async #choose(id: string): Promise<void> {
    this.#surroundings.stop()
    this.say('')
    this.#surroundings.fold()
    await this.bring(id)
  }

  /** Shows a conversation that the user returns to. */
  async #open(id: string): Promise<void> {
    this.#surroundings.stop()
    this.say('')
    await this.bring(id)
    this.#surroundings.beReady()
  }
}
