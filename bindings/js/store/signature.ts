// Removes signatures, which grant temporary access, from addresses: the files of the store then reveal no access, and a model is
// found again under a newer signature.

/**
 * The parameters of signatures of Amazon S3 and CloudFront, Google Cloud Storage, and others; Azure's count only beside a `sig`.
 */
const signing = /^(x-(amz|goog)-.*|signature|expires|policy|key-pair-id|(aws|google)access(key)?id|(access_)?token|sig)$/i
const ofAzure = /^s([eprtv]|pr|k(oid|tid|[tesv]))$/i

/** An address without its signature. */
export function unsigned(address: string): string {
  const at = address.indexOf('?')
  if (at < 0) return address
  const pairs = address.slice(at + 1).split('&')
  const nameOf = (pair: string) => pair.split('=', 1)[0]!
  const isAzure = pairs.some(pair => nameOf(pair) === 'sig')
  const left = pairs.filter(pair => !signing.test(nameOf(pair)) && !(isAzure && ofAzure.test(nameOf(pair))))
  return address.slice(0, at) + (left.length > 0 ? `?${left.join('&')}` : '')
}
