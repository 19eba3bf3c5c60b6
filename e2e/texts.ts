import { globSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { type Language, languages } from '../src/kernel/language.ts'

/** As they stand in the choice of languages, whatever the page speaks. */
const languageNames = new Set(['简体中文', 'English', 'Русский'])

const root = new URL('..', import.meta.url).pathname

/** Every text of the console by language, and the first parts of all keys: `roles` of `roles.leader`. */
function readTexts() {
  const texts: Record<Language, Set<string>> = { zh: new Set(), en: new Set(), ru: new Set() }
  const tops = new Set<string>()
  const collect = (value: unknown, into: Set<string>) => {
    if (typeof value === 'string') into.add(value.trim())
    else for (const inner of Object.values(value as Record<string, unknown>)) collect(inner, into)
  }
  for (const language of languages) {
    for (const file of globSync(`src/**/i18n/${language}.json`, { cwd: root })) {
      const content = JSON.parse(readFileSync(root + file, 'utf8')) as Record<string, unknown>
      for (const top of Object.keys(content)) tops.add(top)
      collect(content, texts[language])
    }
  }
  return { texts, tops }
}

const { texts, tops } = readTexts()
const foreignScripts: Record<Language, RegExp> = {
  en: /[\p{Script=Han}\p{Script=Cyrillic}]/u,
  ru: /\p{Script=Han}/u,
  zh: /\p{Script=Cyrillic}/u,
}

/** Texts people read or hear; what is marked as being in another language, or as data, is left out. */
const visibleTexts = `(() => {
  const own = document.documentElement.lang.slice(0, 2)
  const found = new Set([document.title])
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.nodeType === 1 ? node : node.parentElement
    if (['SCRIPT', 'STYLE', 'OPTION'].includes(element.tagName)) continue
    if (element.closest('[translate="no"]')) continue
    const lang = element.closest('[lang]')
    if (lang && lang.lang.slice(0, 2) !== own) continue
    if (node.nodeType === 3) found.add(node.data.trim())
    else for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.add((element.getAttribute(name) ?? '').trim())
  }
  return [...found].filter(Boolean)
})()`

/**
 * Lines of what is said in another language than the page's, or not at all: a raw key, an empty value. What is only for
 * readers of screens follows what is seen after two seconds, so a fault has to stay.
 */
export async function untranslated(page: Page, language: Language): Promise<string[]> {
  let lines = await untranslatedNow(page, language)
  for (let looks = 0; lines.length > 0 && looks < 50; looks++) {
    await page.waitForTimeout(100)
    lines = await untranslatedNow(page, language)
  }
  return lines
}

async function untranslatedNow(page: Page, language: Language): Promise<string[]> {
  const found = (await page.evaluate(visibleTexts)) as string[]
  const others = languages.filter(one => one !== language)
  return found.flatMap(text => {
    if (languageNames.has(text)) return []
    const key = /^([a-z]\w*)\.[\w.]+$/i.exec(text)
    if (key?.[1] && tops.has(key[1]) && !text.endsWith('.apk')) return [`a raw key: ${text}`]
    if (/\{\{|\bundefined\b|\bNaN\b|\[object /.test(text)) return [`a value that is none: ${text}`]
    if (foreignScripts[language].test(text)) return [`another script: ${text}`]
    const from = others.find(other => texts[other].has(text))
    return from && !texts[language].has(text) ? [`in ${from}: ${text}`] : []
  })
}
