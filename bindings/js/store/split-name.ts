// Names of the parts of a split model: NAME-00001-of-00005.gguf, as llama.cpp's gguf-split writes them.

export interface SplitName {
  /** The number of the part, from 1. */
  number: number
  count: number
  /** The name or URL of another part. */
  of(number: number): string
  /** The name of the whole model. */
  title: string
}

const pattern = /-(\d{5})-of-(\d{5})(\.gguf(?:[?#].*)?)$/i
const digits = (number: number) => String(number).padStart(5, '0')

/** Parses a file name, path or URL; undefined if it does not name a part. */
export function splitName(name: string): SplitName | undefined {
  const [all, number, count, end] = pattern.exec(name) ?? []
  if (!all || Number(count) < 2 || Number(number) < 1 || Number(number) > Number(count)) return undefined
  const start = name.slice(0, -all.length)
  return {
    number: Number(number),
    count: Number(count),
    title: start + end,
    of: other => `${start}-${digits(other)}-of-${count}${end}`,
  }
}

/** The names of all parts of a model, given one of them; for other files, only the given name. */
export function allParts(name: string): string[] {
  const split = splitName(name)
  return split ? Array.from({ length: split.count }, (_, index) => split.of(index + 1)) : [name]
}

/** The last segment of a URL or path, decoded, without query and fragment. */
export function fileName(address: string): string {
  const name = address.split(/[?#]/, 1)[0]!.split(/[/\\]/).at(-1)!
  try {
    return decodeURIComponent(name) || address
  } catch {
    return name
  }
}
