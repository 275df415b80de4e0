// JavaScript glue for a test: the real one, but with a change to each module that it makes, such as to a method of its engine.

/** The glue's script; `change` is code that finds the module in `module`. */
export const changedGlue = (script, change) => `${script}
;(() => {
  const create = globalThis.heedGlue
  if (!create) return  // in a thread
  globalThis.heedGlue = async settings => {
    const module = await create(settings)
    ${change}
    return module
  }
})()
`
