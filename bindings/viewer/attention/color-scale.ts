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
const stops = [0, 1, 2, 3, 4].map(stop => `var(--heed-heat-${stop})`)

export interface Ramp {
  /** 256 colors, interpolated from those of the style sheet, from no attention to full attention. */
  readonly colors: readonly Color[]
  readonly scale: Scale
}

/** The scale that the user chose. `probe` is a hidden element of the viewer, which holds it. */
export const scaleOf = (probe: HTMLElement) => probe.dataset.scale as Scale

/** The browser resolves the style sheet's colors on the probe. */
export function readRamp(probe: HTMLElement): Ramp {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
  const resolved = stops.map(stop => {
    probe.style.color = stop
    context.fillStyle = getComputedStyle(probe).color
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
    return [red!, green!, blue!] as const
  })
  const colors = Array.from({ length: levels }, (_, level) => {
    const at = level / (levels - 1) * (resolved.length - 1)
    const from = Math.min(Math.floor(at), resolved.length - 2)
    const between = (channel: 0 | 1 | 2) => {
      const value = resolved[from]![channel]
      return Math.round(value + (resolved[from + 1]![channel] - value) * (at - from))
    }
    return [between(0), between(1), between(2)] as const
  })
  return { colors, scale: scaleOf(probe) }
}

/** The index of a weight's color in a ramp. */
export const levelOf = (weight: number, scale: Scale): number => Math.round(strength(weight, scale) * (levels - 1))

export const colorOf = ({ colors, scale }: Ramp, weight: number): Color => colors[levelOf(weight, scale)]!
