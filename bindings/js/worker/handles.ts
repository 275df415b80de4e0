// Tracks the Embind objects that calls use, so that they are deleted before the engine.

interface Freeable {
  /** Frees the object in the engine's memory; later calls of its methods throw. */
  delete(): void
}

export class Handles {
  readonly #all = new Set<Freeable>()

  /** Returns the object. */
  track<Type extends Freeable>(object: Type): Type {
    this.#all.add(object)
    return object
  }

  /** Frees the object, unless all have been freed. */
  free(object: Freeable): void {
    if (this.#all.delete(object)) object.delete()
  }

  /** Frees all objects. A call that still uses one then fails. Must be called before the engine is freed. */
  freeAll(): void {
    for (const object of this.#all) object.delete()
    this.#all.clear()
  }
}
