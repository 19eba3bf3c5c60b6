import { type Language, type LocalText, languages, pageLanguage } from '../kernel/language.ts'
import { hintCookies } from '../kernel/wire.ts'

export { type Language, type LocalText, languages }
export const languageNames: Record<Language, string> = { zh: '简体中文', en: 'English', ru: 'Русский' }

const storageKey = 'loggia.language'

/** The language of the page on screen; another one is chosen by the path or kept from before. */
export function detectLanguage(): Language {
  return pageLanguage(location.pathname, localStorage.getItem(storageKey))
}

/** Keeps the choice for the next visit and tells the server through the hint cookie. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(storageKey, language)
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${hintCookies.language}=${language}; path=/; max-age=31536000; samesite=lax`
}

/** Calls `then` when another tab has chosen a language; a language in the path still wins here. */
export function onLanguageChosen(then: (language: Language) => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === storageKey) then(detectLanguage())
  })
}

/** What `Intl` and `<html lang>` take. */
export const localeOf: Record<Language, string> = { zh: 'zh-CN', en: 'en-GB', ru: 'ru-RU' }
