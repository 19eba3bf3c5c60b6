/** What decides who gets a package of a set: all but one are null, and all of the base's. */
export interface SplitTarget {
  abi: string | null
  /** Of a screen, in dots per inch. */
  density: number | null
  /** Of BCP 47, without script and region. */
  language: string | null
}

/** A device, as far as it decides what it installs together. */
export interface SplitDevice {
  /** The one it likes best first; empty when it does not say. */
  abis: readonly string[]
  density: number
  /** BCP 47: every language that its people read. */
  languages: readonly string[]
}

/** Android goes on naming the resources of three languages by codes that are no longer given. */
const formerCodes: Readonly<Record<string, string>> = { iw: 'he', in: 'id', ji: 'yi' }

const tongueOf = (language: string): string => {
  const tongue = language.split(/[-_]/)[0]?.toLowerCase() ?? ''
  return formerCodes[tongue] ?? tongue
}

/**
 * The packages of a set that a device installs together, in their order: the base, the libraries for the processor it
 * likes best, the pictures of the next density that is no lower than its own, the texts of its languages. Null when there
 * are libraries and none are for it, or when there is no set.
 */
export function partsFor<Part extends SplitTarget>(set: readonly Part[], device: SplitDevice): Part[] | null {
  if (set.length === 0) return null
  const abis = set.flatMap(part => part.abi ?? [])
  const abi = device.abis.find(one => abis.includes(one)) ?? null
  if (abis.length > 0 && abi === null) return null
  const densities = set.flatMap(part => part.density ?? []).sort((a, b) => a - b)
  const density = densities.find(one => one >= device.density) ?? densities.at(-1) ?? null
  const tongues = new Set(device.languages.map(tongueOf))
  return set.filter(part => {
    if (part.abi !== null) return part.abi === abi
    if (part.density !== null) return part.density === density
    return part.language === null || tongues.has(tongueOf(part.language))
  })
}
