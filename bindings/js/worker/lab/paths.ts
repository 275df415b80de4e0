// Path patching (arXiv:2211.00593): the effect of one head on another head's query, key or value, or on the logits, along the path
// that passes through no other head.
import type { WirePath } from '../../wire/sweep.js'
import type { EngineEdit, EnginePoint } from '../engine.js'
import { type Recorded, restored } from './recorded.js'

/** The points of a layer whose values are held fixed; a layer may lack any of them. */
export interface HeldPoints {
  heads?: EnginePoint
  mlp?: EnginePoint
  /** The divisors of norms, in the order of a layer: before and after attention, before and after the feed-forward block. */
  norms: readonly (EnginePoint | undefined)[]
}

/** The points held fixed in each layer: heads always, the MLP and the norms' divisors only if they are frozen. */
export function heldPoints(points: ReadonlyMap<string, EnginePoint>, layers: number, { mlps, norms }: WirePath): HeldPoints[] {
  return Array.from({ length: layers }, (_, layer) => {
    const find = (...names: string[]) => names.map(name => points.get(name.replace('L', `${layer}`))).find(Boolean)
    const scales = ['attn.L.scale', 'attn.L.post_scale', 'mlp.L.scale', 'mlp.L.post_scale']
    return {
      heads: find('head.L', 'gate.L.out'),
      mlp: mlps === 'frozen' ? find('mlp.L.out') : undefined,
      norms: norms === 'frozen' ? scales.map(name => find(name)) : [],
    }
  })
}

/**
 * The edits of the first run: the sender has its values from the other text, every other head keeps its values from the base text,
 * and frozen points are held.
 */
export function sent(
  base: Recorded,
  other: Recorded,
  held: readonly HeldPoints[],
  [layer, head]: readonly [number, number],
  until: number,
  positions: readonly number[],
  finalScale?: EnginePoint,
): EngineEdit[] {
  const edits = [restored(other, held[layer]!.heads!, positions, head)]
  const hold = (point: EnginePoint | undefined) => {
    if (point) edits.push(restored(base, point, positions))
  }
  held.slice(0, until + 1).forEach(({ heads, mlp, norms }, at) => {
    if (at < layer) return // below the sender, nothing has changed
    const [before, ...after] = norms
    if (at > layer) {
      hold(before)
      hold(heads)
    }
    after.forEach(hold)
    hold(mlp)
  })
  hold(finalScale)
  return edits
}
