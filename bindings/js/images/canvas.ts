// Pixels as the canvas of a browser gives them. It multiplies colors by their opacity, so nothing hides under transparent pixels.

const { fround } = Math
const perByte = fround(1 / 255)

/** What comes back of each product of a color and an opacity, in the 32-bit floats of Chromium. */
function givenBack(opacity: number): Uint8Array {
  const scale = fround(1 / fround(opacity * perByte))
  return Uint8Array.from({ length: opacity + 1 }, (_, product) =>
    toNearest(fround(fround(fround(product * perByte) * scale) * 255)),
  )
}

/** Of two that are as near, the even one. */
const toNearest = (value: number) => (value % 1 === 0.5 ? 2 * Math.round(value / 2) : Math.round(value))

/** Colors through that product and back, in place; each has its opacity behind it. */
export function throughCanvas(data: Uint8Array): void {
  const tables: Uint8Array[] = [Uint8Array.of(0)]
  for (let at = 0; at < data.length; at += 4) {
    const opacity = data[at + 3]!
    if (opacity === 255) continue
    const table = (tables[opacity] ??= givenBack(opacity))
    for (let part = at; part < at + 3; part++) data[part] = table[Math.round((data[part]! * opacity) / 255)]!
  }
}
