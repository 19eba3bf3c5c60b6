import i18next from 'i18next'
import { type CallError, isCallError } from './call-error.ts'

/** Our sentence for an error number (`errors.<number>` of its service, then of the frame), else the server's own. */
export function errorText(error: unknown): string {
  if (!isCallError(error)) return i18next.t('errors.unknown')
  if (error.status === 0) return i18next.t('errors.offline')
  return ownSentence(error) ?? error.message
}

function ownSentence(error: CallError): string | undefined {
  const key = `errors.${error.number}`
  for (const ns of [error.service, 'console']) {
    if (i18next.exists(key, { ns })) return i18next.t(key, { ns, ...error.detail })
  }
  return undefined
}
