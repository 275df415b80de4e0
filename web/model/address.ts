// Parses the address of a model file as users paste it: a URL, or a file on a hub such as hf:OWNER/REPOSITORY:Q4_K_M.

/** Matches the path of a hub's page about a file, which has /blob/ where the path of the file itself has /resolve/. */
const aboutFile = /^(\/[^/]+\/[^/]+\/)blob(\/[^/]+\/.+)$/

/** The URL of the file, resolved against this page; hf: addresses are unchanged. Throws a TypeError if `text` is invalid. */
export function fileAddress(text: string): string {
  if (text.trim().startsWith('hf:')) return text.trim()
  const url = new URL(text.trim(), location.href)
  if (url.hostname !== 'github.com') url.pathname = url.pathname.replace(aboutFile, '$1resolve$2')
  return url.href
}

/** The file name in an address, or the whole address if it has none. */
export function fileName(address: string): string {
  const name = new URL(address, location.href).pathname.split('/').pop()!
  if (name === '') return address
  try {
    return decodeURIComponent(name)
  } catch {
    // a % that is not part of an escape sequence
    return name
  }
}
