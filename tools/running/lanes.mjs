// Runs tasks with dependencies side by side: in each of three lanes one at a time, each with half of the cores.
import { availableParallelism } from 'node:os'

const cores = availableParallelism()
/**
 * One more than needed to keep the cores busy: for about a quarter of the time, a suite waits for a browser, a server or a delay.
 */
const lanes = cores < 2 ? 1 : 3
const share = Math.max(1, Math.floor(cores / 2))

/**
 * Runs `tasks`, {name: {needs, light, run}}, each after the tasks that it needs, otherwise in the order of the list. `run(jobs,
 * values, name)` gets the number of cores that it may use (half of them, or all if nothing else is left to run), and the results of
 * the tasks that it needs. A `light` task mostly waits for a network, and takes no lane. Resolves to {name: {value, error, ms}}
 * when all have ended; if a task fails, those that need it fail, too, without being run. Once `signal` is aborted, it resolves to
 * those that have ended.
 */
export async function runInLanes(tasks, signal) {
  const results = {}
  const waiting = new Map(Object.entries(tasks))
  let busy = 0
  const running = new Set()
  const stopped = new Promise(resolve => signal?.addEventListener('abort', resolve, { once: true }))

  const isReady = ({ needs = [] }) => needs.every(name => name in results)
  const failed = ({ needs = [] }) => needs.find(name => results[name].error)

  async function start(name, task) {
    waiting.delete(name)
    const broken = failed(task)
    if (broken) {
      results[name] = { error: new Error(`needs "${broken}", which failed`), ms: 0 }
      return
    }
    if (!task.light) busy++
    const alone = busy === 1 && ![...waiting.values()].some(({ light }) => !light)
    const begin = performance.now()
    try {
      const values = Object.fromEntries((task.needs ?? []).map(need => [need, results[need].value]))
      const value = await task.run(alone ? cores : share, values, name)
      results[name] = { value, ms: performance.now() - begin }
    } catch (error) {
      results[name] = { error, ms: performance.now() - begin }
    }
    if (!task.light) busy--
  }

  while (!signal?.aborted && (waiting.size > 0 || running.size > 0)) {
    for (const [name, task] of waiting) {
      if (!isReady(task) || (!task.light && busy >= lanes)) continue
      const run = start(name, task).finally(() => running.delete(run))
      running.add(run)
    }
    if (running.size === 0 && waiting.size > 0) throw new Error(`needs in a circle, or unknown: ${[...waiting.keys()].join(', ')}`)
    await Promise.race([...running, stopped])
  }
  return { ...results }
}
