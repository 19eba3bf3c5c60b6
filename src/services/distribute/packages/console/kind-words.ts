import i18next from 'i18next'
import { ns } from './package-words.ts'

type Words = 'bundleTypes' | 'releaseTypes' | 'moduleTypes' | 'deliveries' | 'quickTypes' | 'subsystems' | 'slots'

/** What a package says in its own words, in the language on screen; a word that is new to us stands as it is. */
export function wordOf(kind: Words, word: string): string {
  const t = i18next.getFixedT(null, ns)
  return t(`kind.${kind}.${word}`, { defaultValue: word })
}

/** `Release`, `Beta1`, `Canary2`: a kind of release and which of them. */
export function releaseWord(release: string): string {
  const [, word = release, number = ''] = /^([A-Za-z]+)(\d*)$/.exec(release) ?? []
  return [wordOf('releaseTypes', word), number].filter(Boolean).join(' ')
}

export function deviceTypeWord(type: string): string {
  return i18next.getFixedT(null, ns)(`phones.deviceTypes.${type}`, { defaultValue: type })
}

export function deviceTypeWords(types: readonly string[]): string {
  return types.map(deviceTypeWord).join(', ')
}
