import i18next from 'i18next'
import { type Language, localeOf } from './language.ts'

/** The language on screen. */
export const shownLanguage = (): Language => (i18next.resolvedLanguage ?? 'zh') as Language

/** The same for `Intl`. */
export const shownLocale = (): string => localeOf[shownLanguage()]

/** A BCP 47 tag in the words of the language on screen; the tag itself where the browser knows none. */
export function languageName(tag: string): string {
  const name = new Intl.DisplayNames([shownLocale()], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(shownLocale()) + name.slice(1)
}

/** A country by its ISO code in the words of the language on screen. */
export const countryName = (code: string): string =>
  new Intl.DisplayNames([shownLocale()], { type: 'region' }).of(code) ?? code
