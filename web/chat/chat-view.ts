// The part of the page for models that chat: the conversation, its settings, and its tokens in the viewer.
import type { ChatOptions, Model } from 'heed'
import type { GivenToken, HeedViewer } from 'heed/viewer'
import { Attachments } from '../images/attachments.js'
import { ExamplePictures } from '../images/examples.js'
import { noPictures } from '../images/picture.js'
import type { MeasuredHead } from '../lesson/heads.js'
import { Keeper } from '../keeping/keeper.js'
import type { ListView } from '../keeping/list-view.js'
import type { Circumstances, KeptModel } from '../keeping/record.js'
import { troubleOf } from '../keeping/trouble.js'
import type { Source } from '../model/slot.js'
import type { LinkedChat } from '../sharing/chat-link.js'
import { addressesOf, noLinkToFile } from '../sharing/link.js'
import { select, selectedOf } from '../sharing/select.js'
import { byId, isInDialog } from '../support/dom.js'
import { closeByItself } from '../support/menu.js'
import { foreign, percent, plural } from '../support/format.js'
import { clearNotices, explain, notify } from '../support/notices.js'
import { saveFile } from '../support/save.js'
import { Sheet } from '../support/sheet.js'
import { promptsFor, type ToStart } from '../writing/prompt.js'
import type { Sampling } from '../writing/sampling.js'
import { AnswerAnnouncer } from './answer-announcer.js'
import { AnswerInViewer } from './answer-in-viewer.js'
import { write } from './answering.js'
import { type BubbleActions, button } from './bubbles/bubble.js'
import { Composer } from './composer.js'
import { Conversation } from './conversation.js'
import { exported, imported, isOfAll, parsed } from './file.js'
import { FirstExample } from './first/first-example.js'
import { Form } from './form.js'
import { Log } from './log.js'
import { Pacing } from './pacing.js'
import { Panels } from './panels.js'
import { templateFor } from './plain-form.js'
import { type Asking, runsOf } from './prompts.js'
import { RawPrompt } from './raw-prompt.js'
import { makeRoom } from './room-for-more.js'
import { Starters } from './starters.js'
import { Sources } from './sources.js'
import { ToolList } from './tool-list.js'
import { type AnswerTurn, textOf, type UserTurn } from './turns.js'
import { WordLooks } from './word-looks.js'

