// Loads parts of the engine's worker on demand.

/** A function that loads a value once. After a failure, the next call tries again. */
export function later<Result>(get: () => Promise<Result>): () => Promise<Result> {
  let getting: Promise<Result> | undefined
  return () =>
    (getting ??= get().catch((error: unknown) => {
      getting = undefined
      throw error
    }))
}
