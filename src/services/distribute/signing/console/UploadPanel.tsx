import Button from '@cloudscape-design/components/button'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import type { Answer } from '../../../../kernel/contract.ts'
import type { signing } from '../contract.ts'
import { CertificatePanel } from './CertificatePanel.tsx'
import { api } from './signing-calls.ts'

type Uploads = Answer<(typeof signing)['calls']['getUploadCertificate']>

/** What uploads are signed with, and those before. */
export function UploadPanel({ uploads, onRegister }: { uploads: Uploads; onRegister: () => void }) {
  const { t } = useTranslation('distribute/signing')
  const { current, pending, previous, appId } = uploads
  return (
    <CertificatePanel
      title={t('upload.title')}
      description={t('upload.text')}
      certificates={
        current ? [{ certificate: current.certificate, pem: current.certPem, since: current.effectiveAt }] : []
      }
      fileName={`${appId}-upload.pem`}
      actions={
        <Can call={api.putUploadCertificate}>
          {pending === null && (
            <Button data-action="upload" onClick={onRegister}>
              {t(current ? 'upload.reset' : 'upload.register')}
            </Button>
          )}
        </Can>
      }
    >
      {!current && <EmptyState title={t('upload.none')} text={t('upload.noneText')} />}
      {previous.length > 0 && (
        <ExpandableSection headerText={t('upload.previous', { count: previous.length })} variant="footer">
          <ul className="signing-previous">
            {previous.map(one => (
              <li key={one.certId}>
                <span className="signing-digest" translate="no">
                  {one.certificate.certSha256}
                </span>
                <StatusBadge tone={one.state === 'CANCELED' ? 'stopped' : 'off'} text={t(`states.${one.state}`)} />
                <span className="lg-soft">
                  <When at={one.createdAt} />
                </span>
              </li>
            ))}
          </ul>
        </ExpandableSection>
      )}
    </CertificatePanel>
  )
}
