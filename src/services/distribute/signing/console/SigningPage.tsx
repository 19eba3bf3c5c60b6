import './signing.css'
import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { useAppOnScreen } from '../../../../console/app-on-screen.ts'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useCrumbName } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { CertificatePanel } from './CertificatePanel.tsx'
import { ImportDialog } from './dialogs/ImportDialog.tsx'
import { KeyDialog } from './dialogs/KeyDialog.tsx'
import { UploadDialog } from './dialogs/UploadDialog.tsx'
import { KeyButtons } from './KeyButtons.tsx'
import { PendingUpload } from './PendingUpload.tsx'
import { SigningPicture } from './SigningPicture.tsx'
import { api, appCalls, type OpenDialog } from './signing-calls.ts'
import { UploadPanel } from './UploadPanel.tsx'

const tones = { NONE: 'off', DEVELOPER: 'info', STORE: 'good' } as const

/** Who signs an app: as a picture, as certificates, and what may be done about it. */
export default function SigningPage() {
  const { t } = useTranslation('distribute/signing')
  const appId = usePageParam('appId')
  const app = useCall(appCalls.getApp, { query: { appId } })
  const key = useCall(api.getSigningKey, { query: { appId } })
  const uploads = useCall(api.getUploadCertificate, { query: { appId } })
  const [open, setOpen] = useState<OpenDialog | null>(null)
  useCrumbName('/apps/$appId', app.data?.name)
  useAppOnScreen(app.data)

  const failed = [app, key, uploads].find(one => one.error)
  if (failed?.error) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!app.data || !key.data || !uploads.data) {
    return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  }
  const { name } = app.data
  const one = key.data
  const close = () => setOpen(null)
  if (app.data.packageType !== 'ANDROID') {
    return (
      <SpaceBetween size="l">
        <PageHeader title={t('title')} description={name} />
        <EmptyState title={t('other.title')} text={t('other.text')} level="h2" />
      </SpaceBetween>
    )
  }
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('title')}
        description={
          <>
            <span translate="no">{name}</span>
            <div>{t(`modes.${one.mode}.text`)}</div>
          </>
        }
        status={<StatusBadge tone={tones[one.mode]} text={t(`modes.${one.mode}.name`)} />}
        actions={<KeyButtons one={one} onOpen={setOpen} />}
      />
      {uploads.data.pending && <PendingUpload appId={appId} pending={uploads.data.pending} />}
      {one.mode === 'STORE' && one.uploadCertSha256 === null && (
        <Alert type="info" header={t('firstUpload.title')}>
          {t('firstUpload.text')}
        </Alert>
      )}
      <SigningPicture one={one} upload={uploads.data.current?.certificate ?? null} />
      {one.appKey && (
        <CertificatePanel
          title={t('appKey.title')}
          description={t(`appKey.${one.appKey.source}`)}
          certificates={[{ certificate: one.appKey.certificate, pem: one.appKey.certPem, since: one.appKey.createdAt }]}
          fileName={`${appId}-app.pem`}
        />
      )}
      {one.mode === 'DEVELOPER' && one.developerCert && (
        <CertificatePanel
          title={t('developerKey.title')}
          description={t('developerKey.text')}
          certificates={[{ certificate: one.developerCert }]}
        />
      )}
      <UploadPanel uploads={uploads.data} onRegister={() => setOpen('upload')} />
      {one.lineage.length > 1 && (
        <CertificatePanel
          title={t('before.title')}
          description={t('before.text')}
          certificates={one.lineage.slice(0, -1).map(certificate => ({ certificate }))}
        />
      )}
      {open === 'upload' && <UploadDialog appId={appId} isReset={one.uploadCertSha256 !== null} onClose={close} />}
      {open === 'import' && <ImportDialog one={one} name={name} onClose={close} />}
      {(open === 'generate' || open === 'rotate' || open === 'discard') && (
        <KeyDialog action={open} one={one} name={name} onClose={close} />
      )}
    </SpaceBetween>
  )
}
