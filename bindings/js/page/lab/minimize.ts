// L-BFGS (Nocedal and Wright, Numerical Optimization, algorithms 7.4 and 3.1) for smooth, strictly convex functions.

/** The number of past steps from which the curvature is estimated, and the number of steps after which `minimize` gives up. */
const remembered = 20,
  mostSteps = 5000

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0)

/** Returns the least value and where it is. `value` also writes the gradient; `pause` is awaited before each step. */
export async function minimize(
  start: Float64Array,
  value: (point: Float64Array, gradient: Float64Array) => number,
  pause: () => Promise<void>,
): Promise<{ least: number; at: Float64Array }> {
  let point = start
  let gradient = new Float64Array(start.length)
  let least = value(point, gradient)
  const steps: { step: Float64Array; change: Float64Array; weight: number }[] = []
  for (let count = 0; count < mostSteps; count++) {
    await pause()
    const size = Math.sqrt(dot(gradient, gradient))
    if (size <= 1e-12 * (1 + Math.abs(least))) break
    const direction = gradient.map(one => -one)
    const factors = [...steps].reverse().map(({ step, change, weight }) => {
      const factor = dot(step, direction) * weight
      direction.forEach((one, index) => (direction[index] = one - factor * change[index]!))
      return factor
    })
    const last = steps.at(-1)
    const scale = last ? 1 / (last.weight * dot(last.change, last.change)) : 1 / size
    direction.forEach((one, index) => (direction[index] = one * scale))
    for (const { step, change, weight } of steps) {
      const back = factors.pop()! - dot(change, direction) * weight
      direction.forEach((one, index) => (direction[index] = one + back * step[index]!))
    }
    const slope = dot(gradient, direction)
    if (!(slope < 0)) break
    let length = 1
    const next = new Float64Array(start.length)
    const nextGradient = new Float64Array(start.length)
    let reached = least
    for (let tries = 0; tries < 60; tries++, length /= 2) {
      point.forEach((one, index) => (next[index] = one + length * direction[index]!))
      reached = value(next, nextGradient)
      if (reached <= least + 1e-4 * length * slope) break
    }
    if (!(reached < least)) break // no step decreases the value at this precision
    const step = next.map((one, index) => one - point[index]!)
    const change = nextGradient.map((one, index) => one - gradient[index]!)
    const curvature = dot(step, change)
    if (curvature > 0) steps.push({ step, change, weight: 1 / curvature })
    if (steps.length > remembered) steps.shift()
    point = next
    gradient = nextGradient
    least = reached
  }
  return { least, at: point }
}
