import { fieldsOf, guarded } from '../readers/aab-messages.ts'
import { type Budget, bodies, FIELD_LIMIT } from '../readers/aab-resources.ts'

/** A split beside the base: what decides who gets it, and the configurations of resources that lie in it, as aapt2 names them. */
export interface PlannedSplit {
  /** The name that Android knows it by. */
  split: string
  density: number | null
  language: string | null
  configs: string[]
}

/** What the resources of a bundle differ in that a device can leave out. */
export interface ResourceKinds {
  densities: number[]
  /** BCP 47. */
  locales: string[]
}

/** Every one is signed by a program of its own; where there are more, all stay in the base. */
const LANGUAGE_LIMIT = 150
/** Pictures for any screen, or never scaled. */
const UNSCALED = 0xfff0
const LOCALE = 3
const DENSITY = 18
const SDK_VERSION = 24
const densityNames: Readonly<Record<number, string>> = {
  120: 'ldpi',
  160: 'mdpi',
  213: 'tvdpi',
  240: 'hdpi',
  320: 'xhdpi',
  480: 'xxhdpi',
  640: 'xxxhdpi',
}

/**
 * The densities and languages of a resources.pb that resources differ in by nothing else. Icons of the launcher are left
 * out: it wants them larger than the screen asks for, so they stay in the base. Throws MessageFormatError.
 */
export function resourceKindsOf(bytes: Buffer): ResourceKinds {
  const densities = new Set<number>()
  const locales = new Set<string>()
  const budget = { left: FIELD_LIMIT }
  guarded('ResourceTable', () => {
    for (const config of configsOf(bytes, budget)) {
      const fields = [...fieldsOf(config, budget)]
      // The tools write the version from which a qualifier is known beside it.
      const others = fields.filter(one => one.id !== SDK_VERSION)
      const [only] = others
      if (others.length !== 1 || !only) continue
      if (only.id === DENSITY && only.number > 0 && only.number < UNSCALED) densities.add(only.number)
      if (only.id === LOCALE && only.body) locales.add(Buffer.from(only.body).toString('utf8'))
    }
  })
  return { densities: [...densities].sort((a, b) => a - b), locales: [...locales].sort() }
}

function* configsOf(bytes: Buffer, budget: Budget): Generator<Buffer> {
  for (const pack of bodies(bytes, 2, budget)) {
    for (const type of bodies(pack, 3, budget)) {
      const isMipmap = [...bodies(type, 2, budget)].some(name => name.toString('utf8') === 'mipmap')
      if (isMipmap) continue
      for (const entry of bodies(type, 3, budget)) {
        for (const variant of bodies(entry, 6, budget)) yield* bodies(variant, 1, budget)
      }
    }
  }
}

/** The splits that those resources are worth: one a language with all its regions, one a density where there are two. */
export function planOf({ densities, locales }: ResourceKinds): PlannedSplit[] {
  const byLanguage = new Map<string, string[]>()
  for (const locale of locales) {
    const config = configOfLocale(locale)
    const language = locale.split('-')[0]?.toLowerCase() ?? ''
    if (config !== null) byLanguage.set(language, [...(byLanguage.get(language) ?? []), config])
  }
  const languages = byLanguage.size > LANGUAGE_LIMIT ? [] : [...byLanguage]
  const screens = densities.length < 2 ? [] : densities
  return [
    ...screens.map(density => ({ density, language: null, configs: [densityNames[density] ?? `${density}dpi`] })),
    ...languages.map(([language, configs]) => ({ density: null, language, configs })),
  ].map(one => ({ split: nameOf(one.configs), ...one }))
}

/** `de`, `de-AT`, `zh-Hant-TW` as a qualifier of resources; null for what is none. */
function configOfLocale(locale: string): string | null {
  const parts = locale.split('-')
  if (!/^[a-z]{2,3}$/i.test(parts[0] ?? '') || parts.some(part => !/^[A-Za-z0-9]{2,8}$/.test(part))) return null
  const [language = '', region] = parts
  if (parts.length === 1) return language
  if (parts.length === 2 && /^[A-Za-z]{2}$/.test(region ?? '')) return `${language}-r${region}`
  return `b+${parts.join('+')}`
}

/** As aapt2 names the split in its manifest. */
const nameOf = (configs: readonly string[]) => `config.${configs.join('_').replaceAll(/[^A-Za-z0-9]/g, '_')}`

/** The name of a split with the libraries of a processor. */
export const librarySplitOf = (abi: string) => `config.${abi.replaceAll('-', '_')}`

/** What a manifest of a set says of itself. */
export interface PartManifest {
  package: string
  versionCode: string | null
  split: string | null
  isSplitRequired: boolean
}

/** Why Android would not install these together; null when it would. */
export function setProblem(parts: readonly PartManifest[]): string | null {
  const bases = parts.filter(one => one.split === null)
  const [base] = bases
  if (!base || bases.length > 1) return `it has ${bases.length} bases`
  const names = parts.map(one => one.split)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return `${twice} is there twice`
  const other = parts.find(one => one.package !== base.package || one.versionCode !== base.versionCode)
  if (other)
    return `${other.split} is of ${other.package} ${other.versionCode}, not ${base.package} ${base.versionCode}`
  if (base.isSplitRequired && parts.length === 1) return 'its base needs splits, and there are none'
  return null
}
