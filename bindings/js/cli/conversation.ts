// A conversation: its messages, the lines that the user enters, and the answers.
import { writeFileSync } from 'node:fs'
import { HeedError, type ChatOptions, type ChatResult, type Session } from 'heed'
import { UsageError } from './arguments.js'
import { readConversation, readText, type Messages, type Model } from './files.js'
import { chatCommands } from './help.js'
import { type KindName, manyOf, type MediaFile, type Medium, readMedium } from './media.js'
import { partOf, withAddresses, withFiles } from './media-messages.js'
import { tell, write, writeStyled, writeText } from './output.js'

export class Conversation {
  readonly #model: Model
  readonly #session: Session | undefined
  #options: ChatOptions
  /** The messages without the system message. */
  #messages: Messages = []
  /** The images and sounds for the next message. */
  #media: readonly Medium[] = []
  #answering?: AbortController
  #last?: ChatResult
  system?: string

  /** `session` is undefined for a model that writes by unmasking, which reads the whole text each time. */
  constructor(model: Model, session: Session | undefined, options: ChatOptions) {
    this.#model = model
    this.#session = session
    this.#options = options
  }

  /** Stops the current answer; returns whether there was one. */
  stop(): boolean {
    this.#answering?.abort()
    return this.#answering !== undefined
  }

  /** Continues a saved conversation. */
  async load(path: string): Promise<void> {
    const [first, ...rest] = await withFiles(readConversation(path, readText(path)).messages, path, this.#model)
    const isSystem = first?.role === 'system' && typeof first.content === 'string'
    this.system = isSystem ? (first.content as string) : undefined
    this.#messages = isSystem || !first ? rest : [first, ...rest]
  }

  /** Adds an image or a sound to the next message. */
  async add(file: MediaFile): Promise<void> {
    this.#media = [...this.#media, await readMedium(file, this.#model)]
  }

  /** Handles a line, which is a message or a command. */
  async take(line: string): Promise<'exit' | void> {
    if (line.trim() === '') return
    if (!line.startsWith('/') || line.startsWith('//')) return this.#answer(line.replace(/^\/\//, '/'))
    const [, name, rest] = /^\/(\S*)\s*(.*)$/s.exec(line)!
    if (name === 'exit') return 'exit'
    if (!Object.hasOwn(this.#commands, name!)) throw new UsageError(`unknown command '/${name}'; /help lists the commands`)
    await this.#commands[name!]!(rest!.trim())
  }

  readonly #commands: Readonly<Record<string, (rest: string) => void | Promise<void>>> = {
    help: () => {
      write(chatCommands)
    },
    system: rest => {
      this.system = rest === '' ? undefined : rest
      tell(this.system === undefined ? 'no system message' : 'the system message is set')
    },
    image: rest => this.#addOf('image', rest),
    audio: rest => this.#addOf('audio', rest),
    think: rest => {
      const think = { on: true, off: false, auto: undefined }
      if (!Object.hasOwn(think, rest)) throw new UsageError('/think: expected on, off or auto')
      this.#options = { ...this.#options, think: think[rest as keyof typeof think] }
      tell(`reasoning: ${rest}`)
    },
    save: rest => {
      if (rest === '') throw new UsageError('/save: give a file name')
      try {
        writeFileSync(rest, `${JSON.stringify(withAddresses(this.#all), undefined, 2)}\n`)
      } catch (error) {
        throw new HeedError('io', `${rest}: ${(error as Error).message}`)
      }
      tell(`saved ${this.#all.length} messages`)
    },
    load: async rest => {
      if (rest === '') throw new UsageError('/load: give a file name')
      await this.load(rest)
      tell(`loaded ${this.#all.length} messages`)
    },
    clear: () => {
      this.#messages = []
      this.#media = []
      tell('the conversation is cleared')
    },
    tokens: () => {
      const timings = this.#last?.steps.at(-1)?.generation.timings
      const length = this.#session?.length ?? (timings ? timings.promptTokens + timings.generatedTokens : 0)
      const { contextLength } = this.#model.info
      write(`${length} of ${contextLength} tokens, ${Math.round((length / contextLength) * 100)} %\n`)
      if (!timings) return
      const { promptTokens, reusedTokens, generatedTokens, decodeTokensPerSecond } = timings
      const rate = decodeTokensPerSecond.toFixed(1)
      write(`last answer: ${promptTokens - reusedTokens} tokens read, ${generatedTokens} written, ${rate} per second\n`)
    },
  }

  get #all(): Messages {
    return [...(this.system === undefined ? [] : [{ role: 'system' as const, content: this.system }]), ...this.#messages]
  }

  async #addOf(kind: KindName, path: string): Promise<void> {
    if (path === '') throw new UsageError(`/${kind}: give a file name`)
    await this.add({ kind, path })
    tell(`${manyOf(kind)} of the next message: ${this.#media.filter(medium => kind in medium).length}`)
  }

  async #answer(text: string): Promise<void> {
    const media = this.#media.map(partOf)
    const asked = { role: 'user' as const, content: media.length > 0 ? [...media, { type: 'text', text }] : text }
    this.#answering = new AbortController()
    try {
      const chat = (this.#session ?? this.#model).chat([...this.#all, asked], { ...this.#options, signal: this.#answering.signal })
      let isReasoning = false
      for await (const event of chat) {
        if (event.type === 'reasoning' && process.stdout.isTTY) {
          writeStyled(2, event.delta)
          isReasoning = true
        }
        if (event.type === 'notice') tell(event.message)
        if (event.type !== 'text') continue
        if (isReasoning) write('\n\n')
        isReasoning = false
        writeText(event.delta)
      }
      write('\n')
      const { finishReason, messages } = (this.#last = await chat)
      this.#messages = [...this.#messages, asked, ...messages]
      this.#media = []
      if (finishReason === 'abort') tell('stopped')
      if (finishReason === 'length') tell('the answer reached its maximum length')
      if (finishReason === 'context') tell('the context is full; /clear starts over')
    } finally {
      this.#answering = undefined
    }
  }
}
