import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { commonErrors } from '../src/kernel/errors.ts'
import { services } from '../src/services/all.server.ts'
import { permissionMatrix, staffMatrix } from '../src/services/ground/teams/rules.ts'
import { root } from './steps.ts'

/** The rules of the house that no other tool holds: names, lengths, words, and what contracts must agree on. */
const problems: string[] = []
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(file => file !== '' && existsSync(root + file))
const isCode = (file: string) => /\.tsx?$/.test(file)
const isTest = (file: string) => /\.test\.tsx?$|^src\/testkit\/|\.testkit\.ts$|^e2e\//.test(file)

function checkLength(file: string, lines: number): void {
  if (/\.data\.ts$/.test(file)) return
  const most = file.endsWith('contract.ts') ? 500 : 400
  if (lines > most) problems.push(`${file} has ${lines} lines; split it (at most ${most})`)
}

function checkName(file: string, text: string): void {
  const name = file.slice(file.lastIndexOf('/') + 1)
  if (/(^|[/-])(utils?|helpers?|common|manager|misc)(\.|\/|$)/i.test(file) || /Impl\./.test(name)) {
    problems.push(`${file}: name it after what it does`)
  }
  // A .tsx that exports no component (columns of a table, the router) is named as any other file.
  const isComponent = name.endsWith('.tsx') && /^export (?:default )?function [A-Z]/m.test(text) && name !== 'main.tsx'
  const wanted = isComponent ? /^[A-Z][A-Za-z0-9]*\.tsx$/ : /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.tsx?$/
  if (!wanted.test(name))
    problems.push(`${file}: ${isComponent ? 'a component is PascalCase' : 'a file is kebab-case'}`)
}

/** Words are put together here so that this file does not find itself. */
const unfinished = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'not imple' + 'mented'].join('|'))
const machinePaths = new RegExp(`(?<![.\\w$}])(${['/ro' + 'ot/', '/wo' + 'rk/', '/ho' + 'me/[a-z]+/'].join('|')})`)

function checkWords(file: string, text: string): void {
  text.split('\n').forEach((line, at) => {
    const place = `${file}:${at + 1}`
    if (unfinished.test(line)) problems.push(`${place}: finish it, or leave it out`)
    if (machinePaths.test(line)) problems.push(`${place}: a path of one machine`)
    if (isTest(file) || !/^src\/(server|services|kernel)\//.test(file)) return
    if (/\bconsole\.(log|debug)\(/.test(line)) problems.push(`${place}: log through the logger`)
    if (/\b(Date\.now\(\)|new Date\(\))/.test(line) && !/clock\.ts$|\/console\/|\/engines\//.test(file)) {
      problems.push(`${place}: time comes from ctx.now()`)
    }
  })
}

/** Exported functions and classes of the kernel, the frame and every door say what they promise. */
function checkDocs(file: string, text: string): void {
  if (!/^src\/(kernel|server)\/|\/public\.ts$/.test(file) || isTest(file)) return
  const lines = text.split('\n')
  lines.forEach((line, at) => {
    const name = /^export (?:default )?(?:async )?(?:function|class) (\w+)/.exec(line)?.[1]
    if (name && !/\*\/\s*$/.test(lines[at - 1] ?? '')) problems.push(`${file}:${at + 1}: ${name} has no doc comment`)
  })
}

for (const file of files.filter(isCode)) {
  const text = readFileSync(root + file, 'utf8')
  checkLength(file, text.split('\n').length - 1)
  checkName(file, text)
  checkWords(file, text)
  checkDocs(file, text)
}

const numbers = new Map<number, { row: unknown; at: string }>(
  Object.entries(commonErrors).map(([name, row]) => [row[0], { row, at: `kernel ${name}` }]),
)
const places = new Set<string>()
const declared = new Set<string>()
const contracts = services.flatMap(one => one.calls.map(call => call.contract))
for (const contract of contracts) {
  for (const permission of contract.permissions) declared.add(permission)
  for (const call of Object.values(contract.calls)) {
    const place = `${call.method} ${(contract.prefix + call.path).replace(/:\w+/g, ':')}`
    if (places.has(place)) problems.push(`${contract.name}: ${place} is mounted twice`)
    places.add(place)
  }
  // The contracts of one service may share an error, as one and the same row.
  for (const [name, row] of Object.entries(contract.errors)) {
    const [number, , sentence] = row
    const other = numbers.get(number)
    if (other && other.row !== row)
      problems.push(`${contract.name} ${name}: the number ${number} belongs to ${other.at}`)
    numbers.set(number, { row, at: `${contract.name} ${name}` })
    const hidden = /\{(ret|type|title|status|instance|requestId)\}/.exec(sentence)?.[1]
    if (hidden)
      problems.push(`${contract.name} ${name}: ${hidden} is a member of the answer itself and hides the value`)
  }
}
const mapped = new Set([...Object.keys(permissionMatrix), ...Object.keys(staffMatrix)])
for (const permission of declared) {
  if (!mapped.has(permission)) problems.push(`no role holds ${permission}: add it to ground/teams/rules.ts`)
}
for (const permission of mapped) {
  if (!declared.has(permission)) problems.push(`${permission} in ground/teams/rules.ts is of no contract`)
}
if (/"resolved":/.test(readFileSync(`${root}package-lock.json`, 'utf8'))) problems.push('package-lock.json names hosts')

for (const problem of problems) process.stdout.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