export class ChatView {
  readonly conversation = new Conversation()
  readonly keeper = new Keeper(this.conversation, () => ({ model: this.#keptModel, circumstances: this.#circumstances }))
  readonly #place = byId('chat', HTMLElement)
  readonly #system = byId('system-message', HTMLTextAreaElement)
  readonly #think = byId('think', HTMLSelectElement)
  readonly #note = byId('chat-note', HTMLParagraphElement)
  readonly #sampling: Sampling
  readonly #reload: () => Promise<void>
  readonly #attachments = new Attachments(() => this.#composer.beReady())
  readonly #composer = new Composer(
    text => this.#sendWithPictures(text),
    () => this.stop(),
    () => this.#attachments.pictures.value.length > 0 || this.#attachments.reading !== undefined,
  )
  readonly #tools = new ToolList(() => this.#changed())
  readonly #form = new Form(() => this.#changed())
  readonly #raw = new RawPrompt()
  readonly #panels = new Panels(['history', 'system', 'raw', 'tools', 'form'], name => {
    if (name === 'history') void this.#showList()
    if (name === 'raw') this.#refreshRaw()
    if (name === 'system') this.#system.focus()
    if (name === 'form') this.#form.focus()
  })
  readonly #announcer = new AnswerAnnouncer()
  readonly #examples = new ExamplePictures(this.#attachments)
  readonly #starters = new Starters(text => {
    this.#composer.beReady()
    if (this.#model) void this.#start(text)
    else this.#composer.submit(text) // waits for a model
  })
  readonly #first = new FirstExample(() => this.#composer.focus())
  readonly #log: Log
  readonly #viewer: HeedViewer
  readonly #inViewer: AnswerInViewer
  readonly #sheet: Sheet
  readonly #pacing: Pacing
  readonly #sources: Sources
  readonly #words: WordLooks
  #model?: Model
  #answerHead?: MeasuredHead
  #running?: AbortController
  #keptModel?: KeptModel
  #list?: Promise<ListView>

  /** `reload` reloads a model that crashed. */
  constructor(viewer: HeedViewer, sampling: Sampling, reload: () => Promise<void>) {
    this.#viewer = viewer
    this.#sampling = sampling
    this.#reload = reload
    this.#sheet = new Sheet(viewer, byId('sheet-close', HTMLButtonElement))
    this.#log = new Log(this.conversation, byId('chat-beginning', HTMLLIElement), this.#actions)
    this.#inViewer = new AnswerInViewer(viewer, this.conversation, () => this.#asking, {
      onTurn: turn => this.#log.mark(turn),
      onError: error => notify(explain('The model', error)),
      onLook: (turn, isSource) => this.#sheet.open(isSource ? this.#log.place : this.#log.placeOf(turn), isSource), // a source is shown there, too
    })
    this.#pacing = new Pacing(viewer, this.#inViewer, this.#log)
    this.#sources = new Sources(
      this.conversation,
      () => this.#asking,
      (turn, isOffered) => this.#log.offerSource(turn, isOffered),
    )
    this.#words = new WordLooks(viewer, this.#log, this.conversation, this.#inViewer, this.#first, () => this.#answerHead)
    this.conversation.path.watch(path => {
      if (path.length > 0) this.#dropExample()
      if (!this.#running) void this.#sources.refresh()
      this.#refreshRaw()
    })
    this.#system.addEventListener('input', () => {
      this.conversation.system = this.#system.value
      this.#changed()
    })
    this.#think.addEventListener('change', () => this.#changed())
    byId('sampling-details', HTMLDetailsElement).addEventListener('change', () => this.keeper.changed())
    this.keeper.trouble.watch(trouble => {
      byId('keeping-note', HTMLParagraphElement).textContent = trouble
    })
    byId('starters', HTMLDivElement).before(this.#examples.place)
    this.#starters.offer(promptsFor('conversations')) // those of the default model, before it has loaded
    closeByItself(byId('chat-more', HTMLDetailsElement))
    byId('chat-new', HTMLButtonElement).addEventListener('click', () => this.#startAnew())
    byId('chat-export', HTMLButtonElement).addEventListener('click', () => this.#export())
    const file = byId('chat-file', HTMLInputElement)
    byId('chat-import', HTMLButtonElement).addEventListener('click', () => file.click())
    file.addEventListener('change', () => {
      const [chosen] = file.files ?? []
      if (chosen) void this.open(chosen)
      file.value = '' // so that the same file can be chosen again
    })
    addEventListener('keydown', event => {
      if (event.key !== 'Escape' || this.#place.hidden || !this.#running || isInDialog(event)) return
      event.preventDefault() // it ends nothing else
      this.stop()
    })
  }

  /**
   * Stops the current answer and switches to a model, with example messages to start from. The conversation stays. `answerHead` is
   * the model's head that attends to where an answer is, if it has one, and `kept` how the model is called where conversations are kept.
   */
  async use(model: Model | undefined, { prompts, pictures }: ToStart, answerHead?: MeasuredHead, kept?: KeptModel): Promise<void> {
    this.stop()
    this.#model = model
    this.#keptModel = kept
    this.#answerHead = answerHead
    this.#composer.isReady = model !== undefined
    this.#form.use(model)
    if (!answerHead) this.#dropExample()
    this.#words.clear()
    this.#sources.use(model, answerHead)
    this.#attachments.use(model)
    if (!model) return
    this.#examples.offer(model.info.readsImages ? pictures : [])
    this.#starters.offer(prompts)
    try {
      const { info } = await model.chatTemplate(templateFor(model.info))
      if (model !== this.#model) return
      this.#tools.use(foreign(model.info.name || 'This model'), info.supports.tools)
      byId('think-choice', HTMLLabelElement).hidden = !info.supports.think
    } catch (error) {
      if (model === this.#model) notify(explain('The model', error))
    }
    if (model === this.#model) this.#refreshRaw()
  }

  /** The conversation in view for a link, or the reason why there can be no link. `source` is what the model was loaded from. */
  state(source: Source | undefined): LinkedChat | string {
    const addresses = addressesOf(source)
    if (!this.#model || !addresses) return noLinkToFile
    const { last } = this.conversation
    if (!last) return 'There is no conversation yet.'
    const messages = JSON.stringify(this.conversation.messagesTo(last))
    const { token, ...selected } = selectedOf(this.#viewer)
    // Without its pictures, a conversation has other tokens.
    if (this.conversation.picturesTo(last).length > 0) return { ...addresses, messages, ...selected, withoutPictures: true }
    return { ...addresses, messages, ...selected, token }
  }

  /**
   * Opens the conversation of a link, beside those that are kept, or the conversation with the id `kept` if there is one: what the link has
   * become. Resolves to whether what the link selects can be shown, and stops once the link `isLeft`.
   */
  async follow({ messages, ...selected }: LinkedChat, kept: string | undefined, isLeft: () => boolean): Promise<boolean> {
    this.stop()
    const isKept = kept !== undefined && (await this.bring(kept)) !== undefined
    if (isLeft()) return false
    if (isKept) {
      if (!this.keeper.isOfLink) return false
    } else {
      try {
        const { conversation } = await imported(messages)
        if (isLeft()) return false
        this.#say('', ...this.#wayBack(this.keeper.show(conversation, true)))
        this.#shown()
      } catch (error) {
        notify(`The link has no conversation: ${(error as Error).message}.`)
        return false
      }
    }
    await this.#inViewer.refresh()
    if (this.#place.hidden || isLeft()) return false
    await select(this.#viewer, selected)
    return true
  }

  /** Brings a conversation back, by default the one that was changed last. Resolves to the model it was held with; undefined if there is none. */
  async bring(id?: string): Promise<{ readonly model?: KeptModel } | undefined> {
    if (id === this.keeper.current.value) return this.conversation.path.value.length > 0 ? {} : undefined
    const around = await this.keeper.bring(id)
    if (around) this.#shown(around.circumstances)
    return around
  }

  /** The same once the viewer shows it, as links are left. */
  async comeBack(id: string): Promise<void> {
    this.stop()
    if (id !== this.keeper.current.value) this.#say('')
    await this.bring(id)
    await this.#inViewer.refresh()
  }

  /** The tokens that the answer in the viewer answers; undefined if there is none. */
  prompt(): Promise<readonly GivenToken[] | undefined> {
    return this.#inViewer.prompt()
  }

  /** Says something about the conversation, with a button if there is something to do. */
  tell(sentence: string, ...buttons: HTMLButtonElement[]): void {
    this.#say(sentence, ...buttons)
  }

  /** Puts a message into the box, for the user to send in a conversation of its own. */
  draft(text: string): void {
    if (this.conversation.last) this.#startAnew()
    this.#composer.offer(text)
  }

  /** For a user who may want to write a message next. */
  beReady(): void {
    this.#composer.beReady()
  }

  enter(): void {
    this.#place.hidden = false
    this.#inViewer.use(this.#model)
    this.#log.toEnd()
    if (this.#model && this.#answerHead) void this.#first.show(this.#model, this.#answerHead, this.#inViewer)
  }

  /** Releases the viewer for the other room. The current answer continues. */
  leave(): void {
    this.#place.hidden = true
    this.#sheet.close()
    this.#first.rest()
    this.#inViewer.use(undefined)
  }

  /** Stops the current answer. The part generated so far stays. */
  stop(): void {
    this.#running?.abort()
  }

  /** What is set for the conversation, as it is kept. */
  get #circumstances(): Circumstances {
    return {
      tools: this.#tools.chosen,
      think: this.#think.value,
      form: this.#form.chosen,
      sampling: { ...this.#sampling.options } as Record<string, number>,
    }
  }

  set #circumstances({ tools, think, form, sampling }: Circumstances) {
    this.#tools.chosen = tools
    this.#think.value = think
    this.#form.chosen = form
    const { seed, ...settings } = sampling
    this.#sampling.reset()
    this.#sampling.set(settings)
    if (seed !== undefined) this.#sampling.seed = seed
  }

  /** Something that prompts depend on was set. */
  #changed(): void {
    this.keeper.changed()
    this.#refreshRaw()
  }

  /** The options that the prompt depends on, besides the conversation. */
  get #asking(): Asking & Pick<ChatOptions, 'think' | 'tools'> {
    const think = byId('think-choice', HTMLLabelElement).hidden ? 'auto' : this.#think.value
    const isFree = this.#form.option.jsonSchema === undefined // an answer in a form calls no tools
    const tools = isFree ? this.#tools.lent : []
    return { tools, ...(think !== 'auto' && { think: think === 'on' }) }
  }

  get #actions(): BubbleActions {
    return {
      edit: (turn, text) => this.#send(text, turn),
      answer: turn => void this.#answer(turn),
      look: turn => this.#inViewer.look(turn),
      findSource: turn => void this.#findSource(turn),
      choose: (turn, step) => {
        this.conversation.choose(turn)
        this.#log.focusStepper(turn, step)
      },
      startAnew: turn => {
        const asked = turn.before ? textOf(turn.before) : ''
        this.#startAnew()
        if (this.#composer.text === '') this.#composer.text = asked
      },
    }
  }

  /** Adds pictures to the message that is being written. */
  attach(files: readonly File[]): void {
    this.#composer.beReady()
    void this.#attachments.add(files)
  }

  /** Sends an example message, by default with the first example picture. */
  async #start(text: string): Promise<void> {
    await this.#attachments.reading
    if (this.#attachments.pictures.value.length === 0) await this.#examples.attachFirst()
    await this.#sendWithPictures(text)
  }

  /** Sends a message once the pictures that were added to it are read. If one cannot be, the text goes back into the composer. */
  async #sendWithPictures(text: string): Promise<void> {
    const { reading } = this.#attachments
    if (!reading) return this.#send(text)
    const areRead = await reading
    if (!areRead) {
      this.#composer.text = [text, this.#composer.text].filter(part => part !== '').join('\n')
    } else if (text.trim() !== '' || this.#attachments.pictures.value.length > 0) this.#send(text)
  }

  /**
   * Sends a message after `at.before`, by default at the end and with the pictures of the composer. If it cannot be sent, the text goes
   * back into the composer.
   */
  #send(text: string, at?: Pick<UserTurn, 'before' | 'pictures'>): void {
    const pictures = at?.pictures ?? this.#attachments.pictures.value
    const isReadable = pictures.length === 0 || at || this.#model?.info.readsImages
    if (!isReadable) notify(noPictures('The message has pictures'))
    if (!this.#model || !isReadable || !this.#sampling.check()) {
      if (this.#composer.text === '') this.#composer.text = text
      return
    }
    this.stop()
    if (!at) this.#attachments.clear()
    const said = this.conversation.say(text, at ? at.before : this.conversation.last, pictures)
    if (at) this.#log.focus(said) // what was edited is gone
    void this.#answer(said)
  }

  /** Generates an answer. An alternative to existing answers gets a new seed: the same seed would give the same answer. */
  async #answer(asked: UserTurn): Promise<void> {
    const model = this.#model
    if (!model || !this.#sampling.check()) return
    this.stop()
    clearNotices()
    const unread = model.info.readsImages ? 0 : this.conversation.picturesTo(asked).length
    this.#say(
      unread === 0 ? '' : `This model reads no pictures: it gets the conversation without its ${plural(unread, 'picture')}.`,
    )
    const running = (this.#running = new AbortController())
    const isFirst = asked.after.length === 0
    const turn = this.conversation.answer(asked, model)
    this.#pacing.begin(turn)
    this.#composer.isWriting = true
    this.#composer.catchFocus(() => this.#log.focus(turn)) // the answer before is out of view
    this.#log.toEnd()
    this.#announcer.follow(turn)
    this.#inViewer.follow()
    const { seed, ...settings } = this.#sampling.options
    const options = { ...settings, ...this.#asking, ...this.#form.option, ...(isFirst && { seed }) }
    const error = (await this.#makeRoom(model, asked, turn))
      ? await write(model, this.conversation, turn, options, running.signal)
      : undefined
    if (this.#running === running) {
      this.#running = undefined
      this.#composer.isWriting = false
    }
    if (error?.code === 'crashed' && model === this.#model) return this.#reload()
    this.#refreshRaw()
    await this.#inViewer.refresh()
    this.#pacing.end(turn)
    await this.#sources.refresh()
  }

  /** Shows where in the conversation an answer comes from, and explains it. */
  async #findSource(turn: AnswerTurn): Promise<void> {
    const head = this.#answerHead
    const found = this.#sources.of(turn)
    this.#words.clear()
    if (!head || !found || !(await this.#inViewer.findSource(turn, head, found))) return
    const name = `head ${head.head + 1} of layer ${head.layer + 1}`
    const [begin, gives] =
      turn.steps.length > 0
        ? ['To write', 'looked back at the same word in the text']
        : ['Before', 'looks back at the same word in the text']
    this.#log.explain(
      turn,
      `${begin} “${found.text}”, it ${gives}, with ${percent(found.share)} of the attention of ${name}. ` +
        `This head finds the answer to ${percent(head.score)} of the questions about stories that the model was not trained on.`,
      false,
    )
    await this.#words.bring(turn, found.token)
  }

  #dropExample(): void {
    this.#first.withdraw()
    this.#inViewer.dropExample()
  }

  /** Leaves the oldest turns out of the prompt if it needs that. Resolves to whether it then fits; if not, the answer says by how much. */
  async #makeRoom(model: Model, asked: UserTurn, answer: AnswerTurn): Promise<boolean> {
    const cut = this.conversation.cut
    try {
      const excess = await makeRoom(model, this.conversation, asked, this.#asking, this.#sampling.settings.maxTokens!)
      if (cut !== this.conversation.cut) this.conversation.refresh()
      if (excess === 0) return true
      answer.ending = {
        reason: 'too-long',
        error: `This message is too long for the model, by about ${plural(excess, 'token')}: it reads at most ${
          model.info.contextLength
        } at once, instructions and tools included. Shorten it, or use a model that reads more.`,
      }
    } catch (error) {
      answer.ending = { reason: 'error', error: explain('The model', error) }
    }
    answer.changes.value++
    return false
  }

  /** Starts a new conversation. The old one is in the list. */
  #startAnew(): void {
    this.stop()
    this.#say('New conversation.', ...this.#wayBack(this.keeper.begin()))
    this.#composer.beReady()
  }

  /** A button that brings back the conversation with this id, if there is one. An answer that was just stopped still ends in it. */
  #wayBack(id: string | undefined): HTMLButtonElement[] {
    return id === undefined
      ? []
      : [
          button('Restore the previous one', () => {
            this.#composer.beReady() // the button goes
            void this.#open(id)
          }),
        ]
  }

  /** Shows a conversation that the user has chosen. */
  async #open(id: string): Promise<void> {
    this.stop()
    this.#say('')
    await this.bring(id)
    this.#composer.beReady()
  }

  /** The conversation in view is another one. */
  #shown(circumstances?: Circumstances): void {
    this.#system.value = this.conversation.system
    if (circumstances) this.#circumstances = circumstances
    this.#log.toEnd()
    this.#refreshRaw()
  }

  /** Shows the list of conversations, which is fetched for that. */
  async #showList(): Promise<void> {
    const choose = () => byId('chat-file', HTMLInputElement).click()
    this.#list ??= import('../keeping/list-view.js').then(
      ({ ListView }) => new ListView(this.keeper, { open: id => void this.#open(id), stop: () => this.stop(), choose }),
    )
    try {
      await (await this.#list).show()
    } catch (error) {
      this.#list = undefined
      this.#say(explain('The list of conversations', error))
    }
  }

  #export(): void {
    saveFile('conversation.json', 'application/json', exported(this.conversation, this.#model?.info.name))
  }

  /** Opens a conversation from a file, with a way back to the one before, or adds those of a file to the list. */
  async open(file: File): Promise<void> {
    this.stop()
    try {
      const text = await file.text()
      const value = parsed(text)
      if (isOfAll(value)) return await this.#addAll(file, value)
      const { conversation, lost } = await imported(text)
      const wayBack = this.#wayBack(this.keeper.show(conversation))
      this.#shown()
      const without = lost === 0 ? '' : `, without ${plural(lost, 'picture')} that it does not contain or that cannot be read`
      this.#say(`“${file.name}” is loaded${without}.`, ...wayBack)
    } catch (error) {
      this.#say(
        error instanceof DOMException ? troubleOf(error) : `“${file.name}” is not a conversation: ${(error as Error).message}.`,
      )
    }
  }

  async #addAll({ name }: File, value: Record<string, unknown>): Promise<void> {
    const { importAll } = await import('../keeping/files.js')
    const { added, known, malformed } = await importAll(value)
    this.keeper.relist()
    this.#say(
      [
        `“${foreign(name)}”: ${plural(added, 'conversation')} added.`,
        ...(known > 0 ? [`${known} were here already.`] : []),
        ...(malformed > 0 ? [`${malformed} cannot be read.`] : []),
      ].join(' '),
    )
    this.#panels.open('history')
  }

  #say(...content: (Node | string)[]): void {
    this.#note.replaceChildren(...content.flatMap((part, at) => (at === 0 ? [part] : [' ', part])))
  }

  /** Updates the raw prompt up to the last complete turn, if its panel is open. */
  #refreshRaw(): void {
    const model = this.#model
    if (!model || !this.#panels.isOpen('raw')) return
    const { last } = this.conversation
    const whole = last?.role === 'assistant' && (!last.ending || last.messages.length === 0) ? last.before : last
    void this.#raw.show(
      model,
      whole ? runsOf(model, this.conversation, whole, this.#asking) : Promise.resolve({ tokens: 0, runs: [] }),
    )
  }
}
