// How much of the machine's memory a page may take, as far as the browser tells.

interface Told {
  readonly userAgent?: string
  readonly deviceMemory?: number
  readonly userAgentData?: {
    readonly platform: string
    readonly brands: readonly { readonly brand: string; readonly version: string }[]
  }
}

/**
 * iOS ends a page that takes more bytes, without an error (https://bugs.webkit.org/show_bug.cgi?id=268816). Recent iPads allow
 * twice as much.
 */
const ofPageOnPhone = 1.5e9

/**
 * The largest value of `deviceMemory`, which stands for all larger ones: 8, and 32 in Chromium from version 147 except on Android
 * (https://groups.google.com/a/chromium.org/g/blink-dev, "Update Device Memory API limits").
 */
function mostTold({ userAgentData }: Told): number {
  const { version = '0' } = userAgentData?.brands.find(({ brand }) => brand === 'Chromium') ?? {}
  return Number(version) >= 147 && userAgentData!.platform !== 'Android' ? 32 : 8
}

/**
 * The machine's memory in bytes; undefined if the browser does not tell. Browsers round it to a power of two: a machine of nearly 6
 * GiB may count as 4.
 */
export function memoryTold(told: Told): number | undefined {
  if (/iP(hone|ad|od)/.test(told.userAgent ?? '')) return ofPageOnPhone
  const { deviceMemory = Infinity } = told
  return deviceMemory < mostTold(told) ? deviceMemory * 1.5 * 2 ** 30 : undefined
}
