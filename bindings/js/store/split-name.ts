// The names of a model's parts: NAME-00001-of-00005.gguf, as llama.cpp's gguf-split writes them.

export interface SplitName {
  /** From 1. */
  number: number
  count: number
  /** The name, or the address, of another part. */
  of(number: number): string
  /** What the set is called. */
  title: string
}

const pattern = /-(\d{5})-of-(\d{5})(\.gguf(?:[?#].*)?)$/i
const digits = (number: number) => String(number).padStart(5, '0')

/** What a file's name, path or address says of the set that it is in, if it is in one. */
export function splitName(name: string): SplitName | undefined {
  const [all, number, count, end] = pattern.exec(name) ?? []
  if (!all || Number(count) < 2 || Number(number) < 1 || Number(number) > Number(count)) return undefined
  const start = name.slice(0, -all.length)
  return {
    number: Number(number), count: Number(count), title: start + end,
    of: other => `${start}-${digits(other)}-of-${count}${end}`,
  }
}

/** The addresses of all parts of the set that a file is in; of a file that is in none, its own. */
export function allParts(name: string): string[] {
  const split = splitName(name)
  return split ? Array.from({ length: split.count }, (_, index) => split.of(index + 1)) : [name]
}

/** The last part of an address or path, without what is asked of the server. */
export function fileName(address: string): string {
  const name = address.split(/[?#]/, 1)[0]!.split(/[/\\]/).at(-1)!
  try {
    return decodeURIComponent(name) || address
  } catch {
    return name
  }
}
