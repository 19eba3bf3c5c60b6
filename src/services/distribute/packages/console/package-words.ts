import i18next from 'i18next'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { PackageState } from '../rules.ts'
import type { FindingView, PackageRow } from './package-calls.ts'

export const ns = 'distribute/packages'

export const toneOf: Readonly<Record<PackageState, Tone>> = {
  UPLOADED: 'waiting',
  PARSING: 'running',
  CHECKING: 'running',
  COMPILING: 'running',
  READY: 'good',
  FAILED: 'bad',
  ARCHIVED: 'stopped',
}

const settled: readonly PackageState[] = ['READY', 'FAILED', 'ARCHIVED']

export const isProcessing = (state: PackageState) => !settled.includes(state)

/** The notice that tells how the reading of a package ended; its page takes it away. */
export const noticeOf = (pkgId: string) => `package-${pkgId}`

/** `2.0 (20)`; what cannot be read yet goes by its file name. */
export function nameOf(row: Pick<PackageRow, 'versionName' | 'versionCode' | 'fileName'>): string {
  if (row.versionCode === null) return row.fileName
  return row.versionName ? `${row.versionName} (${row.versionCode})` : row.versionCode
}

/** A finding in the language on screen; the server's English where we have no sentence of our own. */
export function findingText({ code, detail, params }: FindingView): string {
  const t = i18next.getFixedT(null, ns)
  const english = String(params['reason'] ?? '')
  const ofArchive = t(`anomalies.${params['anomaly']}`, { defaultValue: english })
  const reason = t(`causes.${params['cause']}`, { defaultValue: ofArchive })
  return t(`findings.${code}`, { ...params, reason, defaultValue: detail })
}
