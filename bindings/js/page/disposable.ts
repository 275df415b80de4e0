// Makes classes usable with `await using`, if the platform supports it.

/** `await using model = await loadModel()` then calls the `dispose` of the class at the end of its block. */
export function makeDisposable({ prototype }: { readonly prototype: AsyncDisposable & { dispose(): Promise<void> } }): void {
  if (Symbol.asyncDispose)
    Object.defineProperty(prototype, Symbol.asyncDispose, {
      value() {
        return this.dispose()
      },
    })
}
