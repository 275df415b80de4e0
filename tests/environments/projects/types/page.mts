import { loadModel, type Model } from 'heed/in-thread'
import { isolate, type IsolateOptions } from 'heed/isolation'

const options: IsolateOptions = { serviceWorker: 'heed-isolation.js' }

export async function start(): Promise<Model> {
  const isolated: boolean = await isolate(options)
  return loadModel(undefined, { contextLength: isolated ? 512 : 256 })
}
