// Seeds: integers from 0 to 2^53 - 1.

/** A random seed, used if none is given. */
export function randomSeed(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2)) as unknown as [number, number]
  return (high & 0x1fffff) * 2 ** 32 + low
}

/** A seed for any integer, as other interfaces allow; an integer that is already a seed is unchanged. */
export function seedOf(integer: number): number {
  const rest = integer % 2 ** 53
  return rest < 0 ? rest + 2 ** 53 : rest
}

/** The seed that comes `index` seeds after `seed`; the largest seed is followed by 0. */
export function laterSeed(seed: number, index: number): number {
  const left = Number.MAX_SAFE_INTEGER - seed
  return index <= left ? seed + index : index - left - 1
}
