import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CallError, isCallError } from '../../../../../console/call-error.ts'
import { feedbackMost } from '../../../beta-test/tester/contract.ts'
import { testerApi } from '../store-calls.ts'
import { refusalOf } from './refusal.ts'

const { logs: most, logKinds: kinds } = feedbackMost

export interface SentLog {
  objectId: string
  name: string
}

interface LogFieldProps {
  token: string
  versionId: string
  logs: SentLog[]
  onChange: (logs: SentLog[]) => void
}

/** Log files for a feedback: each is sent as soon as it is chosen. */
export function LogField({ token, versionId, logs, onChange }: LogFieldProps) {
  const { t } = useTranslation('distribute/store')
  const id = useId()
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<CallError | null>(null)
  const take = async (files: File[]) => {
    setRunning(true)
    setError(null)
    const sent = [...logs]
    try {
      for (const file of files.slice(0, most - sent.length)) {
        const extension = kinds.find(kind => file.name.toLowerCase().endsWith(`.${kind}`)) ?? 'txt'
        const { ticket } = await testerApi.makePictureTicket({ body: { token, versionId, extension } })
        const form = new FormData()
        form.set('file', file, `log.${extension}`)
        const { objectId } = await testerApi.sendPicture({ params: { ticket }, body: form })
        sent.push({ objectId, name: file.name })
        onChange([...sent])
      }
    } catch (caught) {
      if (!isCallError(caught)) throw caught
      setError(caught)
    } finally {
      setRunning(false)
    }
  }
  return (
    <>
      {logs.length > 0 && (
        <ul className="open-test-logs">
          {logs.map(({ objectId, name }) => (
            <li key={objectId}>
              <span translate="no">{name}</span>
              <button
                type="button"
                className="open-test-quiet"
                aria-label={t('openTest.removeLog', { name })}
                onClick={() => onChange(logs.filter(one => one.objectId !== objectId))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {logs.length < most && (
        <>
          <input
            id={id}
            type="file"
            className="lg-unseen"
            accept={kinds.map(kind => `.${kind}`).join(',')}
            multiple
            disabled={isRunning}
            aria-describedby={`${id}-hint`}
            onChange={event => {
              const files = [...(event.target.files ?? [])]
              event.target.value = ''
              void take(files)
            }}
          />
          <label htmlFor={id} className="open-test-quiet" data-action="addLogs">
            {isRunning ? t('state.loading') : t('openTest.addLogs')}
          </label>
          <span id={`${id}-hint`} className="open-test-soft">
            {t('openTest.logsHint', { count: most })}
          </span>
        </>
      )}
      {error && <p role="alert">{refusalOf(t, error)}</p>}
    </>
  )
}
