// Comparing texts by their tokens.

type Ids = readonly { readonly id: number }[]

export const areSame = (one: Ids, other: Ids): boolean =>
  one.length === other.length && one.every(({ id }, index) => id === other[index]!.id)
