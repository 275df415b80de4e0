// Reads an image file as pixels: its central square, which models that stretch and models that crop treat alike.

/** The largest side in pixels; the model would only scale a larger image down. */
const mostSide = 768

/** Rejects if the browser cannot read the file as an image. */
export async function readPicture(file: Blob): Promise<ImageData> {
  const bitmap = await createImageBitmap(file)
  try {
    const { width, height } = bitmap
    const cut = Math.min(width, height)
    const side = Math.min(cut, mostSide)
    const context = new OffscreenCanvas(side, side).getContext('2d')!
    context.fillStyle = 'white' // transparent pixels become white
    context.fillRect(0, 0, side, side)
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, (width - cut) / 2, (height - cut) / 2, cut, cut, 0, 0, side, side)
    return context.getImageData(0, 0, side, side)
  } finally {
    bitmap.close()
  }
}
