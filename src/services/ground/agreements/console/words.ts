import { useTranslation } from 'react-i18next'
import { type Language, localeOf } from '../../../../console/language.ts'
import { countryCodes, languageKeys } from '../../regions/contract.ts'
import { everywhere, languageKeyOf } from '../rules.ts'

/** What the pages say of languages and countries, in the language on screen. */
export function useWords() {
  const { t, i18n } = useTranslation('ground/agreements')
  const language = (i18n.resolvedLanguage ?? 'zh') as Language
  const named = (type: 'language' | 'region', code: string) => {
    const name = new Intl.DisplayNames([localeOf[language]], { type }).of(code) ?? code
    return name.charAt(0).toLocaleUpperCase(localeOf[language]) + name.slice(1)
  }
  const country = (code: string) => (code === everywhere ? t('country.everywhere') : named('region', code))
  const tongue = (key: string) => named('language', tagOf(key))
  const byLabel = (a: { label: string }, b: { label: string }) => a.label.localeCompare(b.label, localeOf[language])
  return {
    language,
    /** The key of the texts to ask for. */
    languageKey: languageKeyOf[language],
    country,
    tongue,
    countries: () => [
      { value: everywhere, label: country(everywhere) },
      ...countryCodes.map(value => ({ value, label: country(value) })).sort(byLabel),
    ],
    tongues: () => languageKeys.map(value => ({ value: value as string, label: tongue(value) })).sort(byLabel),
  }
}

/** `zhCN` as browsers name it: for names and for `lang`. */
export function tagOf(key: string): string {
  if (key === 'zhCN') return 'zh-Hans'
  const [, language = key, region] = /^([a-z]{2,3})([A-Z]{2}|\d{3})?$/.exec(key) ?? []
  if (key === 'enUS' || key === 'ruRU' || key === 'deDE') return language
  return region === undefined ? language : `${language}-${region}`
}
