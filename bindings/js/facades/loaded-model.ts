// Models that a facade is given loaded, and not asked to load.

/** What is wrong with options beside a loaded model, where none is of use; undefined if there are none. */
export function optionBesideModel(options: object): string | undefined {
  const given = Object.entries(options).find(([, value]) => value !== undefined)
  return given && `${given[0]}: the model is loaded by its owner, and takes no options here`
}
