// A sweep's table, and what it shows in a sentence.

export interface Swept {
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** Whether the columns are heads; otherwise, they are tokens. */
  readonly isOfHeads: boolean
  /** The metric of each cell, row by row, and the share of it that is restored: 0 as in the other text, 1 as in this one. */
  readonly values: Float64Array
  readonly shares: Float64Array
}

/** The column that restores most in a row; undefined if none restores a tenth. */
function bestOf({ columns, shares }: Swept, row: number): number | undefined {
  const own = shares.subarray(row * columns.length, (row + 1) * columns.length)
  const best = own.reduce((most, share, column) => (share > own[most]! || Number.isNaN(own[most]!) ? column : most), 0)
  return own[best]! >= 0.1 ? best : undefined
}

/** Says where most is restored: the head, or the token, or the tokens of the first and the last layers that restore something. */
export function summaryOf(swept: Swept): string {
  const { rows, columns, shares, isOfHeads } = swept
  const best = rows.map((_, row) => bestOf(swept, row))
  const of = (row: number) => shares[row * columns.length + best[row]!]!
  const found = [...rows.keys()].filter(row => best[row] !== undefined)
  const [first, last] = [found[0], found.at(-1)]
  if (first === undefined || last === undefined) return 'no cell alone restores a tenth of it.'
  const most = found.reduce((one, row) => (of(row) > of(one) ? row : one))
  if (isOfHeads || best[first] === best[last])
    return `${rows[most]!.toLowerCase()}, ${columns[best[most]!]!.toLowerCase()} restores most of it (${of(most).toFixed(2)}).`
  const until = found.findLast((_, index) => found.slice(0, index + 1).every(other => best[other] === best[first]))!
  return `at ${columns[best[first]!]} up to ${rows[until]!.toLowerCase()}, and in the end at ${columns[best[last]!]}.`
}
