// The list of edits, and the model's answers without and with them.
import '../styles/edits.css'
import { type Edit, HeedError, type Model, type Token } from 'heed'
import type { GivenToken, HeedViewer, Passage } from 'heed/viewer'
import type { FoldedView } from '../view/folded.js'
import { byId } from '../support/dom.js'
import { explain } from '../support/notices.js'
import { saveFile } from '../support/save.js'
import { type Box, SetAside } from '../support/set-aside.js'
import { Undo } from '../support/undo.js'
import { areSame } from '../support/tokens.js'
import { type Answers, AnswersView, inWords } from './answers.js'
import { editsIn, ownEditsIn, type PageEdit } from './edits.js'
import { EditFields, titles } from './fields.js'
import type { OwnEdits } from './own.js'
import { type Prompt, Resolver } from './resolve.js'

/** The most tokens of an answer. */
const mostTokens = 80

type PromptTokens = readonly GivenToken[] | undefined

export class EditsView implements FoldedView<string> {
  readonly #shown = byId('edits-shown', HTMLDivElement)
  readonly #place = byId('edit-list', HTMLOListElement)
  readonly #status = byId('edits-status', HTMLParagraphElement)
  readonly #run = byId('edits-run', HTMLButtonElement)
  readonly #save = byId('edits-json', HTMLButtonElement)
  readonly #answers = new AnswersView(
    byId('edits-answers', HTMLDivElement),
    byId('edits-without', HTMLParagraphElement),
    byId('edits-with', HTMLParagraphElement),
  )
  readonly #viewer: HeedViewer
  readonly #promptOf: () => PromptTokens | Promise<PromptTokens>
  readonly #own: OwnEdits
  readonly #aside: SetAside
  readonly #news = byId('edits-news', HTMLParagraphElement)
  readonly #undo = new Undo(
    (...content) => this.#news.replaceChildren(...content.flatMap((part, at) => (at === 0 ? [part] : [' ', part]))),
    () => {},
  )
  /** Whether the list is the user's, not a link's. */
  #isOwn = true
  #model?: Model
  #resolver?: Resolver
  #prompt: Prompt = { tokens: [], room: 0 }
  #edits: EditFields[] = []
  /** The answer without edits, once it is known. */
  #plain?: readonly Token[]
  #last?: { readonly edits: readonly Edit[]; readonly answers: Answers }
  #stop = new AbortController()

  /** `promptOf` returns the tokens before the answer in the viewer, or the tokens to continue. */
  constructor(viewer: HeedViewer, own: OwnEdits, promptOf: () => PromptTokens | Promise<PromptTokens>) {
    this.#viewer = viewer
    this.#own = own
    this.#promptOf = promptOf
    this.#aside = new SetAside(this.#box, 'edits', true)
    this.#aside.list.watch(() => this.#keep())
    own.restored.watch(() => {
      if (this.#model) this.#takeBack(this.#model)
    })
    for (const button of byId('edit-add', HTMLDivElement).querySelectorAll('button')) {
      button.addEventListener('click', () => this.#add(this.#fresh(button.value as PageEdit['kind'])))
    }
    this.#run.addEventListener('click', () => void this.#compare())
    this.#save.addEventListener('click', () => this.#export())
  }

  get state(): string | undefined {
    return this.#edits.length === 0 ? undefined : JSON.stringify(this.#edits.map(({ edit }) => edit))
  }

  async show(model: Model, _: Passage, linked?: string): Promise<void> {
    const tokens = (await this.#promptOf()) ?? []
    const isSame = model === this.#model && areSame(tokens, this.#prompt.tokens)
    const isOther = model !== this.#model
    if (isOther) this.#resolver = new Resolver(model)
    this.#model = model
    this.#prompt = { tokens, room: Math.max(0, Math.min(mostTokens, model.info.contextLength - tokens.length)) }
    this.#shown.hidden = tokens.length === 0
    if (!isSame) {
      this.#forget()
      this.#status.textContent = tokens.length === 0 ? 'There is no text yet.' : ''
      for (const fields of this.#edits) fields.read(this.#prompt)
    }
    if (isOther) this.#takeUp(model)
    const edits = linked === undefined ? undefined : editsIn(linked)
    if (!edits || tokens.length === 0) return
    const isOwn = [this.#own.of(model).list, ...this.#aside.list.value].includes(linked!)
    this.#aside.makeWay(linked!)
    this.#list(edits, isOwn)
    await this.#compare()
  }

  clear(): void {
    this.#forget()
    if (this.#model && !this.#isOwn) this.#leaveLinked(this.#model)
    this.#model = this.#resolver = undefined
    this.#prompt = { tokens: [], room: 0 }
    this.#list([], true)
    this.#aside.clear()
    this.#undo.clear()
    this.#shown.hidden = true
  }

  /** Saves the user's list, which was set aside for a link's list, as the current one again. */
  #leaveLinked(model: Model): void {
    const [list = '', ...aside] = this.#aside.list.value
    this.#own.set(model, { list, aside })
  }

  /** Shows the user's own list for a model. */
  #takeUp(model: Model): void {
    const { list, aside } = this.#own.of(model)
    this.#list(ownEditsIn(list), true)
    this.#aside.list.value = aside
  }

  /** Called when the user's lists of an earlier page arrive, or all are removed. Replaces no list from a link or being written. */
  #takeBack(model: Model): void {
    const { list, aside } = this.#own.of(model)
    if (this.#isOwn && list !== (this.state ?? '')) this.#takeUp(model)
    else this.#aside.list.value = this.#isOwn || list === '' ? aside : [list, ...aside]
  }

  /** Replaces the list. */
  #list(edits: readonly PageEdit[], isOwn: boolean): void {
    this.#edits = []
    this.#place.replaceChildren()
    this.#isOwn = isOwn
    for (const edit of edits) this.#append(edit)
    this.#keep()
  }

  /** Saves the list if it is the user's. */
  #keep(): void {
    if (!this.#model) return
    this.#own.set(this.#model, { list: this.#isOwn ? (this.state ?? '') : '', aside: this.#aside.list.value })
  }

  /** The list as a box: when a link's list replaces it, the user's edits are set aside. */
  get #box(): Box<string> {
    const view = this
    return {
      place: this.#place,
      get value() {
        return view.state ?? ''
      },
      set value(list) {
        view.#list(ownEditsIn(list), true)
        view.#refresh()
      },
      isOwn: list => list !== '' && this.#isOwn,
      isSame: (one, other) => one === other,
      focus: () => (this.#edits.at(-1) ? this.#edits.at(-1)!.focus() : this.#focusAdd()),
    }
  }

  #focusAdd(): void {
    byId('edit-add', HTMLDivElement).querySelector('button')!.focus()
  }

  #forget(): void {
    this.#stop.abort()
    this.#plain = this.#last = undefined
    this.#answers.clear()
    this.#save.disabled = true
    this.#status.textContent = ''
  }

  /** A new edit with initial values. */
  #fresh(kind: PageEdit['kind']): PageEdit {
    const { layers } = this.#model!.info
    const { layer, head, token } = this.#viewer
    switch (kind) {
      case 'steer':
        return {
          kind,
          layer: Math.floor(layers / 2) - 1,
          scale: 2,
          toward: ['What a happy day!', 'They laughed and danced with joy.'],
          away: ['What a sad day.', 'They cried and were afraid.'],
        }
      case 'head':
        return { kind, layer, head: head === 'mean' ? 0 : head, scale: 0 }
      case 'patch':
        return { kind, layer: 0, word: '', other: '' }
      case 'cut':
        return { kind, layer, key: Math.min(token ?? 0, this.#prompt.tokens.length - 1), ...(head === 'mean' ? {} : { head }) }
    }
  }

  #add(edit: PageEdit): void {
    this.#append(edit).focus()
    this.#touch()
    if (edit.kind !== 'patch') this.#refresh()
  }

  /** The user has changed the list, which is theirs from now on. */
  #touch(): void {
    this.#isOwn = true
    this.#keep()
  }

  #append(edit: PageEdit, at = this.#edits.length): EditFields {
    const fields = new EditFields(edit, this.#model!.info, this.#prompt, {
      typed: () => this.#touch(),
      changed: () => this.#refresh(),
      remove: () => this.#remove(fields),
    })
    this.#edits.splice(at, 0, fields)
    this.#place.insertBefore(fields.element, this.#place.children[at] ?? null)
    return fields
  }

  #remove(fields: EditFields): void {
    const at = this.#edits.indexOf(fields)
    this.#edits.splice(at, 1)
    fields.element.remove()
    this.#undo.add({
      what: `“${titles[fields.edit.kind]}” is removed`,
      putBack: () => {
        this.#append(fields.edit, at).focus()
        this.#touch()
        this.#refresh()
      },
    })
    this.#focusAdd()
    this.#touch()
    this.#refresh()
  }

  /** Called when an edit has changed: generates a new answer, if there is one. */
  #refresh(): void {
    if (this.#last || this.#plain) void this.#compare()
  }

  async #compare(): Promise<void> {
    this.#stop.abort()
    const { signal } = (this.#stop = new AbortController())
    const model = this.#model!
    for (const fields of this.#edits) fields.problem = undefined
    this.#status.textContent = 'Answering …'
    try {
      const plain = this.#plain ?? (await this.#answer(model, [], signal))
      if (signal.aborted) return
      this.#plain = plain
      const edits = await this.#resolved()
      if (signal.aborted) return
      if (!edits) {
        this.#status.textContent = ''
        return
      }
      const answers = { without: plain, with: await this.#answer(model, edits, signal) }
      if (signal.aborted) return
      this.#last = { edits, answers }
      this.#answers.show(answers)
      this.#save.disabled = false
      this.#status.textContent = inWords(answers)
    } catch (error) {
      const { code } = HeedError.from(error)
      if (signal.aborted || code === 'disposed') return
      this.#tell(error)
    }
  }

  /** The active edits for the package; undefined if one of them has a problem, which is shown beside it. */
  async #resolved(): Promise<Edit[] | undefined> {
    const edits: Edit[] = []
    let isWrong = false
    for (const fields of this.#used) {
      try {
        edits.push(await this.#resolver!.resolve(fields.edit, this.#prompt))
      } catch (error) {
        isWrong = true
        fields.problem = explain('The model', error)
      }
    }
    return isWrong ? undefined : edits
  }

  get #used(): EditFields[] {
    return this.#edits.filter(({ edit }) => !edit.off)
  }

  /** Shows an error, beside the edit that it is about, if any. */
  #tell(error: unknown): void {
    const [, index, what] = /^.*?edits\[(\d+)\](?:\.\w+)?: (.*)$/s.exec(HeedError.from(error).message) ?? []
    const fields = index === undefined ? undefined : this.#used[Number(index)]
    this.#status.textContent = fields ? '' : explain('The model', error)
    if (fields) fields.problem = `${what![0]!.toUpperCase()}${what!.slice(1)}.`
  }

  async #answer(model: Model, edits: readonly Edit[], signal: AbortSignal): Promise<readonly Token[]> {
    const ids = this.#prompt.tokens.map(({ id }) => id)
    return (await model.generate(ids, { temperature: 0, maxTokens: this.#prompt.room, edits, signal })).tokens
  }

  #export(): void {
    const { edits, answers } = this.#last!
    const plain = edits.map(edit =>
      Object.fromEntries(
        Object.entries(edit).map(([name, value]) => [name, ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value]),
      ),
    )
    const textOf = (tokens: readonly Token[]) => ({ text: tokens.map(({ text }) => text).join(''), tokens })
    saveFile(
      'edits.json',
      'application/json',
      `${JSON.stringify(
        {
          model: this.#model!.info.name,
          prompt: this.#prompt.tokens,
          edits: plain,
          without: textOf(answers.without),
          with: textOf(answers.with),
        },
        undefined,
        2,
      )}\n`,
    )
  }
}
