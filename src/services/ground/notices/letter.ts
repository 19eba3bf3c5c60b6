import { pluralOf } from '../../../kernel/language.ts'
import type { Category, Language, LocalText } from './rules.ts'

/** Mails in the person's language. Plain functions: what people typed is only ever escaped text, never a template. */

export interface Letter {
  subject: string
  text: string
  html: string
}

export interface Line {
  title: LocalText
  text: LocalText
  /** Absolute. */
  url: string | null
  category: Category
  createdAt: number
}

interface Reader {
  name: string
  language: Language
  timeZone: string
  /** The page with the notice settings, absolute. */
  settingsUrl: string
  /** Null for what cannot be turned off. */
  unsubscribeUrl: string | null
}

const words = {
  hello: {
    zh: (name: string) => `${name}，您好！`,
    en: (name: string) => `Hello ${name},`,
    ru: (name: string) => `Здравствуйте, ${name}!`,
  },
  open: { zh: '在 Loggia 中打开', en: 'Open in Loggia', ru: 'Открыть в Loggia' },
  settings: { zh: '通知设置', en: 'Notice settings', ru: 'Настройки уведомлений' },
  unsubscribe: { zh: '不再接收此类邮件', en: 'Stop these mails', ru: 'Больше не присылать такие письма' },
  mandatory: {
    zh: '此邮件关系到您的账号或款项，无法关闭。',
    en: 'This mail concerns your account or money and cannot be turned off.',
    ru: 'Это письмо касается вашей учётной записи или денег, отключить его нельзя.',
  },
  inbox: { zh: '查看全部通知', en: 'See all notices', ru: 'Все уведомления' },
  digest: {
    daily: { zh: '每日摘要', en: 'Your daily digest', ru: 'Сводка за день' },
    weekly: { zh: '每周摘要', en: 'Your weekly digest', ru: 'Сводка за неделю' },
    off: { zh: '通知摘要', en: 'Your notices', ru: 'Ваши уведомления' },
  },
} as const

export const categoryNames: Readonly<Record<Category, LocalText>> = {
  security: { zh: '安全', en: 'Security', ru: 'Безопасность' },
  billing: { zh: '账单', en: 'Billing', ru: 'Оплата' },
  review: { zh: '审核', en: 'Review', ru: 'Проверка' },
  operations: { zh: '运营', en: 'Operations', ru: 'Эксплуатация' },
  marketing: { zh: '推广', en: 'Marketing', ru: 'Новости и предложения' },
}

const forms: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  zh: { other: '{n} 条新通知' },
  en: { one: '{n} new notice', other: '{n} new notices' },
  ru: {
    one: '{n} новое уведомление',
    few: '{n} новых уведомления',
    many: '{n} новых уведомлений',
    other: '{n} новых уведомления',
  },
}
const moreForms: typeof forms = {
  zh: { other: '另有 {n} 条' },
  en: { one: 'and {n} more', other: 'and {n} more' },
  ru: { one: 'и ещё {n}', few: 'и ещё {n}', many: 'и ещё {n}', other: 'и ещё {n}' },
}

/** The mail of one notice. */
export function letterOf(line: Line, reader: Reader): Letter {
  const { language, name } = reader
  const [title, body] = [oneLine(line.title[language]), line.text[language]]
  const hello = words.hello[language](oneLine(name))
  return {
    subject: title,
    text: [hello, body, ...(line.url ? [`${words.open[language]}: ${line.url}`] : []), footText(reader)].join('\n\n'),
    html: page(reader, title, [
      paragraph(hello),
      ...body.split(/\n+/).map(paragraph),
      ...(line.url ? [paragraphOf(link(line.url, words.open[language]))] : []),
    ]),
  }
}

/** The mail of several notices, by category, the newest first; `more` are only counted. */
export function digestOf(
  lines: readonly Line[],
  reader: Reader & { kind: 'off' | 'daily' | 'weekly'; more: number; inboxUrl: string },
): Letter {
  const { language, kind, more, inboxUrl, timeZone } = reader
  const subject = `${words.digest[kind][language]}: ${counted(forms, language, lines.length + more)}`
  const groups = Map.groupBy(lines, line => line.category)
  const when = new Intl.DateTimeFormat(language, {
    timeZone,
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const rest = more > 0 ? [counted(moreForms, language, more)] : []
  const plain = [...groups].map(([category, list]) =>
    [
      `== ${categoryNames[category][language]} ==`,
      ...list.map(line => {
        const head = `${when.format(line.createdAt)}  ${oneLine(line.title[language])}\n${line.text[language]}`
        return line.url ? `${head}\n${line.url}` : head
      }),
    ].join('\n\n'),
  )
  const rich = [...groups].flatMap(([category, list]) => [
    `<h2 style="font-size:15px;margin:20px 0 4px">${escaped(categoryNames[category][language])}</h2>`,
    ...list.map(line => {
      const title = oneLine(line.title[language])
      const head = line.url ? link(line.url, title) : `<b>${escaped(title)}</b>`
      return paragraphOf(
        `<small>${escaped(when.format(line.createdAt))}</small><br>${head}<br>${escaped(line.text[language])}`,
      )
    }),
  ])
  return {
    subject,
    text: [...plain, ...rest, `${words.inbox[language]}: ${inboxUrl}`, footText(reader)].join('\n\n'),
    html: page(reader, subject, [...rich, ...rest.map(paragraph), paragraphOf(link(inboxUrl, words.inbox[language]))]),
  }
}

function counted(of: typeof forms, language: Language, n: number): string {
  return (of[language][pluralOf(language, n)] ?? of[language]['other'] ?? '').replace('{n}', String(n))
}

function footText({ language, settingsUrl, unsubscribeUrl }: Reader): string {
  const end = unsubscribeUrl ? `${words.unsubscribe[language]}: ${unsubscribeUrl}` : words.mandatory[language]
  return `-- \nLoggia\n${words.settings[language]}: ${settingsUrl}\n${end}`
}

function page(reader: Reader, title: string, body: readonly string[]): string {
  const { language, settingsUrl, unsubscribeUrl } = reader
  const end = unsubscribeUrl ? link(unsubscribeUrl, words.unsubscribe[language]) : escaped(words.mandatory[language])
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>`,
    '<body style="margin:0;padding:24px;background:#f4f5f7;color:#16191f;font:15px/1.5 sans-serif">',
    '<div style="max-width:560px;margin:0 auto;padding:24px;background:#fff;border-radius:8px">',
    `<h1 style="font-size:19px;margin:0 0 12px">${escaped(title)}</h1>`,
    ...body,
    `<p style="margin:24px 0 0;padding-top:12px;border-top:1px solid #d5dbdb;color:#545b64;font-size:13px">Loggia · ${link(settingsUrl, words.settings[language])} · ${end}</p>`,
    '</div></body></html>',
  ].join('\n')
}

const paragraph = (text: string) => paragraphOf(escaped(text))
const paragraphOf = (html: string) => `<p style="margin:0 0 12px">${html}</p>`
const link = (url: string, text: string) => `<a href="${escaped(url)}" style="color:#0972d3">${escaped(text)}</a>`

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}

/** What may stand in a subject: a name with a line break in it is still one line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}
