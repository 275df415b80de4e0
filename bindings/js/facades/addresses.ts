// Reads images at addresses that need no network: `data:` and `blob:`.

export const isLocal = (address: string): boolean => /^(data|blob):/i.test(address)

/** The contents of a local address. Throws a TypeError for a malformed address, or if nothing is there. */
export async function blobAt(address: string, signal?: AbortSignal): Promise<Blob> {
  if (/^data:/i.test(address)) return dataAt(address)
  return (await fetch(address, { signal })).blob()
}

/** Decoded here, because a page's policy (`connect-src`) may forbid fetching it. */
function dataAt(address: string): Blob {
  const comma = address.indexOf(',')
  if (comma < 0) throw new TypeError('the address has no data')
  const [, type, base64] = /^data:(.*?)(;\s*base64)?$/is.exec(address.slice(0, comma))!
  const text = address.slice(comma + 1)
  const bytes = base64 && !text.includes('%') ? bytesOf(text) : unescaped(text)
  return new Blob([base64 && text.includes('%') ? bytesOf(new TextDecoder().decode(bytes)) : bytes], { type })
}

// An image may have megabytes of characters: a loop over them is many times faster than calling a function for each.

const latin1 = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** The value of a hexadecimal digit; NaN for another character. */
const digit = (code = 0) =>
  code >= 48 && code <= 57 ? code - 48 : (code | 32) >= 97 && (code | 32) <= 102 ? (code | 32) - 87 : Number.NaN

/** Decodes bytes, some of which are written as %XX. */
function unescaped(text: string): Uint8Array<ArrayBuffer> {
  const bytes = latin1(text)
  let to = 0
  for (let at = 0; at < text.length; at++) {
    const byte = bytes[at] === 0x25 ? digit(bytes[at + 1]) * 16 + digit(bytes[at + 2]) : Number.NaN
    bytes[to++] = Number.isNaN(byte) ? bytes[at]! : byte
    if (!Number.isNaN(byte)) at += 2
  }
  return bytes.slice(0, to)
}

/** The bytes of Base64 text. Throws a TypeError. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return latin1(atob(base64))
  } catch (cause) {
    throw new TypeError('the data are not Base64', { cause })
  }
}
