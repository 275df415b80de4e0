// Maps weights to colors. Most weights are small; a square root makes them distinguishable from zero.

export type Color = readonly [red: number, green: number, blue: number]

/** The color strength of a weight, in [0, 1]. */
const strength = (weight: number) => Math.sqrt(Math.min(Math.max(weight, 0), 1))

const levels = 256
const stops = [0, 1, 2, 3, 4].map(stop => `var(--heed-heat-${stop})`)

/** 256 colors, interpolated from those of the style sheet, from no attention to full attention. */
export type Ramp = readonly Color[]

/** `probe` is a hidden element of the viewer, on which the browser resolves the style sheet's colors. */
export function readRamp(probe: HTMLElement): Ramp {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
  const colors = stops.map(stop => {
    probe.style.color = stop
    context.fillStyle = getComputedStyle(probe).color
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
    return [red!, green!, blue!] as const
  })
  return Array.from({ length: levels }, (_, level) => {
    const at = level / (levels - 1) * (colors.length - 1)
    const from = Math.min(Math.floor(at), colors.length - 2)
    const between = (channel: 0 | 1 | 2) => {
      const value = colors[from]![channel]
      return Math.round(value + (colors[from + 1]![channel] - value) * (at - from))
    }
    return [between(0), between(1), between(2)]
  })
}

/** The entry of a ramp for a weight. Entries are colors, or values derived from them. */
export const levelOf = <Level>(ramp: readonly Level[], weight: number): Level =>
  ramp[Math.round(strength(weight) * (ramp.length - 1))]!

export const colorOf = (ramp: Ramp, weight: number): Color => levelOf(ramp, weight)
