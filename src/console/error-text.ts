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
  const detail = { ...error.detail, ...ownProblem(error) }
  const ns = whereItIs(key, error)
  return ns && i18next.t(key, { ns, ...detail })
}

/** What the detail calls `why` in our words (`errors.why.<why>`), in the place of the server's `problem`. */
function ownProblem(error: CallError): { problem?: string } {
  const key = `errors.why.${String(error.detail['why'])}`
  const ns = whereItIs(key, error)
  return ns === undefined ? {} : { problem: i18next.t(key, { ns, ...error.detail }) }
}

const whereItIs = (key: string, { service }: CallError): string | undefined =>
  [service, 'console'].find(ns => i18next.exists(key, { ns }))

/**
 * The same for a refusal that was only noted, without the values of its sentence: ours where it names none, else the
 * server's.
 */
export function notedRefusal(service: string, code: number | null, message: string | null): string | null {
  if (code === null) return message
  const language = i18next.resolvedLanguage ?? 'zh'
  const own = [service, 'console'].map(ns => i18next.getResource(language, ns, `errors.${code}`) as unknown)
  return (own.find(text => typeof text === 'string' && !text.includes('{{')) as string | undefined) ?? message
}
