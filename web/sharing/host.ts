// Where a model comes from: what comes from elsewhere is loaded only if the user wants it.

/** The host that a model comes from; undefined if that is the page's own. */
export function foreignHost(address: string): string | undefined {
  if (address.startsWith('hf:')) return 'huggingface.co'
  const { origin, host } = new URL(address, location.href)
  return origin === location.origin ? undefined : host
}
