// Path patching (arXiv:2211.00593): the effect of one head on another one's query, key or value, or on the logits, by the path that
// leads through no other head.
import type { WirePath } from '../../wire/sweep.js'
import type { EngineEdit, EnginePoint } from '../engine.js'
import { type Recorded, restored } from './recorded.js'

/** The points by which all else is held, by layer; a layer may lack each. */
export interface HeldPoints {
  heads?: EnginePoint
  mlp?: EnginePoint
  /** In the order of a layer: before attention, after it, before the feed-forward block, after it. */
  norms: readonly (EnginePoint | undefined)[]
}

/** The points that are held in the layers of a model: divisors only if norms are frozen, and so on. */
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

/** The edits of the first run: the sender from the other text, every other head as it is in the base text, and what is frozen. */
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
    if (at < layer) return // nothing has changed there
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
