// An observable value, which calls its watchers on each change. All state that modules share is in observables.

export class Observable<Value> {
  readonly #readers = new Set<(value: Value) => void>()
  #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  get value(): Value {
    return this.#value
  }

  set value(value: Value) {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const read of this.#readers) read(value)
  }

  /** Calls `read` with the current value, and again whenever it changes. */
  watch(read: (value: Value) => void): void {
    this.#readers.add(read)
    read(this.#value)
  }
}
