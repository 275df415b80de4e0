// Files as data: addresses, in which conversations hold them.

export const urlOf = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })

/** The file of a data: address of at most this length, with its type; undefined for other addresses. */
export function fileAt(url: unknown, longest: number): Blob | undefined {
  const [, type, packed] =
    typeof url === 'string' && url.length <= longest ? (/^data:(\w+\/[\w.+-]+);base64,([\w+/=]*)$/.exec(url) ?? []) : []
  if (packed === undefined) return undefined
  try {
    const binary = atob(packed)
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at)
    return new Blob([bytes], { type })
  } catch {
    return undefined
  }
}
