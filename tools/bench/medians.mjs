// The medians of several runs.

/** The median of each figure, also in nested objects. Values that are not numbers come from the first run. */
export function medians(runs) {
  const [first] = runs
  if (typeof first === 'number') {
    const sorted = runs.toSorted((a, b) => a - b)
    const middle = sorted.length >> 1
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
  if (typeof first !== 'object' || first === null) return first
  return Object.fromEntries(Object.keys(first).map(key => [key, medians(runs.map(run => run[key]))]))
}
