// The options of each call, as the contract in api/ has them.
import { loadContract, optionsOf } from '../../tools/contract/load.mjs'

export async function contractOptions() {
  const { calls } = await loadContract()
  return Object.fromEntries(Object.entries(calls).flatMap(([name, { options }]) => (options ? [[name, optionsOf(options)]] : [])))
}
