import { hintCookies } from '../kernel/wire.ts'

export const languages = ['zh', 'en', 'ru'] as const
export type Language = (typeof languages)[number]
export const languageNames: Record<Language, string> = { zh: '简体中文', en: 'English', ru: 'Русский' }

/** A title in every language the console speaks; the compiler refuses a page that lacks one. */
export type LocalText = Readonly<Record<Language, string>>

const storageKey = 'loggia.language'
const isLanguage = (value: unknown): value is Language => languages.includes(value as Language)

/** The path wins (`/ru/`, `/en/`), else what the person chose before, else Chinese (specification, section 2). */
export function detectLanguage(path = location.pathname, stored = localStorage.getItem(storageKey)): Language {
  if (path.includes('/ru/')) return 'ru'
  if (path.includes('/en/')) return 'en'
  return isLanguage(stored) ? stored : 'zh'
}

/** Keeps the choice for the next visit and tells the server through the hint cookie. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(storageKey, language)
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${hintCookies.language}=${language}; path=/; max-age=31536000; samesite=lax`
}

/** What `Intl` and `<html lang>` take. */
export const localeOf: Record<Language, string> = { zh: 'zh-CN', en: 'en-GB', ru: 'ru-RU' }
