// Errors of the AI SDK. The SDK recognizes errors by symbols, even those that other code makes, so the SDK is not imported.

const family = 'vercel.ai.error'

function sdkError(name: string, message: string, about: object): Error {
  const error = Object.assign(new Error(message), about, { name: `AI_${name}` })
  for (const mark of [family, `${family}.AI_${name}`]) Object.defineProperty(error, Symbol.for(mark), { value: true })
  return error
}

export const unsupported = (functionality: string): Error =>
  sdkError('UnsupportedFunctionalityError', `'${functionality}' functionality not supported by heed.`, { functionality })

export const invalidArgument = (argument: string, message: string): Error =>
  sdkError('InvalidArgumentError', `Invalid argument for parameter ${argument}: ${message}`, { argument })

export function downloadFailed(url: string, cause: unknown): Error {
  const shown = url.length > 80 ? `${url.slice(0, 80)}...` : url
  return sdkError('DownloadError', `Failed to download ${shown}: ${(cause as Error)?.message ?? cause}`, { url, cause })
}

export const noSuchModel = (modelId: string, modelType: string): Error =>
  sdkError('NoSuchModelError', `No such ${modelType}: ${modelId}`, { modelId, modelType })
