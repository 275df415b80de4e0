// Seeds for who names none: integers from 0 to 2^53 - 1.
export function randomSeed(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2)) as unknown as [number, number]
  return (high & 0x1fffff) * 2 ** 32 + low
}
