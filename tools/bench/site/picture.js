// Images for the benchmark: PNG files with different pixels, so that no engine has one in its cache.

/** Smooth colors, with a line that is unique to the image. */
export function picture({ side, number }) {
  const canvas = new OffscreenCanvas(side, side)
  const context = canvas.getContext('2d')
  const pixels = context.createImageData(side, side)
  for (let at = 0; at < side * side; at++) {
    const [x, y] = [at % side, Math.floor(at / side)]
    pixels.data.set([128 + 100 * Math.sin(x / 40), 128 + 100 * Math.sin(y / 25), (x + y) % 256, 255], 4 * at)
  }
  context.putImageData(pixels, 0, 0)
  context.fillRect(0, (16 * number) % side, side, 8)
  return canvas.convertToBlob()
}
