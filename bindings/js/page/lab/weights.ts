// Tensors of the model's file.
import type { WeightTensor } from '../../types/index.js'
import { readText } from '../readers.js'
import type { Desk } from './desk.js'
import { readLabOptions } from './options.js'

export async function weights({ connection }: Desk, name: string, options: unknown): Promise<WeightTensor> {
  const { rows, signal } = readLabOptions('weights', options)
  return connection.call({ type: 'weights', name: readText('weights', name), rows }, { signal })
}
