import { existsSync, globSync, readFileSync } from 'node:fs'
import { advisoryProblems } from './advisories.ts'
import { root } from './steps.ts'

/** Documents: bounded where the house says so, and no path or link that leads nowhere. */
const bounds: Record<string, number> = { 'ARCHITECTURE.md': 200, 'CONTRIBUTING.md': 120 }
const problems: string[] = []

for (const [file, most] of Object.entries(bounds)) {
  const lines = existsSync(root + file) ? readFileSync(root + file, 'utf8').split('\n').length : 0
  if (lines === 0) problems.push(`${file} is missing`)
  if (lines > most) problems.push(`${file} has ${lines} lines; at most ${most}`)
}

for (const file of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })]) {
  if (!existsSync(root + file)) {
    problems.push(`${file} is missing`)
    continue
  }
  const folder = file.includes('/') ? `${file.slice(0, file.lastIndexOf('/'))}/` : ''
  const text = readFileSync(root + file, 'utf8')
  for (const [, link = ''] of text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
    if (!/^https?:/.test(link) && !existsSync(root + folder + link))
      problems.push(`${file}: the link ${link} leads nowhere`)
  }
  for (const [, path = ''] of text.matchAll(/`((?:src|tools|docs|e2e|bench|migrations|deploy)\/[\w./-]+)`/g)) {
    if (!existsSync(root + path)) problems.push(`${file}: there is no ${path}`)
  }
}

const architecture = existsSync(`${root}ARCHITECTURE.md`) ? readFileSync(`${root}ARCHITECTURE.md`, 'utf8') : ''
for (const contract of globSync('src/services/*/*/contract.ts', { cwd: root })) {
  const name = contract.split('/').slice(2, 4).join('/')
  if (!architecture.includes(`\`${name}\``)) problems.push(`ARCHITECTURE.md does not name the service ${name}`)
}

const advisories = readFileSync(`${root}docs/advisories.md`, 'utf8')
const textOf = (file: string) => (existsSync(root + file) ? readFileSync(root + file, 'utf8') : null)
for (const problem of advisoryProblems(advisories, textOf)) problems.push(`docs/advisories.md: ${problem}`)

for (const problem of problems) process.stdout.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
