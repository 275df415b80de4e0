// CommonJS has types of its own, and a model of one kind is none of the other.
import { loadModel } from 'heed'
import { heed } from 'heed/ai-sdk'

export const model = async () => heed(await loadModel())
