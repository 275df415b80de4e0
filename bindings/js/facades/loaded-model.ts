// Checks for facades that take a loaded model instead of a source.

/** An error text for load options beside a loaded model, where they have no effect; undefined if there are none. */
export function optionBesideModel(options: object): string | undefined {
  const given = Object.entries(options).find(([, value]) => value !== undefined)
  return given && `${given[0]}: the model is loaded by its owner, and takes no options here`
}
