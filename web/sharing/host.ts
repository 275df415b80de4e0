// The origin of a model: models from elsewhere are loaded only with the user's consent.

/** The host of a model; undefined if it is the page's own. */
export function foreignHost(address: string): string | undefined {
  if (address.startsWith('hf:')) return 'huggingface.co'
  const { origin, host } = new URL(address, location.href)
  return origin === location.origin ? undefined : host
}
