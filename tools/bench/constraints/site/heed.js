// Heed's constraints as the engine's worker uses them: the package's module, through the worker's own wrapper.
import { ConstraintModule } from './constraint-module.js'

/** Resolves to a function of a vocabulary: {texts: in the format of bindings/constraints, tokens: their number, ends: ids}. */
export async function open() {
  const compiled = await WebAssembly.compileStreaming(fetch('heed-constraints.wasm'))
  return ({ texts, tokens }) => {
    const module = new ConstraintModule(compiled, texts, tokens)
    return schema => {
      const { constraint } = module.make({ notation: 'schema', text: schema })
      return {
        begin() {
          const text = module.begin(constraint)
          return {
            mask: () => told(text, text.mask()),
            accept: token => told(text, text.accept(token)),
            end: () => text.end(),
          }
        },
        drop: () => module.drop(constraint),
      }
    }
  }
}

function told(text, result) {
  if (result === null) throw new Error(text.failure)
  return result
}
