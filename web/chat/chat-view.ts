// The part of the page for models that chat: messages and answers, with the attention of answers.
import type { HeedError, Model } from 'heed'
import { type GivenToken, type HeedViewer, tokensOf } from 'heed/viewer'
import { Attachments } from '../images/attachments.js'
import { ExamplePictures } from '../images/examples.js'
import type { MeasuredHead } from '../lesson/heads.js'
import type { Keeper } from '../keeping/keeper.js'
import type { KeptModel } from '../keeping/record.js'
import { isAccepted, leftOut, namesOf, notAccepted } from '../media/medium.js'
import { withoutPicture } from '../media/picture.js'
import type { Source } from '../model/slot.js'
import type { LinkedChat } from '../sharing/chat-link.js'
import { addressesOf, noLinkToFile, type Selected } from '../sharing/link.js'
import type { Copied } from '../sharing/offer.js'
import { select, selectedOf } from '../sharing/select.js'
import { button, byId, isInDialog } from '../support/dom.js'
import { closeByItself } from '../support/menu.js'
import { percent, plural } from '../support/format.js'
import { clearNotices, explain, notify } from '../support/notices.js'
import type { SetAside } from '../support/set-aside.js'
import { Sheet } from '../support/sheet.js'
import { promptsFor, type ToStart } from '../writing/prompt.js'
import type { Sampling } from '../writing/sampling.js'
import { AnswerAnnouncer } from './answer-announcer.js'
import { AnswerInViewer } from './answer-in-viewer.js'
import { begin, write } from '../conversation/answering.js'
import { begunIn, resume } from '../conversation/continuing.js'
import type { BubbleActions } from './bubbles/bubble.js'
import { Composer, type Message } from './composer.js'
import { Conversation } from '../conversation/conversation.js'
import { FirstExample } from './first/first-example.js'
import { InView } from './in-view.js'
import { Log } from './log.js'
import { Pacing } from './pacing.js'
import { Panels } from './panels.js'
import { templateFor } from '../conversation/plain-form.js'
import type { RawPrompt } from './raw-prompt.js'
import { makeRoom } from '../conversation/room-for-more.js'
import { Settings } from './settings.js'
import { Starters } from './starters.js'
import { Sources } from './sources.js'
import { type AnswerTurn, textOf, type Turn, type UserTurn } from '../conversation/turns.js'
import { WordLooks } from './word-looks.js'

