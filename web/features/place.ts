// Places in a model in words, where its points have names such as resid_post.5.

const words: Readonly<Record<string, (layer: string) => string>> = {
  resid_pre: layer => `the state before layer ${layer}`,
  resid_mid: layer => `the state between attention and MLP of layer ${layer}`,
  resid_post: layer => `the state after layer ${layer}`,
  attn_out: layer => `what attention adds in layer ${layer}`,
  mlp_out: layer => `what the MLP of layer ${layer} adds`,
  z: layer => `what the heads of layer ${layer} bring`,
}

/** A point in words; layers count from 1. */
export function placeInWords(point: string): string {
  const [, kind, layer] = /^(\w+)\.(\d+)$/.exec(point) ?? []
  if (layer === undefined) return point
  const count = `${Number(layer) + 1}`
  return words[kind!]?.(count) ?? `values of layer ${count}`
}
