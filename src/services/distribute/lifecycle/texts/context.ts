import { emojiIn } from '../../../../kernel/text.ts'
import { type Hit, type Level, limits, type TextField, type WordLanguage, type WordTopic } from '../rules.ts'

export interface Word {
  language: WordLanguage
  word: string
  topic: WordTopic
  level: 'BLOCK' | 'WARN'
}

export interface GivenText {
  text: string
  /** Words of every language are looked for where it is not said. */
  language?: 'zh' | 'en' | 'ru'
  field?: TextField
}

type Found = Omit<Hit, 'index'>

const emojiOfName = 0
const emojiOfText = 20
const repeatedWord = 12
const shortestWord = 3
const capitalsFrom = 20

/** As people read it, whatever it is written with: one width, one case, nothing invisible. Keeps the length of the text. */
export function readable(text: string): string {
  return [...text]
    .map(letter => {
      const plain = letter.normalize('NFKC').toLowerCase()
      return plain.length === letter.length ? plain : letter.toLowerCase().padEnd(letter.length).slice(0, letter.length)
    })
    .join('')
}

/** Format marks, fillers, and what only changes the letter before it. */
const invisible = /\p{Cf}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164/u

/** The letters that show, with where each stands in the text. */
function shownLetters(text: string): { text: string; places: number[] } {
  const places: number[] = []
  let shown = ''
  const plain = readable(text)
  for (let at = 0; at < plain.length; at++) {
    const letter = plain.charAt(at)
    if (invisible.test(letter)) continue
    shown += letter
    places.push(at)
  }
  return { text: shown, places }
}

/** `f.r.e.e` and `f r e e` are read as one word; single letters between single marks only, so that words stay words. */
function joined(given: { text: string; places: number[] }): { text: string; places: number[] } {
  const places: number[] = []
  let text = ''
  const isLetter = (at: number) => /\p{L}/u.test(given.text.charAt(at))
  const isAlone = (at: number) => isLetter(at) && !isLetter(at - 1) && !isLetter(at + 1)
  for (let at = 0; at < given.text.length; at++) {
    const isBetween = !isLetter(at) && isAlone(at - 1) && isAlone(at + 1)
    if (isBetween) continue
    text += given.text.charAt(at)
    places.push(given.places[at] ?? 0)
  }
  return { text, places }
}

/** What a text is objected to, at most so many things. */
export function hitsIn(given: GivenText, words: readonly Word[]): Found[] {
  const { text } = given
  const hits = [
    ...wordHits(given, words),
    ...contactHits(given),
    ...mixedHits(text),
    ...emojiHits(given),
    ...shapeHits(given),
    ...languageHits(given),
  ]
  return hits.sort((a, b) => (a.at ?? 0) - (b.at ?? 0)).slice(0, limits.hits)
}

function wordHits({ text, language }: GivenText, words: readonly Word[]): Found[] {
  const shown = shownLetters(text)
  const views = [shown, joined(shown)]
  const found = new Map<string, Found>()
  for (const { word, level, topic, language: of } of words) {
    if (language !== undefined && of !== 'all' && of !== language) continue
    const wanted = readable(word)
    for (const view of views) {
      for (let at = view.text.indexOf(wanted); at >= 0; at = view.text.indexOf(wanted, at + 1)) {
        if (!isWhole(view.text, at, wanted)) continue
        const start = view.places[at] ?? 0
        const end = (view.places[at + wanted.length - 1] ?? start) + 1
        found.set(`${start} ${word}`, { rule: `word.${topic}`, level, at: start, seen: sample(text.slice(start, end)) })
      }
    }
  }
  return [...found.values()]
}

/** Chinese has no spaces between words; elsewhere `free` is not part of `freeze`. */
function isWhole(text: string, at: number, word: string): boolean {
  if (/\p{Script=Han}/u.test(word)) return true
  const isPart = (letter: string) => /[\p{L}\p{N}]/u.test(letter)
  const before = isPart(word.charAt(0)) && isPart(text.charAt(at - 1))
  const after = isPart(word.charAt(word.length - 1)) && isPart(text.charAt(at + word.length))
  return !before && !after
}

