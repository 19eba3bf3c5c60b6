import { globSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'

/**
 * Missing, unused and untranslated texts of the console and every service. A key is used where the source says
 * `t('key')` or `t(is ? 'key' : 'other')`, or begins with a part of a template `t(`part.${...}`)`; `errors.<number>`
 * and `errors.why.<why>` belong to the contract.
 */
const languages = ['zh', 'en', 'ru'] as const
const plural = /_(?:zero|one|two|few|many|other)$/
const faults: string[] = []

type Texts = Map<string, string>

function flatten(value: unknown, prefix: string, into: Texts): Texts {
  for (const [key, inner] of Object.entries(value as Record<string, unknown>)) {
    if (typeof inner === 'string') into.set(prefix + key, inner)
    else flatten(inner, `${prefix}${key}.`, into)
  }
  return into
}

function readTexts(folder: string, language: string): Texts {
  try {
    return flatten(JSON.parse(readFileSync(`${folder}/i18n/${language}.json`, 'utf8')), '', new Map())
  } catch (error) {
    faults.push(`${folder}/i18n/${language}.json: ${(error as Error).message}`)
    return new Map()
  }
}

/** What the source of one folder asks for: whole keys, and the beginnings of composed ones. */
function usesIn(folder: string, skip: string[] = []): { whole: Map<string, string>; beginnings: Set<string> } {
  const whole = new Map<string, string>()
  const beginnings = new Set<string>()
  for (const file of globSync(`${folder}/**/*.{ts,tsx}`)) {
    if (skip.some(part => file.includes(part))) continue
    const source = readFileSync(file, 'utf8')
    for (const [, key] of source.matchAll(/\bt\(\s*'([^']+)'/g)) whole.set(key!, file)
    for (const [, choice] of source.matchAll(/\bt\(([^()'`]*\?[^()`]*)[,)]/g))
      for (const [, key] of choice!.matchAll(/[?:]\s*'([^']+)'/g)) whole.set(key!, file)
    for (const [, start] of source.matchAll(/\bt\(\s*`([^`$]+)\$\{/g)) beginnings.add(start!)
    for (const [, key] of source.matchAll(/\b[kK]ey:? (?:=|:)?\s*'([a-z]\w*\.[\w.]+)'/g)) whole.set(key!, file)
  }
  return { whole, beginnings }
}

const baseOf = (key: string) => key.replace(plural, '')

function variables(text: string): string {
  return [...new Set([...text.matchAll(/\{\{\s*(\w+)/g)].map(match => match[1]))].sort().join(' ')
}

/** Plural forms a language needs; others may lack them. */
function compare(folder: string, texts: Record<string, Texts>): void {
  const bases = new Set(languages.flatMap(language => [...texts[language]!.keys()].map(baseOf)))
  for (const base of bases) {
    const pluralKeys = new Set(languages.flatMap(language => [...texts[language]!.keys()].filter(k => plural.test(k))))
    const isPlural = [...pluralKeys].some(key => baseOf(key) === base)
    for (const language of languages) {
      const forms = isPlural
        ? new Intl.PluralRules(language).resolvedOptions().pluralCategories.map(form => `${base}_${form}`)
        : [base]
      for (const key of forms) {
        const text = texts[language]!.get(key)
        if (text === undefined) faults.push(`${folder}: ${key} is missing in ${language}`)
        else if (text.trim() === '') faults.push(`${folder}: ${key} is empty in ${language}`)
        else checkTranslated(folder, key, language, text, texts)
      }
    }
  }
}

function checkTranslated(folder: string, key: string, language: string, text: string, all: Record<string, Texts>) {
  const english = all['en']!.get(key) ?? all['en']!.get(`${baseOf(key)}_other`)
  if (english === undefined || language === 'en') return
  if (variables(text) !== variables(english))
    faults.push(`${folder}: ${key} names other values in ${language} than in en`)
  const hasWords = /[a-z]{4,}.*\s.*[a-z]{3,}/i.test(english.replace(/\{\{.*?\}\}/g, ''))
  const script = language === 'ru' ? /\p{Script=Cyrillic}/u : /\p{Script=Han}/u
  if (hasWords && !script.test(text)) faults.push(`${folder}: ${key} is not translated in ${language}: ${text}`)
}

const frame = 'src/console'
const frameTexts = Object.fromEntries(languages.map(language => [language, readTexts(frame, language)]))
compare(frame, frameTexts)

const parts = globSync(`${frame}/kit/**/i18n`).map(folder => dirname(folder))
const services = globSync('src/services/**/console/i18n').map(folder => dirname(folder))
const frameUses = usesIn(frame, parts)
const usedByAll = new Set(frameUses.whole.keys())
const known = (texts: Texts, key: string) => texts.has(key) || texts.has(`${key}_other`)

for (const folder of [...services, ...parts]) {
  const texts = Object.fromEntries(languages.map(language => [language, readTexts(folder, language)]))
  compare(folder, texts)
  const { whole, beginnings } = usesIn(folder)
  for (const [key, file] of whole) {
    usedByAll.add(key)
    if (!known(texts['zh']!, key) && !known(frameTexts['zh']!, key))
      faults.push(`${relative('.', file)}: no text ${key}`)
  }
  for (const key of new Set([...texts['en']!.keys()].map(baseOf))) {
    if (key.startsWith('errors.') || whole.has(key) || [...beginnings].some(start => key.startsWith(start))) continue
    faults.push(`${folder}: ${key} is not used`)
  }
}
for (const [key, file] of frameUses.whole) {
  if (!known(frameTexts['zh']!, key)) faults.push(`${relative('.', file)}: no text ${key}`)
}
for (const key of new Set([...frameTexts['en']!.keys()].map(baseOf))) {
  const isShared = key.startsWith('action.') || key.startsWith('errors.')
  if (isShared || usedByAll.has(key) || [...frameUses.beginnings].some(start => key.startsWith(start))) continue
  faults.push(`${frame}: ${key} is not used`)
}

for (const fault of faults) console.error(fault)
console.log(`texts: ${services.length + parts.length + 1} folders, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
