import { isoInstant } from '../../../kernel/dates.ts'
import type { Language, LocalText } from '../../../kernel/language.ts'
import type { Download } from '../../../server/implement.ts'
import { itemsInWords } from './answer.ts'
import type { CheckRecord } from './queries.ts'
import { type CheckState, countsOf, type Result } from './rules.ts'

const words = {
  title: { zh: '自检报告', en: 'Report of the check', ru: 'Отчёт о проверке' },
  package: { zh: '软件包', en: 'Package', ru: 'Пакет' },
  version: { zh: '版本', en: 'Version', ru: 'Версия' },
  finished: { zh: '完成时间（UTC）', en: 'Finished (UTC)', ru: 'Завершена (UTC)' },
  state: { zh: '结果', en: 'Result', ru: 'Результат' },
  seen: { zh: '发现', en: 'Seen', ru: 'Найдено' },
  fix: { zh: '如何修改', en: 'What to do', ru: 'Что сделать' },
} satisfies Record<string, LocalText>

const states: Readonly<Record<CheckState, LocalText>> = {
  WAITING: { zh: '等待中', en: 'Waiting', ru: 'Ждёт' },
  RUNNING: { zh: '进行中', en: 'Running', ru: 'Идёт' },
  PASSED: { zh: '通过', en: 'Passed', ru: 'Пройдена' },
  FAILED: { zh: '未通过', en: 'Not passed', ru: 'Не пройдена' },
  EXPIRED: { zh: '未完成', en: 'Not finished', ru: 'Не завершена' },
}

export const resultWords: Readonly<Record<Result, LocalText>> = {
  BLOCK: { zh: '必须修改', en: 'Must be fixed', ru: 'Исправить' },
  WARN: { zh: '建议修改', en: 'Should be fixed', ru: 'Лучше исправить' },
  INFO: { zh: '提示', en: 'Good to know', ru: 'К сведению' },
  PASS: { zh: '通过', en: 'Right', ru: 'В порядке' },
  NOT_RUN: { zh: '未检查', en: 'Not looked at', ru: 'Не проверено' },
}

/** A report that can be kept and sent on: one page without scripts, every word of a stranger escaped; or JSON. */
export function reportOf(row: CheckRecord, format: 'html' | 'json', language: Language): Download {
  const name = `check-${row.checkId}`
  const text = format === 'json' ? json(row) : html(row, language)
  const type = format === 'json' ? 'application/json' : 'text/html'
  return {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}.${format}"`,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    },
    body: text,
  }
}

function json(row: CheckRecord): string {
  const { checkId, appId, pkgId, state, kinds, createdAt, finishedAt } = row
  const { fileName, sha256, packageName, versionCode, versionName } = row.subject
  const subject = { pkgId, fileName, sha256, packageName, versionCode, versionName }
  const head = { checkId, appId, package: subject, state, kinds, createdAt, finishedAt, counts: countsOf(row.items) }
  return JSON.stringify({ ...head, items: itemsInWords(row) }, null, 2)
}

function html(row: CheckRecord, language: Language): string {
  const say = (text: LocalText) => escaped(text[language])
  const { packageName, fileName, versionName, versionCode, sha256 } = row.subject
  const facts: [LocalText, string][] = [
    [words.package, `${packageName ?? '–'} · ${fileName}`],
    [words.version, `${versionName ?? '–'} (${versionCode ?? '–'})`],
    [{ zh: 'SHA-256', en: 'SHA-256', ru: 'SHA-256' }, sha256],
    [words.finished, row.finishedAt === null ? '–' : isoInstant(row.finishedAt)],
    [words.state, states[row.state][language]],
  ]
  const items = itemsInWords(row).map(
    item => `<section class="${item.result.toLowerCase()}"><h2>${say(item.title)}</h2><p class="result">${say(resultWords[item.result])}</p>
${item.evidence.length > 0 ? `<h3>${say(words.seen)}</h3><ul>${item.evidence.map(one => `<li>${escaped(one)}</li>`).join('')}</ul>` : ''}
${item.result === 'PASS' ? '' : `<h3>${say(words.fix)}</h3><p>${say(item.fix)}</p>`}</section>`,
  )
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${say(words.title)} ${row.checkId}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:860px;margin:32px auto;padding:0 16px}dt{color:#555}dd{margin:0 0 8px;overflow-wrap:anywhere}
section{border-left:4px solid #8c8c94;margin:16px 0;padding:4px 16px}.block{border-color:#d63f38}.warn{border-color:#c77700}.pass{border-color:#2ea597}
h2{font-size:17px;margin:8px 0 0}h3{font-size:14px;margin:8px 0 0}ul,p{margin:4px 0;overflow-wrap:anywhere}.result{font-weight:600}</style></head>
<body><h1>${say(words.title)}</h1><dl>${facts.map(([label, value]) => `<dt>${say(label)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
${items.join('\n')}</body></html>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, found => entities[found] ?? found)
}
