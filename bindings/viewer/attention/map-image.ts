// Exports the heat map as a PNG, with a background, a margin and a title.

const margin = 24
const titleHeight = 30

/** `canvas` is the heat map in the viewer, whose font and text color the title takes; `paper` is the background color. */
export async function imageOf(canvas: HTMLCanvasElement, title: string, paper: string): Promise<Blob> {
  const scale = devicePixelRatio
  const { color, fontFamily } = getComputedStyle(canvas)
  const image = document.createElement('canvas')
  const context = image.getContext('2d')!
  const font = `600 ${14 * scale}px ${fontFamily}`
  context.font = font
  const width = Math.max(canvas.width, context.measureText(title).width)
  image.width = width + 2 * margin * scale
  image.height = canvas.height + (2 * margin + titleHeight) * scale
  context.fillStyle = paper
  context.fillRect(0, 0, image.width, image.height)
  context.font = font
  context.fillStyle = color
  context.textBaseline = 'top'
  context.fillText(title, margin * scale, margin * scale)
  context.drawImage(canvas, margin * scale, (margin + titleHeight) * scale)
  const blob = await new Promise<Blob | null>(resolve => { image.toBlob(resolve, 'image/png') })
  if (!blob) throw new Error('The browser could not create a picture of the heat map')
  return blob
}
