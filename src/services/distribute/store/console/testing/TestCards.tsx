import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renderSVG } from 'uqr'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { storeLanguage, testerApi, testsApi } from '../store-calls.ts'
import { FeedbackCard } from './FeedbackCard.tsx'

interface TestCardsProps {
  appName: string
  /** One person's own, who may leave. */
  isPersonal: boolean
  token: string
  onLeft: () => void
}

/** What can be tested now, how to get it, and a place to say something about it. */
export function TestCards({ appName, isPersonal, token, onLeft }: TestCardsProps) {
  const { t } = useTranslation('distribute/store')
  const found = useCall(testsApi.viewTests, { body: { token, lang: storeLanguage() } }, { retry: false })
  const [isCopied, setCopied] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const leave = useAction(testerApi.leaveTests, { invalidates: [], onDone: ({ hasLeft }) => hasLeft && onLeft() })
  const tests = found.data
  const isNone = found.error !== null || tests?.versions.length === 0
  return (
    <>
      <header>
        <h1>{t('openTest.title', { name: appName })}</h1>
        <p className="open-test-lead">{t('openTest.lead', { name: appName })}</p>
      </header>
      {isNone && (
        <section className="open-test-card" role="alert">
          <h2>{t('openTest.none')}</h2>
          <p>{t('openTest.noneText')}</p>
        </section>
      )}
      {found.isPending && <p role="status">{t('state.loading')}</p>}
      {tests && tests.versions.length > 0 && (
        <>
          {tests.versions.map(one => (
            <section key={one.versionId} className="open-test-card">
              <h2>{t('openTest.notes')}</h2>
              <p className="open-test-said" translate="no">
                {one.notes}
              </p>
              <p className="open-test-soft">
                {one.versionName} ({one.versionCode}) · <ByteSize value={one.sizeBytes} />
              </p>
            </section>
          ))}
          <section className="open-test-card">
            <h2>{t('openTest.get')}</h2>
            <p>{t('openTest.step')}</p>
            <a className="open-test-button" href={tests.repository.replace(/^https?:/, 'fdroidrepos:')}>
              {t('openTest.open')}
            </a>
            <img
              className="open-test-qr"
              alt={t('openTest.qr')}
              src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(tests.repository, { border: 2 }))}`}
            />
            <code className="open-test-address">{tests.repository}</code>
            <button
              type="button"
              className="open-test-quiet"
              onClick={() => void navigator.clipboard?.writeText(tests.repository).then(() => setCopied(true))}
            >
              {isCopied ? t('openTest.copied') : t('openTest.copy')}
            </button>
          </section>
          <FeedbackCard versions={tests.versions} token={token} />
        </>
      )}
      {isPersonal && (
        <div>
          {isLeaving && <p role="status">{t('openTest.leaveAsk')}</p>}
          <button
            type="button"
            className="open-test-quiet"
            data-action="leave"
            disabled={leave.isRunning}
            onClick={() => (isLeaving ? void leave.run({ body: { token } }) : setLeaving(true))}
          >
            {t('openTest.leave')}
          </button>
        </div>
      )}
    </>
  )
}
