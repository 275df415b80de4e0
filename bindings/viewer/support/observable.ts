// A value that tells its readers when it changes: all the state that parts of the page share is one of these.

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

  /** Calls `read` with the value as it is now and whenever it changes. */
  watch(read: (value: Value) => void): void {
    this.#readers.add(read)
    read(this.#value)
  }
}
