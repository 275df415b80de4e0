// The address of a model's file, as people paste it, or its place on a hub: hf:OWNER/REPOSITORY:Q4_K_M.

/** A hub's address of the page about a file, which has /blob/ where that of the file itself has /resolve/. */
const aboutFile = /^(\/[^/]+\/[^/]+\/)blob(\/[^/]+\/.+)$/

/** The address of the file. What is relative is so to this page. Throws a TypeError for what is no address. */
export function fileAddress(text: string): string {
  if (text.trim().startsWith('hf:')) return text.trim()
  const url = new URL(text.trim(), location.href)
  if (url.hostname !== 'github.com') url.pathname = url.pathname.replace(aboutFile, '$1resolve$2')
  return url.href
}

/** The name of the file at an address, or the address itself where it has none. */
export function fileName(address: string): string {
  const name = new URL(address, location.href).pathname.split('/').pop()!
  if (name === '') return address
  try {
    return decodeURIComponent(name)
  } catch {  // a % that stands for itself
    return name
  }
}
