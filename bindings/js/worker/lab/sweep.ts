// The handler of sweeps: one text under many edits, each made of another text's values, of zeros or of means. Texts are read once; what
// an edit cannot change is not computed again, and several cells share a pass (DecoderRun::vary).
import { HeedError, refuse } from '../../wire/errors.js'
import type { Call, WirePrompt } from '../../wire/protocol.js'
import { namesOf } from '../characters.js'
import type { DecoderRun, EngineEdit, EnginePoint } from '../engine.js'
import { change, changesOf } from '../changes.js'
import { type CallState, checkGoesOn, type Handler, type Host, runPass } from '../host.js'
import { leastOf, read } from '../reading.js'
import { checkFits, idsOf, placesOf } from '../handlers/tokens.js'
import { type Axes, axesOf, type Cell, cellsOf } from './cells.js'
import { type Measure, measureOf } from './metric.js'
import { heldPoints, sent } from './paths.js'
import { pointsOf } from './points.js'
import { all, averaged, isAlike, type Recorded, recordedBy, restored, zeroed } from './recorded.js'

type Sweep = Extract<Call, { type: 'sweep' }>

/** A text that has been read: the run that variants start from, the recorded values, and the logits at the metric's position. */
interface Read extends Recorded {
  reading: DecoderRun
  logits: Float32Array
}

/**
 * The edits of a cell. With `via`, these are the edits of a first run; a second run sets the receiver's values at `via` to those of
 * the first. A cell without edits has the value of the base text; undefined for a cell without a value.
 */
type Plan = { edits: EngineEdit[]; via?: EnginePoint } | undefined

const cellsAtATime = 8

export const sweep: Handler<'sweep'> = async (host, state, call) => {
  const { engine } = host
  const { architecture, decoderStart } = host.info
  if (decoderStart !== undefined) throw new HeedError('unsupported', `sweep: ${architecture}: only for decoders alone`)
  const clean = idsFor(host, call, 'clean', call.clean)
  const corrupted = call.corrupted === undefined ? undefined : idsFor(host, call, 'corrupted', call.corrupted)
  if (corrupted && corrupted.length !== clean.length)
    throw refuse(`sweep: the texts have ${clean.length} and ${corrupted.length} tokens, but need the same number`)
  const texts = call.texts.map((text, index) => idsFor(host, call, `texts[${index}]`, text))
  const [position] = placesOf(host, 'sweep: metric', [call.metric.position ?? -1], clean, 'position') as [number]
  const points = pointsOf(engine)
  const axes = axesOf(call, host.info, points, clean)
  const { path } = call
  const held = path && heldPoints(points, axes.depth, path)
  const finalScale = path?.norms === 'frozen' ? points.get('final.scale') : undefined
  const own = [...axes.points.values(), ...(held ?? []).flatMap(({ heads, mlp, norms }) => [heads, mlp, ...norms]), finalScale]
  const watched = [...new Set(own.flatMap(point => point?.point ?? []))]
  const states = all(axes.depth)
    .map(layer => `resid.${layer}`)
    .filter(name => !watched.includes(name))

  // Nothing is recorded before the first swept position, so a cached prefix of the text will do.
  const swept = path ? undefined : axes.indices[axes.over.indexOf('position')]
  const begin = swept ? Math.min(position, leastOf(swept)) : 0

  let first: Read
  const measure = measureOf(host, call.metric, () => first.logits)
  const { tokens } = measure
  const readings: DecoderRun[] = []
  const readText = (ids: number[], names: readonly string[], from = 0) =>
    host.reading.run(async (): Promise<Read> => {
      checkGoesOn(state)
      const reading = host.handles.track(engine.read())
      readings.push(reading)
      change(reading, await changesOf(host, state, call), ids)
      if (names.length > 0) reading.watch({ what: 'points', points: names }, ids.length, 0)
      let logits: Float32Array | undefined
      const { vocabulary } = host.info
      await read(
        host,
        state,
        reading,
        ids,
        from > 0 ? reading.reuse(ids, from) : 0,
        (_, end) => (end > position ? Math.min(position, end) : end),
        (first, end, rows) => {
          if (first > position || position >= end) return
          logits = rows.slice((position - first) * vocabulary, (position - first + 1) * vocabulary)
          if (tokens.length > 0) logits = Float32Array.from(tokens, token => logits![token]!)
        },
      )
      return { reading, ...recordedBy(reading, ids.length), logits: logits! }
    })
  try {
    const isBaseClean = call.base === 'clean'
    const ofBase = [...states, ...watched]
    first = await readText(clean, isBaseClean ? ofBase : watched, begin)
    const second = corrupted && (await readText(corrupted, isBaseClean ? watched : ofBase, begin))
    const [base, other] = isBaseClean ? [first, second] : [second!, first]
    const means =
      call.ablate === 'mean' ? await meansOf(host, state, texts, axes, ids => readText(ids, watched), readings) : undefined
    const shape = {
      tokens: namesOf(isBaseClean ? clean : corrupted!, part => engine.detokenize(part, true, false)),
      indices: axes.indices,
      clean: measure.of(first.logits),
      ...(second ? { corrupted: measure.of(second.logits) } : {}),
    }
    const post = (values: number[]) => host.post({ type: 'swept', id: state.id, ...shape, values })
    post([])
    const everywhere = all(clean.length)
    const plan = (cell: Cell): Plan => {
      const point = axes.points.get(cell.layer)
      if (path && held) {
        const until = path.to === 'logits' ? axes.depth - 1 : path.to[0]
        if (!held[cell.layer]?.heads || !points.has(`head.${cell.layer}`) || (path.to !== 'logits' && cell.layer >= until))
          return undefined
        const edits = sent(
          base,
          other!,
          held,
          [cell.layer, cell.head!],
          until,
          everywhere,
          path.to === 'logits' ? finalScale : undefined,
        )
        return { edits, via: path.to === 'logits' ? undefined : axes.receiver }
      }
      if (!point) return undefined
      const positions = cell.position === undefined ? everywhere : [cell.position]
      if (call.ablate === 'zero') return { edits: [zeroed(point, clean.length, positions, cell.head)] }
      if (means) return { edits: [averaged(means.get(point.point)!, point, positions, cell.head)] }
      const changed = positions.filter(at => !isAlike(base, other!, point, at, cell.head))
      return { edits: changed.length > 0 ? [restored(other!, point, changed, cell.head)] : [] }
    }
    const cells = cellsOf(axes).slice(call.done)
    for (let at = 0; at < cells.length; at += cellsAtATime) {
      const plans = cells.slice(at, at + cellsAtATime).map(plan)
      post(await host.reading.run(() => valuesOf(host, state, base, plans, measure, position, path?.to)))
    }
    return shape
  } finally {
    for (const reading of readings) host.handles.free(reading)
  }
}

