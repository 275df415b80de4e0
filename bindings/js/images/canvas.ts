// Reproduces the pixels that a browser's canvas returns. A canvas stores colors multiplied by their opacity, so the color of a
// fully transparent pixel is lost.

const { fround } = Math
const perByte = fround(1 / 255)

/** The color that a canvas converts each product of a color and this opacity back to, in 32-bit floats as in Chromium. */
function givenBack(opacity: number): Uint8Array {
  const scale = fround(1 / fround(opacity * perByte))
  return Uint8Array.from({ length: opacity + 1 }, (_, product) =>
    toNearest(fround(fround(fround(product * perByte) * scale) * 255)),
  )
}

/** Rounds to nearest, ties to even. */
const toNearest = (value: number) => (value % 1 === 0.5 ? 2 * Math.round(value / 2) : Math.round(value))

/** Replaces the colors of RGBA pixels by the colors that a canvas returns for them, in place. */
export function throughCanvas(data: Uint8Array): void {
  const tables: Uint8Array[] = [Uint8Array.of(0)]
  for (let at = 0; at < data.length; at += 4) {
    const opacity = data[at + 3]!
    if (opacity === 255) continue
    const table = (tables[opacity] ??= givenBack(opacity))
    for (let part = at; part < at + 3; part++) data[part] = table[Math.round((data[part]! * opacity) / 255)]!
  }
}
