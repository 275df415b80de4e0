// A file's picture as pixels: the square in its middle, which models that squeeze and models that crop see alike.

/** More would only be scaled down again by the model. */
const mostSide = 768

/** Rejects where the file is no picture that the browser can read. */
export async function readPicture(file: Blob): Promise<ImageData> {
  const bitmap = await createImageBitmap(file)
  try {
    const { width, height } = bitmap
    const cut = Math.min(width, height)
    const side = Math.min(cut, mostSide)
    const context = new OffscreenCanvas(side, side).getContext('2d')!
    context.fillStyle = 'white'  // behind what is transparent
    context.fillRect(0, 0, side, side)
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, (width - cut) / 2, (height - cut) / 2, cut, cut, 0, 0, side, side)
    return context.getImageData(0, 0, side, side)
  } finally {
    bitmap.close()
  }
}
