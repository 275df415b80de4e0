// What the engine's worker gets when it is first needed.

/** A function that gets something once. A failure may pass: the next call tries again. */
export function later<Result>(get: () => Promise<Result>): () => Promise<Result> {
  let getting: Promise<Result> | undefined
  return () =>
    (getting ??= get().catch((error: unknown) => {
      getting = undefined
      throw error
    }))
}
