// What the engine has made for calls, and must outlive.

interface Freeable {
  /** Frees the object in the engine's memory; whatever is then called of it throws. */
  delete(): void
}

export class Lent {
  readonly #all = new Set<Freeable>()

  /** Returns the object. */
  lend<Type extends Freeable>(object: Type): Type {
    this.#all.add(object)
    return object
  }

  /** Frees it, unless all have been. */
  giveBack(object: Freeable): void {
    if (this.#all.delete(object)) object.delete()
  }

  /** Frees all. A call that still has one fails when it goes on. To be called before the engine is freed. */
  freeAll(): void {
    for (const object of this.#all) object.delete()
    this.#all.clear()
  }
}
