// The default image, drawn in code, so that there is something to show: a boat on the sea under the sun.

const drawingSide = 448

export function drawBoat(): ImageData {
  const context = new OffscreenCanvas(drawingSide, drawingSide).getContext('2d')!
  const fill = (style: string | CanvasGradient, path: () => void) => {
    context.fillStyle = style
    context.beginPath()
    path()
    context.fill()
  }
  const polygon =
    (...corners: [x: number, y: number][]) =>
    () =>
      corners.forEach(corner => context.lineTo(...corner))
  const between = (top: number, bottom: number, ...colors: string[]) => {
    const gradient = context.createLinearGradient(0, top, 0, bottom)
    colors.forEach((color, index) => gradient.addColorStop(index / (colors.length - 1), color))
    return gradient
  }

  fill(between(0, 280, '#5f9fd0', '#cfe3ea', '#fbe7c3'), () => context.rect(0, 0, 448, 280))
  fill('#ffd35c', () => context.arc(352, 92, 40, 0, 2 * Math.PI))
  fill('#ffffff', () => {
    for (const [x, y, size] of [
      [70, 76, 22],
      [98, 66, 28],
      [128, 78, 20],
    ] as const) {
      context.moveTo(x + size, y)
      context.arc(x, y, size, 0, 2 * Math.PI)
    }
  })
  fill('#7d9a6b', () => {
    context.moveTo(0, 282)
    context.quadraticCurveTo(60, 196, 150, 282)
  })
  fill(between(278, 448, '#3d86a8', '#174a68'), () => context.rect(0, 278, 448, 170))
  fill('#7fb6cd', () => {
    for (let row = 0; row < 5; row++) {
      for (let x = ((row * 37) % 80) - 40; x < 448; x += 96) context.rect(x, 306 + row * 28, 44, 3)
    }
  })
  fill('#8a3b1e', polygon([150, 312], [318, 312], [290, 352], [180, 352]))
  fill('#4a2412', () => context.rect(230, 150, 7, 162))
  fill('#fffaf0', polygon([242, 156], [242, 298], [318, 298]))
  fill('#e8643c', polygon([226, 172], [226, 298], [164, 298]))
  return context.getImageData(0, 0, drawingSide, drawingSide)
}
