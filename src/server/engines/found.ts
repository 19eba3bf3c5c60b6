import type { Config } from '../config.ts'
import { missingPrograms } from '../programs.ts'
import { installLine, isDuckDbInstalled } from './analytics/installed.ts'
import { mailHostOf } from './mail/open.ts'

/** Programs with the Debian package that brings each, and what it is for. */
const programs = [
  ['aapt2', 'aapt', 'compiling app bundles to APKs'],
  ['apksigner', 'apksigner', 'signing packages with keys that the store holds'],
  ['bwrap', 'bubblewrap', 'sandboxes of cloud functions'],
  ['podman', 'podman runc', 'containers of apps'],
  ['valkey-server', 'valkey-server', 'cache instances'],
  ['ffprobe', 'ffmpeg', 'reading videos'],
] as const

/** One row an engine: name, state, what it is for or the line that installs it. */
export async function engineTable(config: Config, isEmbedded: boolean): Promise<string[][]> {
  const found = await Promise.all(
    programs.map(async ([name, debian, use]) => {
      const missing = await missingPrograms({ [name]: debian })
      return missing ? [name, 'missing', `${use}: ${missing.install}`] : [name, 'found', use]
    }),
  )
  return [
    ['PostgreSQL', 'found', isEmbedded ? 'rows, embedded 18 from npm' : "rows, the operator's server"],
    ['bytes', 'found', config.bytes.startsWith('s3:') ? 'S3' : 'files below the data folder'],
    analyticsRow(),
    mailRow(mailHostOf(config)),
    ...found,
  ]
}

function analyticsRow(): string[] {
  if (isDuckDbInstalled()) return ['analytics', 'found', 'events of apps, DuckDB in a process of its own']
  return ['analytics', 'missing', `events of apps are kept, but nothing counts them: ${installLine}`]
}

function mailRow(host: string | null): string[] {
  if (host !== null) return ['mail', 'found', `SMTP over ${host}`]
  return [
    'mail',
    'sink',
    'mails are kept below the data folder; to send them: LOGGIA_SMTP=smtp://user:password@host:587',
  ]
}
