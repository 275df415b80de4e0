// Time zones as people and small models name them: by the city only, or with the wrong continent before it.

/** A name without case, accents and word separators: "São Paulo" equals "Sao_Paulo". */
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^\p{Letter}]/gu, '')
    .toLowerCase()

const cityOf = (name: string) => plain(name.slice(name.lastIndexOf('/') + 1))

/**
 * The zone of this name in the IANA database (https://www.iana.org/time-zones) or, if there is none, the one of its city:
 * `New York` and `Asia/New_York` are America/New_York. Any other name is returned as it is.
 */
export function zoneNamed(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    const city = cityOf(name)
    return Intl.supportedValuesOf('timeZone').find(zone => cityOf(zone) === city) ?? name
  }
}
