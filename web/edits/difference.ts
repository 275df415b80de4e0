// The common parts of two lists, in order.

/** Whether each item of the two is part of their longest common subsequence. */
export function commonOf<Item>(one: readonly Item[], other: readonly Item[]): [boolean[], boolean[]] {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint32Array(other.length + 1)) // of the remaining items
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      lengths[i]![j] = one[i] === other[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
    }
  }
  const common: [boolean[], boolean[]] = [one.map(() => false), other.map(() => false)]
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i] === other[j]) common[0][i++] = common[1][j++] = true
    else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++
    else j++
  }
  return common
}
