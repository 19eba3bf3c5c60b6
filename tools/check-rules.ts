import { existsSync, readFileSync } from 'node:fs'
import { languages } from '../src/kernel/language.ts'
import { rules } from '../src/services/ground/reference/console/rules/registry.data.ts'
import { isTestNamed } from './advisories.ts'
import { root } from './steps.ts'

/** Each rule on the page of rules names a test that is there: its file, and its sentence as the file writes it. */
const problems: string[] = []
const sources = new Map<string, string>()

function sourceOf(file: string): string | undefined {
  if (!sources.has(file) && existsSync(root + file)) sources.set(file, readFileSync(root + file, 'utf8'))
  return sources.get(file)
}

const seen = new Set<string>()
for (const { section, file, sentence, ...words } of rules) {
  const place = `${section} ${file}: ${sentence}`
  const source = /\.test\.tsx?$/.test(file) ? sourceOf(file) : undefined
  if (source === undefined) problems.push(`${place}: there is no such file of tests`)
  else if (!isTestNamed(source, sentence)) problems.push(`${place}: no test of the file has this name`)
  for (const language of languages)
    if (words[language].trim() === '') problems.push(`${place}: no words in ${language}`)
  if (!/\p{Script=Han}/u.test(words.zh)) problems.push(`${place}: not in Chinese`)
  if (!/\p{Script=Cyrillic}/u.test(words.ru)) problems.push(`${place}: not in Russian`)
  if (seen.has(words.en)) problems.push(`${place}: the rule stands twice`)
  seen.add(words.en)
}

for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(`rules: ${rules.length}, ${problems.length} faults\n`)
process.exitCode = problems.length > 0 ? 1 : 0
