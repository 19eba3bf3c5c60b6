import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Config } from '../config.ts'
import { mailHostOf } from './mail/open.ts'

const run = promisify(execFile)

const programs = [
  { name: 'aapt2', args: ['version'], use: 'compiling app bundles to APKs', install: 'apt-get install aapt' },
  {
    name: 'apksigner',
    args: ['--version'],
    use: 'signing packages with keys that the store holds',
    install: 'apt-get install apksigner',
  },
  { name: 'bwrap', args: ['--version'], use: 'sandboxes of cloud functions', install: 'apt-get install bubblewrap' },
  { name: 'podman', args: ['--version'], use: 'containers of apps', install: 'apt-get install podman runc' },
  { name: 'valkey-server', args: ['--version'], use: 'cache instances', install: 'apt-get install valkey-server' },
  { name: 'ffprobe', args: ['-version'], use: 'reading videos', install: 'apt-get install ffmpeg' },
] as const

/** One row an engine: name, state, what it is for or the line that installs it. */
export async function engineTable(config: Config, isEmbedded: boolean): Promise<string[][]> {
  const found = await Promise.all(
    programs.map(async ({ name, args, use, install }) => {
      const isThere = await run(name, [...args], { timeout: 5_000 }).then(
        () => true,
        error => (error as { code?: unknown }).code !== 'ENOENT',
      )
      return isThere ? [name, 'found', use] : [name, 'missing', `${use}: ${install}`]
    }),
  )
  return [
    ['PostgreSQL', 'found', isEmbedded ? 'rows, embedded 18 from npm' : "rows, the operator's server"],
    ['bytes', 'found', config.bytes.startsWith('s3:') ? 'S3' : 'files below the data folder'],
    mailRow(mailHostOf(config)),
    ...found,
  ]
}

function mailRow(host: string | null): string[] {
  if (host !== null) return ['mail', 'found', `SMTP over ${host}`]
  return [
    'mail',
    'sink',
    'mails are kept below the data folder; to send them: LOGGIA_SMTP=smtp://user:password@host:587',
  ]
}
