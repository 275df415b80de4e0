// A queue for several tabs: a limited number of tasks run at a time, and the tabs take turns.

export class Turns {
  readonly #most: () => number
  readonly #waiting = new Map<string, { id: number; start: () => void }[]>()
  readonly #running = new Set<number>()

  constructor(most: () => number) {
    this.#most = most
  }

  add(tab: string, id: number, start: () => void): void {
    const queue = this.#waiting.get(tab)
    if (queue) queue.push({ id, start })
    else this.#waiting.set(tab, [{ id, start }])
    this.#next()
  }

  /** Removes a waiting task; returns whether it was waiting. */
  cancel(id: number): boolean {
    for (const [tab, queue] of this.#waiting) {
      const at = queue.findIndex(one => one.id === id)
      if (at < 0) continue
      queue.splice(at, 1)
      if (queue.length === 0) this.#waiting.delete(tab)
      return true
    }
    return false
  }

  ended(id: number): void {
    if (this.#running.delete(id)) this.#next()
  }

  #next(): void {
    while (this.#running.size < this.#most() && this.#waiting.size > 0) {
      const [tab, queue] = this.#waiting.entries().next().value!
      const { id, start } = queue.shift()!
      this.#waiting.delete(tab)
      if (queue.length > 0) this.#waiting.set(tab, queue) // the tab queues again, after all other tabs
      this.#running.add(id)
      start()
    }
  }
}
