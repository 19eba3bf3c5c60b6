import { languageKeyOf } from '../../../../kernel/field-words.ts'

interface Written {
  defaultLang?: string
  appAdapters?: string
  grandChildType?: number
}

const devicesOf = (adapters: string) => [...new Set(adapters.split(',').map(Number))]

/** What the field calls differently, as the app has it; everything else stays as it is called. */
export function inOwnWords<W extends Written>({ defaultLang, appAdapters, grandChildType, ...same }: W) {
  return {
    ...same,
    defaultLang: defaultLang === undefined ? undefined : languageKeyOf(defaultLang),
    deviceTypes: appAdapters === undefined ? undefined : devicesOf(appAdapters),
    kindMainTag: grandChildType,
  }
}

/** The same of an app that is to be made. */
export function newApp<W extends Written & { appName: string; defaultLang: string; appAdapters: string }>(wish: W) {
  const { appName, ...fields } = wish
  const { defaultLang, appAdapters } = wish
  return {
    ...inOwnWords(fields),
    name: appName,
    defaultLang: languageKeyOf(defaultLang),
    deviceTypes: devicesOf(appAdapters),
  }
}
