// The seed if none is given: a random integer from 0 to 2^53 - 1.
export function randomSeed(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2)) as unknown as [number, number]
  return (high & 0x1fffff) * 2 ** 32 + low
}
