import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../console/kit/When.tsx'
import { notify } from '../../../../console/notify.ts'
import { serverNow } from '../../../../console/server-clock.ts'
import { useAction } from '../../../../console/use-action.ts'
import type { UploadCertificateView } from '../contract.ts'
import { api } from './signing-calls.ts'

const minuteMs = 60_000

/** An upload certificate that waits: how long still, and who may hurry or stop it. */
export function PendingUpload({ appId, pending }: { appId: string; pending: UploadCertificateView }) {
  const { t } = useTranslation('distribute/signing')
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 15_000)
    return () => clearInterval(timer)
  }, [])
  const settle = useAction(api.putUploadCertificate, {
    onDone: answer => notify({ tone: 'success', text: t(`pending.done.${answer.state}`) }),
  })
  const minutes = Math.max(0, Math.ceil((pending.effectiveAt - now) / minuteMs))
  const left = t('pending.left', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
  const button = (action: 'approve' | 'cancel') =>
    pending.allowedActions.includes(action) && (
      <Button
        data-action={action}
        loading={settle.isRunning}
        onClick={() => void settle.run({ body: { appId, action: action === 'approve' ? 'APPROVE' : 'CANCEL' } })}
      >
        {t(`pending.${action}`)}
      </Button>
    )
  return (
    <Alert
      type="warning"
      header={t('pending.title')}
      action={
        <div className="lg-actions">
          {button('cancel')}
          {button('approve')}
        </div>
      }
    >
      <div role="timer" className="signing-left">
        {minutes === 0 ? t('pending.now') : left}
      </div>
      <div>
        {t('pending.at')} <When at={pending.effectiveAt} />
      </div>
      <div className="signing-digest" translate="no">
        {pending.certificate.certSha256}
      </div>
      <div>{t('pending.text')}</div>
    </Alert>
  )
}