const contacts: readonly (readonly [rule: string, pattern: RegExp])[] = [
  ['contact.mail', /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,100}\.\p{L}{2,10}/gu],
  ['contact.address', /\b(?:https?:\/\/|www\.)[^\s<>"']{3,200}/giu],
  ['contact.phone', /(?<![\d.])\+?\d[\d ()-]{8,18}\d(?![\d.])/gu],
  [
    'contact.messenger',
    /(?:(?:qq|vx|wechat|telegram|whatsapp)(?:\s*[:：号群]\s*|\s+@)|微信(?:号)?\s*[:：])\s*[@\w-]{4,40}/giu,
  ],
]

/** A name or a line below it is no place for them; a description may name a site. */
function contactHits({ text, field }: GivenText): Found[] {
  const isShort = field === 'appName' || field === 'briefInfo'
  const level: Level = isShort ? 'BLOCK' : 'WARN'
  return contacts.flatMap(([rule, pattern]) =>
    [...readable(text).matchAll(pattern)].map(match => ({
      rule,
      level: rule === 'contact.address' && !isShort ? 'INFO' : level,
      at: match.index,
      seen: sample(text.slice(match.index, match.index + match[0].length)),
    })),
  )
}

/** Latin and Cyrillic letters in one word: the way to write a forbidden word that a list does not find. */
function mixedHits(text: string): Found[] {
  return [...text.matchAll(/[\p{L}\p{M}]{2,60}/gu)]
    .filter(([word]) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word))
    .map(match => ({ rule: 'script.mixed', level: 'WARN', at: match.index, seen: sample(match[0]) }))
}

function emojiHits({ text, field }: GivenText): Found[] {
  const { count, shown } = emojiIn(text)
  const most = field === 'appName' ? emojiOfName : emojiOfText
  return count > most ? [{ rule: 'emoji', level: 'WARN', at: null, seen: `${count}: ${shown}` }] : []
}

function shapeHits({ text }: GivenText): Found[] {
  const hits: Found[] = []
  const marks = /[!?！？*~★☆]{3,}/u.exec(text)
  if (marks) hits.push({ rule: 'shape.marks', level: 'WARN', at: marks.index, seen: sample(marks[0]) })
  const letters = text.match(/\p{Lu}|\p{Ll}/gu) ?? []
  const capitals = letters.filter(letter => letter !== letter.toLowerCase()).length
  if (letters.length >= capitalsFrom && capitals > letters.length * 0.7) {
    hits.push({ rule: 'shape.capitals', level: 'INFO', at: null, seen: `${capitals}/${letters.length}` })
  }
  const counts = new Map<string, number>()
  for (const word of readable(text).match(/[\p{L}\p{N}]{1,60}/gu) ?? []) {
    if (word.length >= shortestWord) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  for (const [word, count] of counts) {
    const isStuffed = count >= repeatedWord && count * word.length > text.length * 0.08
    if (isStuffed) hits.push({ rule: 'shape.repeated', level: 'WARN', at: null, seen: `${sample(word)} ×${count}` })
  }
  const hidden = [...text].filter(letter => /[\u200b\u2060\u202a-\u202e\u2066-\u2069\u00ad\u3164]/u.test(letter)).length
  if (hidden > 0) hits.push({ rule: 'shape.invisible', level: 'WARN', at: null, seen: String(hidden) })
  return hits
}

const scripts = { zh: /\p{Script=Han}/gu, en: /\p{Script=Latin}/gu, ru: /\p{Script=Cyrillic}/gu } as const

/** A long text with hardly a letter of its language. */
function languageHits({ text, language }: GivenText): Found[] {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (language === undefined || letters < 40) return []
  const own = text.match(scripts[language])?.length ?? 0
  return own < letters * 0.2 ? [{ rule: 'language', level: 'WARN', at: null, seen: `${own}/${letters}` }] : []
}

function sample(text: string): string {
  return text.replaceAll('\0', '').slice(0, limits.sampleLength).toWellFormed()
}
