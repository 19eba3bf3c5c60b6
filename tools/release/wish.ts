import { existsSync, readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Stop } from './outcome.ts'

export interface Wish {
  file: string
  url: string
  clientId: string
  clientSecret: string
  app?: string
  notes?: string
  lang?: string
  remark?: string
  phased?: number
  time?: string
  isSubmitted: boolean
  isWaiting: boolean
  isJson: boolean
  timeoutMs: number
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const options = {
  url: text,
  'client-id': text,
  'client-secret': text,
  app: text,
  notes: text,
  lang: text,
  remark: text,
  phased: text,
  time: text,
  timeout: text,
  'no-submit': flag,
  wait: flag,
  json: flag,
}

/** What the arguments and the environment ask for. Throws a Stop of wrong usage. */
export function readWish(args: readonly string[], env: NodeJS.ProcessEnv): Wish {
  const { values, positionals } = parsed(args)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new Stop('usage', 'name one file to release')
  if (!existsSync(file) || !statSync(file).isFile()) throw new Stop('usage', `there is no file ${file}`)
  const phased = values.phased === undefined ? undefined : shareOf(values.phased)
  const minutes = Number(values.timeout ?? (values.wait ? 1440 : 30))
  if (!(minutes > 0)) throw new Stop('usage', '--timeout is a number of minutes')
  if (values.time !== undefined && Number.isNaN(Date.parse(values.time)))
    throw new Stop('usage', '--time is written as 2026-12-01T09:00:00+01:00')
  return {
    file,
    url: needed(values.url ?? env['LOGGIA_URL'], '--url or LOGGIA_URL').replace(/\/+$/, ''),
    clientId: needed(values['client-id'] ?? env['LOGGIA_CLIENT_ID'], '--client-id or LOGGIA_CLIENT_ID'),
    clientSecret: needed(
      values['client-secret'] ?? env['LOGGIA_CLIENT_SECRET'],
      '--client-secret or LOGGIA_CLIENT_SECRET',
    ),
    ...(values.app === undefined ? {} : { app: values.app }),
    ...(values.lang === undefined ? {} : { lang: values.lang }),
    ...(values.notes === undefined ? {} : { notes: fileOrText(values.notes) }),
    ...(values.remark === undefined ? {} : { remark: fileOrText(values.remark) }),
    ...(phased === undefined ? {} : { phased }),
    ...(values.time === undefined ? {} : { time: new Date(values.time).toISOString() }),
    isSubmitted: !values['no-submit'],
    isWaiting: values.wait === true,
    isJson: values.json === true,
    timeoutMs: minutes * 60_000,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new Stop('usage', (error as Error).message)
  }
}

function needed(value: string | undefined, name: string): string {
  if (!value) throw new Stop('usage', `${name} is missing`)
  return value
}

function shareOf(written: string): number {
  const share = Number(written)
  if (!(share > 0 && share < 100)) throw new Stop('usage', '--phased is a percentage between 0 and 100')
  return share
}

function fileOrText(given: string): string {
  return (existsSync(given) && statSync(given).isFile() ? readFileSync(given, 'utf8') : given).trim()
}
