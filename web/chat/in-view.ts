// Which conversation is in view: a new one, one that is kept, that of a link or of a file; each with a way back to the one before.
import type { Model } from 'heed'
import { Conversation } from '../conversation/conversation.js'
import { exported, imported, isOfAll, parsed } from '../conversation/file.js'
import { type Around, Keeper } from '../keeping/keeper.js'
import type { ListView } from '../keeping/list-view.js'
import type { Circumstances } from '../keeping/record.js'
import { troubleOf } from '../keeping/trouble.js'
import { button, byId } from '../support/dom.js'
import { foreign, plural } from '../support/format.js'
import { explain, notify } from '../support/notices.js'
import { saveFile } from '../support/save.js'

/** The room that the conversation is in view of. */
export interface Surroundings {
  /** The model and the settings. */
  readonly around: () => Around
  /** Ends the answer that is being written. */
  readonly stop: () => void
  /** Another conversation has come into view; with the settings that it was kept with, if it was. */
  readonly shown: (circumstances?: Circumstances) => void
  /** The user may want to write next. */
  readonly beReady: () => void
  /** Leaves out of prompts what a link does not have. */
  readonly shareNothing: () => void
  /** Unfolds the list of conversations. */
  readonly unfold: () => void
  /** Folds it up; the focus goes back to its button. */
  readonly fold: () => void
}

export class InView {
  readonly conversation = new Conversation()
  readonly keeper: Keeper
  readonly #note = byId('chat-note', HTMLParagraphElement)
  readonly #file = byId('chat-file', HTMLInputElement)
  readonly #surroundings: Surroundings
  #list?: Promise<ListView>

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.keeper = new Keeper(this.conversation, surroundings.around)
    this.keeper.trouble.watch(trouble => {
      byId('keeping-note', HTMLParagraphElement).textContent = trouble
    })
    byId('chat-new', HTMLButtonElement).addEventListener('click', () => this.startAnew())
    byId('chat-import', HTMLButtonElement).addEventListener('click', () => this.#file.click())
    this.#file.addEventListener('change', () => {
      const [chosen] = this.#file.files ?? []
      if (chosen) void this.openFile(chosen)
      this.#file.value = '' // so that the same file can be chosen again
    })
  }

  /** Says something about the conversation, with a button if there is something to do. */
  say(...content: (Node | string)[]): void {
    this.#note.replaceChildren(...content.flatMap((part, at) => (at === 0 ? [part] : [' ', part])))
  }

  /** Starts a new conversation. The old one is in the list. */
  startAnew(): void {
    this.#surroundings.stop()
    this.say('New conversation.', ...this.#wayBack(this.keeper.begin()))
    this.#surroundings.beReady()
  }

  /** Brings a conversation back, by default the one that was changed last. Resolves to what is around it; undefined if there is none. */
  async bring(id?: string): Promise<Around | undefined> {
    if (id === this.keeper.current.value) return this.conversation.path.value.length > 0 ? {} : undefined
    const around = await this.keeper.bring(id)
    if (around) this.#surroundings.shown(around.circumstances)
    return around
  }

  /** The same for an entry of the history. */
  async comeBack(id: string): Promise<void> {
    this.#surroundings.stop()
    if (id !== this.keeper.current.value) this.say('')
    await this.bring(id)
  }

  /**
   * Opens the conversation of a link, beside those that are kept, or the conversation with the id `kept` if there is one: what the link has
   * become. Resolves to whether what is in view is as the link has it, and stops once the link `isLeft`.
   */
  async follow(messages: string, kept: string | undefined, isLeft: () => boolean): Promise<boolean> {
    this.#surroundings.stop()
    const isKept = kept !== undefined && (await this.bring(kept)) !== undefined
    if (isLeft()) return false
    if (isKept) return this.keeper.isOfLink
    try {
      const { conversation } = await imported(messages)
      if (isLeft()) return false
      this.say('', ...this.#wayBack(this.keeper.show(conversation, this.#surroundings.shareNothing)))
      this.#surroundings.shown()
      return true
    } catch (error) {
      notify(`The link has no conversation: ${(error as Error).message}.`)
      return false
    }
  }

  /** Opens a conversation from a file, with a way back to the one before, or adds those of a file to the list. */
  async openFile(file: File): Promise<void> {
    this.#surroundings.stop()
    const name = `“${foreign(file.name)}”`
    try {
      const text = await file.text()
      const value = parsed(text)
      if (isOfAll(value)) return await this.#addAll(name, value)
      const { conversation, lost } = await imported(text)
      const wayBack = this.#wayBack(this.keeper.show(conversation))
      this.#surroundings.shown()
      const without = lost === 0 ? '' : `, without ${plural(lost, 'picture')} that it does not contain or that cannot be read`
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
    saveFile('conversation.json', 'application/json', exported(this.conversation, model?.info.name))
  }

  /** Shows the list of conversations, which is fetched for that. */
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

  /** A button that brings back the conversation with this id, if there is one. An answer that was just stopped still ends in it. */
  #wayBack(id: string | undefined): HTMLButtonElement[] {
    if (id === undefined) return []
    const comeBack = () => {
      this.#surroundings.beReady() // the button goes
      void this.#open(id)
    }
    return [button('Restore the previous one', comeBack)]
  }

  /** Shows a conversation that the user has chosen in the list. */
  async #choose(id: string): Promise<void> {
    this.#surroundings.stop()
    this.say('')
    this.#surroundings.fold()
    await this.bring(id)
  }

  /** Shows a conversation that the user goes back to. */
  async #open(id: string): Promise<void> {
    this.#surroundings.stop()
    this.say('')
    await this.bring(id)
    this.#surroundings.beReady()
  }
}
