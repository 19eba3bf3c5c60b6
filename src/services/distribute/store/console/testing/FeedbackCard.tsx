import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../../../console/use-action.ts'
import { feedbackMost } from '../../../beta-test/tester/contract.ts'
import { type TestsView, testerApi } from '../store-calls.ts'
import { deviceOf } from './device.ts'
import { LogField, type SentLog } from './LogField.tsx'
import { PictureField, type SentPicture } from './PictureField.tsx'
import { refusalOf } from './refusal.ts'

/** What a tester says about a version, with pictures. */
export function FeedbackCard({ versions, token }: { versions: TestsView['versions']; token: string }) {
  const { t } = useTranslation('distribute/store')
  const id = useId()
  const [versionId, setVersionId] = useState(versions[0]?.versionId ?? '')
  const [text, setText] = useState('')
  const [pictures, setPictures] = useState<SentPicture[]>([])
  const [logs, setLogs] = useState<SentLog[]>([])
  const [hasDevice, setHasDevice] = useState(true)
  const [isSent, setSent] = useState(false)
  const send = useAction(testerApi.sendFeedback, { errors: 'form', invalidates: [], onDone: () => setSent(true) })
  const device = deviceOf(navigator.userAgent, navigator.language)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const screenshots = pictures.map(one => one.objectId)
    void send.run({
      body: { token, versionId, text, screenshots, logs: logs.map(one => one.objectId), ...(hasDevice && { device }) },
    })
  }
  const again = () => {
    setText('')
    setPictures([])
    setLogs([])
    setSent(false)
  }
  if (isSent) {
    return (
      <section className="open-test-card" role="status">
        <p>{t('openTest.sent')}</p>
        <button type="button" className="open-test-quiet" onClick={again}>
          {t('openTest.another')}
        </button>
      </section>
    )
  }
  return (
    <form className="open-test-card" onSubmit={submit}>
      <h2>{t('openTest.feedback')}</h2>
      <p>{t('openTest.feedbackText')}</p>
      {versions.length > 1 && (
        <>
          <label htmlFor={`${id}-version`}>{t('openTest.which')}</label>
          <select
            id={`${id}-version`}
            className="open-test-input"
            value={versionId}
            onChange={event => setVersionId(event.target.value)}
          >
            {versions.map(one => (
              <option key={one.versionId} value={one.versionId}>
                {one.versionName} ({one.versionCode})
              </option>
            ))}
          </select>
        </>
      )}
      <label htmlFor={`${id}-words`}>{t('openTest.words')}</label>
      <textarea
        id={`${id}-words`}
        className="open-test-input"
        rows={4}
        required
        maxLength={feedbackMost.textLength}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <PictureField token={token} versionId={versionId} pictures={pictures} onChange={setPictures} />
      <LogField token={token} versionId={versionId} logs={logs} onChange={setLogs} />
      <label className="open-test-check">
        <input type="checkbox" checked={hasDevice} onChange={event => setHasDevice(event.target.checked)} />
        <span>
          {t('openTest.device', { device: [device.model, device.system, device.language].filter(Boolean).join(', ') })}
        </span>
      </label>
      <button
        type="submit"
        className="open-test-button"
        data-action="sendFeedback"
        disabled={send.isRunning || text.trim() === ''}
      >
        {t('openTest.send')}
      </button>
      {send.error && <p role="alert">{refusalOf(t, send.error)}</p>}
    </form>
  )
}
