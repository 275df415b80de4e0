// Reads SHA-256 checksums from callers.

/** Converts `sha256-` with 64 hexadecimal digits or Base64 (https://www.w3.org/TR/SRI) to hexadecimal; undefined if malformed. */
export function readSum(text: string): string | undefined {
  const [, sum = ''] = /^sha256-(.+)$/.exec(text) ?? []
  if (/^[\da-f]{64}$/i.test(sum)) return sum.toLowerCase()
  if (!/^[\w+/-]{43}=?$/.test(sum)) return undefined
  const bytes = atob(sum.replaceAll('-', '+').replaceAll('_', '/'))
  return Array.from(bytes, byte => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}
