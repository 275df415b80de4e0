// From a weight to its colour. Most weights are small, and a square root keeps them apart from nothing.

export type Colour = readonly [red: number, green: number, blue: number]

/** How strongly a weight in [0, 1] is shown, in [0, 1]. */
export const strength = (weight: number) => Math.sqrt(Math.min(Math.max(weight, 0), 1))

const levels = 256

/** The colours of the heat map, from nothing to all: steps through --heat-0, --heat-1, ... of the styles. */
export function readRamp(): readonly Colour[] {
  const style = getComputedStyle(document.documentElement)
  const stops: Colour[] = []
  for (let stop; (stop = style.getPropertyValue(`--heat-${stops.length}`).trim()) !== '';) {
    stops.push(stop.split(/\s+/).map(Number) as unknown as Colour)
  }
  return Array.from({ length: levels }, (_, level) => {
    const at = level / (levels - 1) * (stops.length - 1)
    const from = Math.min(Math.floor(at), stops.length - 2)
    return stops[from]!.map((value, channel) =>
      Math.round(value + (stops[from + 1]![channel]! - value) * (at - from))) as unknown as Colour
  })
}

export const colourOf = (ramp: readonly Colour[], weight: number): Colour =>
  ramp[Math.round(strength(weight) * (ramp.length - 1))]!

/** Calls `redraw` when the page turns dark or light. */
export const watchTheme = (redraw: () => void) =>
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw)
