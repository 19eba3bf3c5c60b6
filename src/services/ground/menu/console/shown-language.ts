import { useTranslation } from 'react-i18next'
import { type Language, localeOf } from '../../../../console/language.ts'

/** The language on screen; what operators write has words in each of them. */
export function useLanguage(): Language {
  const { i18n } = useTranslation('ground/menu')
  return (i18n.resolvedLanguage ?? 'zh') as Language
}

export const languageTag = (language: Language) => localeOf[language]

/** A language's name in the language on screen. */
export function languageWord(language: Language, shown: Language): string {
  const tag = language === 'zh' ? 'zh-Hans' : language
  const name = new Intl.DisplayNames([localeOf[shown]], { type: 'language' }).of(tag) ?? language
  return name.charAt(0).toLocaleUpperCase(localeOf[shown]) + name.slice(1)
}
