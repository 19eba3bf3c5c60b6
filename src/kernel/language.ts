/** The languages of the console. Stored, and sent by the embedded app mode, Chinese is `cn`. */
export const languages = ['zh', 'en', 'ru'] as const
export type Language = (typeof languages)[number]

/** A text in every language of the console. */
export type LocalText = Readonly<Record<Language, string>>

/**
 * The language to show (specification, sections 5 and 9): one that is not supported falls back to English. The embedded
 * app mode takes exactly cn, en and ru; without a wish it speaks Chinese there and English elsewhere.
 */
export function languageOf(wanted: string | undefined, mode: { isApp: boolean }): Language {
  if (wanted === undefined || wanted === '') return mode.isApp ? 'zh' : 'en'
  if (wanted === 'cn') return 'zh'
  if (mode.isApp) return wanted === 'ru' ? 'ru' : 'en'
  const base = /^(zh|en|ru)(?:[-_A-Z]|$)/.exec(wanted)?.[1]
  return (base as Language | undefined) ?? 'en'
}

/** The language a path says: Russian where it contains `/ru/`, English where `/en/` (specification, section 2). */
export function languageOfPath(path: string): Language | undefined {
  if (path.includes('/ru/')) return 'ru'
  return path.includes('/en/') ? 'en' : undefined
}

/**
 * The language of a page (specification, section 2): its path decides, else what was chosen before, else Chinese. What
 * was stored and is not supported is English.
 */
export function pageLanguage(path: string, stored: string | null | undefined): Language {
  return languageOfPath(path) ?? (stored ? languageOf(stored, { isApp: false }) : 'zh')
}

/** How the analytics name a page (specification, section 2), by the language it is shown in. */
const analyticsNames: LocalText = {
  zh: 'consumer/cn/service/josp/agc',
  en: 'consumer/en/service/josp/agc',
  ru: 'consumer/ru/service/josp/agc',
}

/** The analytics name of a page: that of the console in this language, then the page's route with its ids left out. */
export function analyticsPageName(language: Language, route = ''): string {
  const page = route.replace(/^#?\/*/, '').replace(/\?.*$/s, '')
  const named = page.split('/').filter(part => part !== '' && !/^[0-9]+$/.test(part))
  return [analyticsNames[language], ...named].join('/')
}

const plurals = new Map<Language, Intl.PluralRules>()

/** The plural category of a count: one, few, many and other in Russian, one and other in English, other in Chinese. */
export function pluralOf(language: Language, count: number): Intl.LDMLPluralRule {
  const rules = plurals.get(language) ?? new Intl.PluralRules(language)
  plurals.set(language, rules)
  return rules.select(count)
}