function idsFor(host: Host, { addSpecial, parseSpecial }: Sweep, name: string, text: WirePrompt): number[] {
  const ids = checkFits(host, idsOf(host.engine, text, { addSpecial, parseSpecial }))
  if (ids.length === 0) throw refuse(`sweep: ${name}: the text has no tokens`)
  return ids
}

/** The values of cells; NaN where there is no plan. */
async function valuesOf(
  host: Host,
  state: CallState,
  base: Read,
  plans: readonly Plan[],
  measure: Measure,
  position: number,
  to: 'logits' | readonly [number, number] | undefined,
): Promise<number[]> {
  const wanted = plans.filter(plan => plan !== undefined && plan.edits.length > 0) as NonNullable<Plan>[]
  const via = wanted[0]?.via
  const run = async (variants: EngineEdit[][], asked?: { what: 'points'; points: string[] }) => {
    const made: NonNullable<ReturnType<DecoderRun['vary']>> = []
    while (made.length < variants.length)
      for (const one of await runPass(host, state, () =>
        base.reading.vary(variants.slice(made.length), position, measure.tokens, asked),
      ))
        made.push(one)
    return made
  }
  let variants = wanted.map(({ edits }) => edits)
  if (via && to && to !== 'logits') {
    const found = await run(variants, { what: 'points', points: [via.point] })
    const positions = all(position + 1)
    variants = found.map(({ values }) => [
      restored({ tokens: position + 1, at: new Map([[via.point, values!]]) }, via, positions, to[1]),
    ])
  }
  const values = (await run(variants)).map(({ logits }) => measure.of(logits))
  return plans.map(plan => (!plan ? NaN : plan.edits.length === 0 ? measure.of(base.logits) : values.shift()!))
}

/** The means of the swept points over all positions of the texts. */
async function meansOf(
  host: Host,
  state: CallState,
  texts: readonly number[][],
  axes: Axes,
  readText: (ids: number[]) => Promise<Read>,
  readings: DecoderRun[],
): Promise<Map<string, Float64Array>> {
  const sums = new Map([...axes.points.values()].map(({ point, parts, width }) => [point, new Float64Array(parts * width)]))
  let rows = 0
  for (const ids of texts) {
    checkGoesOn(state)
    const { reading, at } = await readText(ids)
    for (const [point, sum] of sums) at.get(point)!.forEach((value, index) => (sum[index % sum.length]! += value))
    rows += ids.length
    host.handles.free(reading)
    readings.splice(readings.indexOf(reading), 1)
  }
  for (const sum of sums.values()) sum.forEach((value, index) => (sum[index] = value / rows))
  return sums
}
