// Images at addresses for which there is no network: `data:` and `blob:`.

export const isLocal = (address: string): boolean => /^(data|blob):/i.test(address)

/** What is at a local address. Throws a TypeError if it is not sound, or nothing is there. */
export async function blobAt(address: string, signal?: AbortSignal): Promise<Blob> {
  if (/^data:/i.test(address)) return dataAt(address)
  return (await fetch(address, { signal })).blob()
}

/** Not fetched, because policies of pages (`connect-src`) may forbid that. */
function dataAt(address: string): Blob {
  const comma = address.indexOf(',')
  if (comma < 0) throw new TypeError('the address has no data')
  const [, type, base64] = /^data:(.*?)(;\s*base64)?$/is.exec(address.slice(0, comma))!
  const binary = address.slice(comma + 1).replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return new Blob([base64 ? bytesOf(binary) : Uint8Array.from(binary, character => character.charCodeAt(0))], { type })
}

/** The bytes that Base64 stands for. Throws a TypeError. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  let binary: string
  try {
    binary = atob(base64)
  } catch (cause) {
    throw new TypeError('the data are not Base64', { cause })
  }
  return Uint8Array.from(binary, character => character.charCodeAt(0))
}