export class ChatView {
  readonly conversation = new Conversation()
  readonly inView: InView
  readonly #place = byId('chat', HTMLElement)
  readonly #sampling: Sampling
  readonly settings: Settings
  readonly #reload: () => Promise<void>
  readonly #share: (turn: AnswerTurn) => Promise<Copied>
  readonly attachments = new Attachments({
    box: byId('message', HTMLTextAreaElement),
    id: 'attach',
    name: 'message',
    leave: () => this.#composer.beReady(),
    hasSounds: true,
  })
  readonly #composer = new Composer(
    this.attachments,
    text => this.#sendWithPictures(text),
    () => this.#end(),
  )
  #raw?: Promise<RawPrompt>
  readonly #panels = new Panels(['history', 'system', 'raw', 'tools', 'form'], name => {
    if (name === 'history') void this.inView.showList()
    if (name === 'raw') this.#refreshRaw()
    if (name === 'system' || name === 'form') this.settings.focus(name)
  })
  readonly #announcer: AnswerAnnouncer
  readonly #examples = new ExamplePictures(this.attachments)
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
  /** Whether the latest answer is shown token by token. */
  #isShowing = false
  #keptModel?: KeptModel
  /** Whether to ask before sending a message without an image, because its answer would mean nothing. */
  #asksForPicture = false

  /** `reload` reloads a model that crashed; `share` copies a link to an answer. */
  constructor(viewer: HeedViewer, sampling: Sampling, reload: () => Promise<void>, share: (turn: AnswerTurn) => Promise<Copied>) {
    this.#viewer = viewer
    this.#share = share
    this.#sampling = sampling
    this.settings = new Settings(
      this.conversation,
      sampling,
      () => {
        this.keeper.changed()
        this.#refreshRaw()
      },
      () => this.keeper.changed(),
      () => this.keeper.adopt(),
    )
    this.inView = new InView(this.conversation, {
      around: () => ({ model: this.#keptModel, circumstances: this.settings.circumstances }),
      stop: () => this.stop(),
      shown: circumstances => {
        this.settings.show(circumstances)
        this.#log.toEnd()
        this.#refreshRaw()
      },
      beReady: () => this.#composer.beReady(),
      shareOnly: link => this.settings.shareOnly(link),
      unfold: () => this.#panels.open('history'),
      fold: () => this.#panels.close(),
    })
    this.#reload = reload
    this.#sheet = new Sheet(viewer, byId('sheet-close', HTMLButtonElement))
    this.#log = new Log(this.conversation, byId('chat-beginning', HTMLLIElement), this.#actions)
    this.#inViewer = new AnswerInViewer(viewer, this.conversation, () => this.settings.asking, {
      onTurn: turn => this.#log.mark(turn),
      onError: error => notify(explain('The model', error), byId('viewer-notices', HTMLDivElement)),
      // a source is shown in the list of turns, too
      onLook: (turn, isSource) => this.#sheet.open(isSource ? this.#log.place : this.#log.placeOf(turn), isSource),
    })
    this.#announcer = new AnswerAnnouncer(() => viewer.pace !== 'instant')
    this.#pacing = new Pacing(viewer, this.#inViewer, this.#log, this.#announcer, isShowing => {
      this.#isShowing = isShowing
      this.#composer.isShowing = isShowing
    })
    this.#sources = new Sources(
      this.conversation,
      () => this.settings.asking,
      (turn, isOffered) => this.#log.offerSource(turn, isOffered),
    )
    this.#words = new WordLooks(viewer, this.#log, this.conversation, this.#inViewer, this.#first, () => this.#answerHead)
    this.conversation.path.watch(path => {
      if (path.length > 0) this.#dropExample()
      this.#announcer.leave(path)
      if (!this.#running) void this.#sources.refresh()
      this.#refreshRaw()
    })
    this.conversation.path.watch(path => {
      const last = path.at(-1)
      const { place } = this.#examples
      // The examples are beside the messages to start from or, in a conversation without images, above the next message.
      place.hidden = this.conversation.picturesTo(last).length > 0
      if (last) this.#composer.form.prepend(place)
      else this.#starters.place.before(place)
    })
    this.#starters.offer(promptsFor('conversations')) // the default model's, before it has loaded
    closeByItself(byId('chat-more', HTMLDetailsElement))
    byId('chat-export', HTMLButtonElement).addEventListener('click', () => this.inView.export(this.#model))
    addEventListener('keydown', event => {
      if (event.key !== 'Escape' || this.#place.hidden || !(this.#running || this.#isShowing) || isInDialog(event)) return
      event.preventDefault() // the key must end nothing else
      this.#end()
    })
  }

  /**
   * Stops the current answer and switches to a model, with example messages to start from. A conversation that another model wrote
   * gives way to one with this model, and can be restored. `answerHead` is the model's head that attends to the answer in the text,
   * if it has one, and `kept` the model as saved conversations refer to it.
   */
  async use(
    model: Model | undefined,
    { prompts, pictures, needsPicture = false }: ToStart,
    answerHead?: MeasuredHead,
    kept?: KeptModel,
  ): Promise<void> {
    this.stop()
    if (model && kept) this.inView.take(kept.name) // first: the conversation in view still counts as the previous model's
    this.#model = model
    this.#keptModel = kept
    this.#log.writer = model && kept?.name
    this.#answerHead = answerHead
    this.#composer.isReady = model !== undefined
    this.settings.use(model)
    if (!answerHead) this.#dropExample()
    this.#words.clear()
    this.#sources.use(model, answerHead)
    this.attachments.use(model)
    if (!model) return
    this.#asksForPicture = needsPicture
    this.#examples.offer(model.info.acceptsImages ? pictures : [], needsPicture ? withoutPicture : undefined)
    this.#starters.offer(prompts)
    try {
      const { info } = await model.chatTemplate(templateFor(model.info))
      if (model !== this.#model) return
      this.settings.offer(model, info.supports)
    } catch (error) {
      if (model === this.#model) notify(explain('The model', error))
    }
    if (model === this.#model) this.#refreshRaw()
  }

  /**
   * The current conversation for a link, with the unfolded parts, or the reason why there can be no link. `source` is the source of
   * the model. A link to an answer has the attention that is shown, but no panels.
   */
  async state(source: Source | undefined, { lens, ...unfolded }: Selected, answer?: AnswerTurn): Promise<LinkedChat | string> {
    const addresses = addressesOf(source)
    if (!this.#model || !addresses) return noLinkToFile
    const last = answer ?? this.conversation.last
    if (!last) return 'There is no conversation yet.'
    const messages = JSON.stringify(this.conversation.messagesTo(last))
    const { token, layer, head, measure, ...panels } = selectedOf(this.#viewer)
    const linked = {
      ...addresses,
      messages,
      format: this.settings.format,
      layer,
      head,
      measure,
      ...(!answer && panels),
      ...unfolded,
    }
    // Without its images and sounds, a conversation has other tokens.
    const media = this.conversation.picturesTo(last)
    if (media.length > 0) return { ...linked, lens: lens && 'open', without: namesOf(media) }
    const tokens = tokensOf(this.#viewer.passage).map(({ id }) => id)
    const chosen = await this.#chosenIn(token)
    const { placesInLink } = await import('./link-places.js')
    const placeOf = await placesInLink(this.#model, tokens, messages)
    const position = typeof lens === 'object' ? placeOf(lens.position) : undefined
    return {
      ...linked,
      token: chosen === undefined ? undefined : placeOf(chosen),
      lens: typeof lens === 'object' && position !== undefined ? { ...lens, position } : lens && 'open',
    }
  }

  /**
   * Opens the conversation of a link, or its continuation, which is saved with the id `kept`. Resolves to whether the link's
   * selection can be shown, and stops once `isLeft`.
   */
  async follow(link: LinkedChat, kept: string | undefined, isLeft: () => boolean): Promise<boolean> {
    if (!(await this.inView.follow(link, kept, isLeft))) return false
    this.#log.toEnd()
    await this.#inViewer.refresh()
    if (this.#place.hidden || isLeft()) return false
    await select(this.#viewer, { ...link, token: await this.#rowOf(link.token) })
    this.#log.bringLast()
    return true
  }

  /**
   * The token whose row shows the choice of a link's token. In an answer that was not generated here, which the model only reads,
   * that is the token before it.
   */
  async #rowOf(token: number | undefined): Promise<number | undefined> {
    return token !== undefined && token >= (await this.#beginOfRead()) ? token - 1 : token
  }

  /** Reverses `#rowOf`: the token, for a link, whose choice a row shows. */
  async #chosenIn(row: number | undefined): Promise<number | undefined> {
    if (row === undefined || row + 1 === tokensOf(this.#viewer.passage).length) return row
    return row + 1 >= (await this.#beginOfRead()) ? row + 1 : row
  }

  /** The first token of an answer in the viewer that the model only reads; Infinity if it has generated the answer. */
  async #beginOfRead(): Promise<number> {
    return this.#viewer.passage.written.length > 0 ? Infinity : ((await this.prompt())?.length ?? Infinity)
  }

  /** Brings a conversation back when a link is left, once the viewer shows it. */
  async comeBack(id: string): Promise<void> {
    await this.inView.comeBack(id)
    await this.#inViewer.refresh()
  }

  /** The tokens of the prompt that the answer in the viewer replies to; undefined if there is none. */
  prompt(): Promise<readonly GivenToken[] | undefined> {
    return this.#inViewer.prompt()
  }

  /** The user's messages up to the answer in the viewer. */
  get ownText(): string {
    const said: string[] = []
    for (let at: Turn | undefined = this.#inViewer.shown; at; at = at.before) if (at.role === 'user') said.unshift(at.text)
    return said.join('\n')
  }

  /** Puts a message into the box, to be sent in a conversation of its own. */
  async draft(text: string): Promise<void> {
    await this.inView.arrived
    const { last } = this.conversation
    if (last) this.inView.startAnew()
    this.#composer.offer(text)
    if (last) this.inView.showNote()
  }

  /** Messages that were replaced before they were sent. */
  get aside(): SetAside<Message> {
    return this.#composer.aside
  }

  /** Prepares for a user who may want to write a message next. */
  beReady(): void {
    this.#composer.beReady()
  }

  /** The model has moved, for example into the store; saved conversations refer to its new place. */
  movedTo(kept: KeptModel): void {
    this.#keptModel = kept
    this.keeper.movedTo(kept)
  }

  get keeper(): Keeper {
    return this.inView.keeper
  }

  enter(): void {
    this.#place.hidden = false
    this.#inViewer.use(this.#model)
    this.#log.toEnd()
    if (this.#model && this.#answerHead) void this.#first.show(this.#model, this.#answerHead, this.#inViewer)
  }

  /** Releases the viewer for another room. The current answer continues. */
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

  /** Stops the current activity: generating an answer, or showing one token by token. */
  #end(): void {
    if (this.#running) this.stop()
    else this.#viewer.revealed = Infinity
  }

  get #actions(): BubbleActions {
    return {
      edit: (turn, text) => void this.#send(text, turn),
      answer: async turn => {
        if (await this.#isSetUp()) void this.#answer(turn)
      },
      goOn: async turn => {
        if (await this.#isSetUp()) void this.#continue(turn)
      },
      look: turn => this.#inViewer.look(turn),
      findSource: turn => void this.#findSource(turn),
      link: async turn => this.#log.tell(turn, await this.#share(turn)),
      choose: (turn, step) => {
        this.conversation.choose(turn)
        this.#log.focusStepper(turn, step)
      },
      startAnew: turn => {
        const asked = turn.before ? textOf(turn.before) : ''
        this.inView.startAnew()
        if (this.#composer.text === '') this.#composer.text = asked
      },
    }
  }

  /** Adds images to the message that is being written. */
  attach(files: readonly File[]): void {
    this.#composer.beReady()
    void this.attachments.add(files)
  }

  /** Sends an example message, by default with the first example image. */
  async #start(text: string): Promise<void> {
    await this.attachments.reading
    if (this.attachments.pictures.value.length === 0) await this.#examples.attachFirst()
    await this.#sendWithPictures(text)
  }

  /**
   * Sends a message once the images that were added to it have been read. If one cannot be read, the text returns to the composer.
   */
  async #sendWithPictures(text: string): Promise<void> {
    const { reading } = this.attachments
    if (!reading) return this.#send(text)
    const areRead = await reading
    if (!areRead) this.#giveBack(text)
    else if (text.trim() !== '' || this.attachments.pictures.value.length > 0) await this.#send(text)
  }

  /** Says that the model needs an image; the user may send the message without one. */
  #askForPicture(): void {
    const send = button('Send it anyway', () => {
      this.#asksForPicture = false
      this.#composer.form.requestSubmit()
    })
    this.attachments.tell(withoutPicture, send)
  }

  /**
   * Sends a message in place of `at`; without `at`, at the end, with the images of the composer. If it cannot be sent, the text
   * goes back into the box in which it was written.
   */
  async #send(text: string, at?: UserTurn): Promise<void> {
    const pictures = at?.pictures ?? this.attachments.pictures.value
    const { info } = this.#model ?? {}
    const unread = at || !info ? undefined : pictures.find(medium => !isAccepted(medium, info))
    if (unread) this.attachments.tell(notAccepted('The message has', unread))
    const isBlind =
      this.#asksForPicture && !at && [...this.conversation.picturesTo(this.conversation.last), ...pictures].length === 0
    if (isBlind) this.#askForPicture()
    if (!this.#model || unread || isBlind || !(await this.#isSetUp())) {
      if (at) {
        at.edited = { text, isOpen: true }
        this.conversation.refresh()
      } else this.#giveBack(text)
      return
    }
    this.stop()
    if (!at) this.attachments.clear()
    const said = this.conversation.say(text, at ? at.before : this.conversation.last, pictures)
    if (at) this.#log.focus(said) // the edited bubble no longer exists
    void this.#answer(said)
  }

  /** Puts a message that was not sent back into the composer, before what has been typed since. */
  #giveBack(text: string): void {
    this.#composer.text = [text, this.#composer.text].filter(part => part !== '').join('\n')
  }

  /** Resolves to whether the settings allow an answer; if not, shows the wrong setting and the reason. */
  async #isSetUp(): Promise<boolean> {
    if (!this.#sampling.check()) return false
    if (await this.settings.check()) return true
    this.#panels.open('form')
    return false
  }

  /** Generates an answer. An alternative to existing answers gets a new seed, because the same seed would give the same answer. */
  async #answer(asked: UserTurn): Promise<void> {
    const model = this.#model
    if (!model) return
    this.stop()
    clearNotices()
    this.inView.say(leftOut(this.conversation.picturesTo(asked), model.info))
    const isFirst = asked.after.length === 0
    const turn = this.conversation.answer(asked, model, this.#keptModel?.name)
    const options = this.settings.answering(isFirst)
    await this.#run(model, turn, async signal => {
      const give = async (isAlone = false) =>
        (await this.#makeRoom(model, asked, turn, isAlone)) ? write(model, this.conversation, turn, options, signal) : undefined
      const error = await give()
      // The tools' results do not fit, and there are older turns to leave out instead.
      if (error?.code !== 'context-overflow' || !asked.before || asked.before.isDropped) return error
      begin(turn)
      return give(true)
    })
  }

  /** Goes on with an answer that was stopped or has reached the longest length. */
  async #continue(turn: AnswerTurn): Promise<void> {
    const model = this.#model
    const writer = this.#keptModel?.name
    const begun = begunIn(turn)
    if (!model || writer === undefined || !begun) return
    const options = this.settings.answering(false)
    if (options.jsonSchema !== undefined)
      return this.#log.explain(turn, 'An answer in a chosen form cannot go on: choose “Any text”, or regenerate it.', false)
    this.stop()
    clearNotices()
    resume(turn, model, writer, begun)
    this.conversation.refresh() // another model may go on
    await this.#run(model, turn, signal => write(model, this.conversation, turn, options, signal, begun))
  }

  /** Shows an answer while `give` writes it, which resolves to the error that has ended it, if any. */
  async #run(model: Model, turn: AnswerTurn, give: (signal: AbortSignal) => Promise<HeedError | undefined>): Promise<void> {
    const running = (this.#running = new AbortController())
    this.#pacing.begin(turn)
    this.#composer.isWriting = true
    this.#composer.catchFocus(() => this.#log.focus(turn)) // the previous answer is out of view
    this.#log.toEnd()
    this.#announcer.follow(turn)
    this.#inViewer.follow(turn)
    const error = await give(running.signal)
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

  /** Shows the source of an answer in the conversation, and explains it. */
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

  /**
   * Leaves the oldest turns out of the prompt if necessary. Resolves to whether it then fits; if not, the answer states how many
   * tokens are too many.
   */
  async #makeRoom(model: Model, asked: UserTurn, answer: AnswerTurn, isAlone: boolean): Promise<boolean> {
    const cut = this.conversation.cut
    try {
      const excess = await makeRoom(
        model,
        this.conversation,
        asked,
        this.settings.asking,
        this.#sampling.settings.maxTokens!,
        isAlone,
      )
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

  /** Updates the raw prompt up to the last complete turn, if its panel is open. */
  #refreshRaw(): void {
    const model = this.#model
    if (!model || !this.#panels.isOpen('raw')) return
    const { last } = this.conversation
    const whole = last?.role === 'assistant' && (!last.ending || last.messages.length === 0) ? last.before : last
    this.#raw ??= import('./raw-prompt.js').then(({ RawPrompt }) => new RawPrompt())
    void this.#raw.then(raw => raw.show(model, this.conversation, whole, this.settings.asking))
  }
}
