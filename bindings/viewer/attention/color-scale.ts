// Maps weights to colors.

export type Color = readonly [red: number, green: number, blue: number]

/** Most weights are small; a square root makes them distinguishable from zero. */
export type Scale = 'square-root' | 'linear'

/** The color strength of a weight, in [0, 1]. */
export function strength(weight: number, scale: Scale): number {
  const share = Math.min(Math.max(weight, 0), 1)
  return scale === 'linear' ? share : Math.sqrt(share)
}

const levels = 256
/** The CSS properties in which the probe has the style sheet's colors, from no attention to full attention (styles/theme.css). */
const properties = ['color', 'backgroundColor', 'borderTopColor', 'borderRightColor', 'borderBottomColor'] as const

/** 256 colors, interpolated from those of the style sheet, from no attention to full attention. */
interface Colors {
  readonly colors: readonly Color[]
  /** The same colors as opaque pixels of an ImageData seen as a Uint32Array. */
  readonly pixels: Uint32Array
}

export interface Ramp extends Colors {
  readonly scale: Scale
}

/** The scale that the user chose, stored on `probe`, a hidden element of the viewer. */
export const scaleOf = (probe: HTMLElement) => probe.dataset.scale as Scale

/** The last result of readRamp, and the CSS colors, as the browser writes them, from which it was interpolated. */
let last: { readonly resolved: string; readonly colors: Colors } | undefined

/** The style sheet's current colors, which the browser resolves on the probe. */
export function readRamp(probe: HTMLElement): Ramp {
  const style = getComputedStyle(probe)
  const colors = properties.map(property => style[property])
  const resolved = colors.join()
  if (last?.resolved !== resolved) last = { resolved, colors: between(colors) }
  return { ...last.colors, scale: scaleOf(probe) }
}

/** Interpolates between CSS colors. A canvas turns them into numbers. */
function between(stops: readonly string[]): Colors {
  const context = new OffscreenCanvas(stops.length, 1).getContext('2d', { willReadFrequently: true })!
  stops.forEach((stop, at) => {
    context.fillStyle = stop
    context.fillRect(at, 0, 1, 1)
  })
  const { data } = context.getImageData(0, 0, stops.length, 1)
  const known = stops.map((_, at) => [data[at * 4]!, data[at * 4 + 1]!, data[at * 4 + 2]!] as const)
  const colors = Array.from({ length: levels }, (_, level) => {
    const at = (level / (levels - 1)) * (known.length - 1)
    const from = Math.min(Math.floor(at), known.length - 2)
    const mixed = (channel: 0 | 1 | 2) => {
      const value = known[from]![channel]
      return Math.round(value + (known[from + 1]![channel] - value) * (at - from))
    }
    return [mixed(0), mixed(1), mixed(2)] as const
  })
  return { colors, pixels: new Uint32Array(Uint8Array.from(colors.flatMap(color => [...color, 255])).buffer) }
}

/** The index of a weight's color in a ramp. */
export const levelOf = (weight: number, scale: Scale): number => Math.round(strength(weight, scale) * (levels - 1))

export const colorOf = ({ colors, scale }: Ramp, weight: number): Color => colors[levelOf(weight, scale)]!

/** The color of a weight as a pixel. */
export const pixelOf = ({ pixels, scale }: Ramp, weight: number): number => pixels[levelOf(weight, scale)]!
