import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * `npm run new:service grow/gift-cards 礼品卡 'Подарочные карты'`: a service with contract, tables, rules, handlers, page, translations and tests,
 * registered in the two lists, the table of permissions and the map, with its migration. Every check is green untouched.
 */
const root = process.cwd()
const [wanted = '', chinese, russian] = process.argv.slice(2)
const found = /^([a-z]+)\/([a-z][a-z0-9-]*s)$/.exec(wanted)
const groups = ['ground', 'distribute', 'build', 'lowcode', 'grow', 'analyse', 'earn', 'operate', 'support']
if (!found || !groups.includes(found[1] ?? '')) {
  process.stderr.write(
    `npm run new:service GROUP/NAMES [CHINESE RUSSIAN], a plural in kebab-case and its name in the other two languages; GROUP is one of ${groups.join(', ')}\n`,
  )
  process.exit(2)
}
const [, group = '', name = ''] = found
const folder = path.join(root, 'src/services', group, name)
if (existsSync(folder)) {
  process.stderr.write(`src/services/${wanted} is there already\n`)
  process.exit(2)
}

const camel = name.replace(/-(\w)/g, (_whole, letter: string) => letter.toUpperCase())
const item = camel.replace(/ies$/, 'y').replace(/s$/, '')
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const english = upper(name.replaceAll('-', ' '))
/** The texts say what the service can do as it is made: a list, and a form for a new one. */
const words: Record<string, string> = {
  group,
  name,
  camel,
  item,
  Pascal: upper(camel),
  Item: upper(item),
  snake: name.replaceAll('-', '_'),
  words: name.replaceAll('-', ' '),
  Title: english,
  titleZh: chinese ?? english,
  listZh: chinese ? `${chinese}列表` : `${english} 列表`,
  titleRu: russian ?? english,
  textZh: `查看团队的${chinese ?? ` ${english}`}，并创建新的。`,
  textEn: `See the ${name.replaceAll('-', ' ')} of your team, and create new ones.`,
  textRu: `Раздел «${russian ?? english}»: список вашей команды и создание новых записей.`,
  number: String(nextNumber()),
  lb: '{{',
  rb: '}}',
}

/** Three digits that no contract uses yet. */
function nextNumber(): number {
  const used = globSync('src/services/*/*/**/contract.ts', { cwd: root }).flatMap(file =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/\[20(\d{3})\d{4},/g)].map(match => Number(match[1])),
  )
  return Math.max(300, ...used) + 1
}

function fill(template: string): string {
  const text = readFileSync(path.join(root, 'tools/scaffold', template), 'utf8')
  return text.replace(/\{\{(\w+)\}\}/g, (_whole, word: string) => words[word] ?? '')
}

function write(file: string, text: string): void {
  const target = path.join(root, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, text)
}

/** Puts a line before a marker in a file of the house. */
function insert(file: string, marker: RegExp, line: string): void {
  const text = readFileSync(path.join(root, file), 'utf8')
  const place = marker.exec(text)
  if (!place) throw new Error(`${file}: nothing looks like ${marker}`)
  write(file, `${text.slice(0, place.index)}${line}${text.slice(place.index)}`)
}

/** What the pages of roles call the two rights of the service. */
function nameRights(language: string, title: string, read: string, edit: string): void {
  const file = `src/services/ground/teams/console/i18n/${language}.json`
  const texts = JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  Object.assign(texts.permissions, { [`${camel}_read`]: read, [`${camel}_edit`]: edit })
  texts.permissionGroups[camel] = title
  write(file, `${JSON.stringify(texts, null, 2)}\n`)
}

const here = `src/services/${group}/${name}`
for (const file of ['contract.ts', 'tables.ts', 'rules.ts', 'handlers.ts', 'service.ts', 'console/pages.tsx'])
  write(`${here}/${file}`, fill(`${file}.txt`))
for (const language of ['zh', 'en', 'ru']) {
  write(`${here}/console/i18n/${language}.json`, fill(`console/i18n/${language}.json.txt`))
}
write(`${here}/${name}.test.ts`, fill('service.test.ts.txt'))
write(`${here}/console/${words['Pascal']}Page.tsx`, fill('console/Page.tsx.txt'))
write(`${here}/console/New${words['Item']}Form.tsx`, fill('console/NewForm.tsx.txt'))

const { Item = '' } = words
insert(
  'src/services/all.server.ts',
  /\n\/\*\* One line per service/,
  `import ${camel} from './${group}/${name}/service.ts'\n`,
)
insert('src/services/all.server.ts', /\n\]\n\n\/\*\* How the frame learns/, `\n  ${camel},`)
insert(
  'src/services/all.console.ts',
  /\n\/\*\* One line per service/,
  `import { pages as ${camel} } from './${group}/${name}/console/pages.tsx'\n`,
)
insert('src/services/all.console.ts', /,?\n?\]\n\n\/\*\* Who signs/, `, ...${camel}`)
insert(
  'src/services/ground/teams/rules.ts',
  /\n\}\n\n\/\*\* What staff may do/,
  `\n  '${camel}.read': everyone,\n  '${camel}.edit': builders,`,
)
nameRights('zh', chinese ?? `${english} 权限`, `查看${words['titleZh']}`, `更改${words['titleZh']}`)
nameRights('en', english, `See ${words['words']}`, `Change ${words['words']}`)
nameRights(
  'ru',
  russian ?? `Раздел «${english}»`,
  `Видеть раздел «${words['titleRu']}»`,
  `Менять раздел «${words['titleRu']}»`,
)
insert(
  'src/services/ground/menu/catalogue.data.ts',
  /\n\]\n$/,
  `
  {
    serviceId: '${name}',
    category: '${group}',
    path: '/${name}',
    title: { zh: '${words['titleZh']}', en: '${words['Title']}', ru: '${words['titleRu']}' },
    may: '${camel}.read',
    order: 90,
    text: { zh: '${words['textZh']}', en: '${words['textEn']}', ru: '${words['textRu']}' },
    keywords: '${words['words']}',
  },`,
)
insert('src/testkit/ids.ts', /'objectId',/, `'${item}Id', `)
insert('ARCHITECTURE.md', /\n\n## One request/, `\n| \`${group}/${name}\` | ${words['words']} |`)

const run = (command: string, args: string[]) =>
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
run('sh', ['tools/migrations.sh', words['snake'] ?? ''])
run('biome', [
  'check',
  '--write',
  here,
  'src/services/all.server.ts',
  'src/services/all.console.ts',
  'src/services/ground/teams/rules.ts',
  'src/services/ground/menu/catalogue.data.ts',
  'src/testkit/ids.ts',
  'ARCHITECTURE.md',
])
process.stdout.write(`${here} is there. Next: say in contract.ts what a ${Item} is, then npm run verify.\n`)
