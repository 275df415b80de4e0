// From a weight to its colour. Most weights are small, and a square root keeps them apart from nothing.

export type Colour = readonly [red: number, green: number, blue: number]

/** How strongly a weight in [0, 1] is shown, in [0, 1]. */
const strength = (weight: number) => Math.sqrt(Math.min(Math.max(weight, 0), 1))

const levels = 256
const stops = [0, 1, 2, 3, 4].map(stop => `var(--heed-heat-${stop})`)

/** 256 colours between those of the style sheet, from nothing to all. */
export type Ramp = readonly Colour[]

/** `probe` is an element of the viewer that is not shown: the browser says what a colour comes to there. */
export function readRamp(probe: HTMLElement): Ramp {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
  const colours = stops.map(stop => {
    probe.style.color = stop
    context.fillStyle = getComputedStyle(probe).color
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
    return [red!, green!, blue!] as const
  })
  return Array.from({ length: levels }, (_, level) => {
    const at = level / (levels - 1) * (colours.length - 1)
    const from = Math.min(Math.floor(at), colours.length - 2)
    const between = (channel: 0 | 1 | 2) => {
      const value = colours[from]![channel]
      return Math.round(value + (colours[from + 1]![channel] - value) * (at - from))
    }
    return [between(0), between(1), between(2)]
  })
}

/** What of a ramp a weight is shown with: its colours, or what was made of them. */
export const levelOf = <Level>(ramp: readonly Level[], weight: number): Level =>
  ramp[Math.round(strength(weight) * (ramp.length - 1))]!

export const colourOf = (ramp: Ramp, weight: number): Colour => levelOf(ramp, weight)
