// Reads lines from a terminal or a pipe while answers are written, and handles Ctrl-C.
import { createInterface, type Interface } from 'node:readline'
import { tell } from './output.js'

export class Lines {
  readonly #interface: Interface
  readonly #waiting: string[] = []
  #isOver = false
  #wake = () => {}
  /** Whether Ctrl-C ended the input. */
  isInterrupted = false
  /** Whether Ctrl-C was the last input. */
  #isWarned = false

  /** `stop` is called on Ctrl-C, and returns whether there was anything to stop. */
  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream, stop: () => boolean) {
    this.#interface = createInterface(input.isTTY ? { input, output, terminal: true } : { input, crlfDelay: Infinity })
    const interrupt = () => {
      if (stop()) return
      if (input.isTTY && (!this.#isWarned || this.#interface.line !== '')) return this.#warn()
      this.isInterrupted = true
      this.close()
    }
    this.#interface.on('line', line => {
      this.#isWarned = false
      this.#waiting.push(line)
      this.#wake()
    })
    this.#interface.on('close', () => {
      this.#isOver = true
      this.#wake()
    })
    this.#interface.on('SIGINT', interrupt) // a terminal in raw mode sends no signal
    process.on('SIGINT', interrupt)
  }

  /** The next line; undefined after the last one. */
  async next(prompt: string): Promise<string | undefined> {
    if (prompt !== '' && !this.#isOver) {
      this.#interface.setPrompt(prompt)
      this.#interface.prompt()
    }
    while (this.#waiting.length === 0 && !this.#isOver)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    return this.isInterrupted ? undefined : this.#waiting.shift()
  }

  close(): void {
    this.#interface.close()
    process.stdin.pause()
  }

  /** Clears the input line. Only a second Ctrl-C quits, because the first may have been meant for an answer that had just ended. */
  #warn(): void {
    this.#isWarned = true
    tell('\nPress Ctrl-C again to quit, or Ctrl-D, or type /exit')
    this.#interface.write(null, { ctrl: true, name: 'e' })
    this.#interface.write(null, { ctrl: true, name: 'u' })
    this.#interface.prompt()
  }
}
