import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { saveFile } from '../../../../../console/save-file.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { CertView } from '../../certs/contract.ts'
import { certsApi, toneOfState } from '../harmony-calls.ts'

/** A certificate: what stands in it, what depends on it, its file, and taking it back. */
export function CertDialog({ cert, onClose }: { cert: CertView; onClose: () => void }) {
  const { t } = useTranslation('distribute/harmony')
  const [isRevoking, setRevoking] = useState(false)
  const revoke = useAction(certsApi.revokeCert, { onDone: onClose })
  const { certId, certName, allowedActions, usedByProfiles } = cert
  const isForced = allowedActions.includes('forceRevoke')
  const canRevoke = isForced || allowedActions.includes('revoke')
  if (isRevoking) {
    return (
      <ConfirmByName
        title={t('certs.revokeTitle', { name: certName })}
        name={certName}
        verb={t('certs.revoke')}
        isRunning={revoke.isRunning}
        onConfirm={() => void revoke.run({ query: { certId, ...(isForced && { force: true }) } })}
        onCancel={() => setRevoking(false)}
      >
        {t('certs.revokeText', { count: usedByProfiles.length })} {isForced && t('certs.revokeShelf')}
      </ConfirmByName>
    )
  }
  const mono = (text: string) => (
    <span className="harmony-mono" translate="no">
      {text}
    </span>
  )
  return (
    <Modal
      visible
      size="large"
      header={<span translate="no">{certName}</span>}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            {canRevoke && (
              <Button data-action={isForced ? 'forceRevoke' : 'revoke'} onClick={() => setRevoking(true)}>
                {t('certs.revoke')}
              </Button>
            )}
            <Button
              variant="primary"
              iconName="download"
              onClick={() => void saveFile(certsApi.downloadCert.raw({ query: { certId } }), `${certName}.cer`)}
            >
              {t('download')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="l">
        <KeyValuePairs
          columns={2}
          minColumnWidth={240}
          items={[
            { label: t('type'), value: t(`certTypes.${cert.certType}`) },
            {
              label: t('state'),
              value: <StatusBadge tone={toneOfState[cert.state]} text={t(`states.${cert.state}`)} />,
            },
            { label: t('certs.subject'), value: <span translate="no">{cert.subject}</span> },
            {
              label: t('certs.valid'),
              value: (
                <>
                  <When at={cert.createTime} /> – <When at={cert.expireTime} />
                </>
              ),
            },
            { label: 'SHA-256', value: mono(cert.sha256) },
            { label: t('certs.serial'), value: mono(cert.serial) },
            ...(cert.revokeTime === null
              ? []
              : [{ label: t('certs.revokedAt'), value: <When at={cert.revokeTime} /> }]),
          ]}
        />
        {usedByProfiles.length > 0 && (
          <div>
            <Box variant="awsui-key-label">{t('certs.usedBy')}</Box>
            <ul className="harmony-report">
              {usedByProfiles.map(one => (
                <li key={one.id}>
                  <span translate="no">{`${one.provisionName} · ${one.appName}`}</span>
                  {one.isOnShelf && <> · {t('certs.onShelf')}</>}
                </li>
              ))}
            </ul>
          </div>
        )}
        {isForced && <Alert type="warning">{t('certs.revokeShelf')}</Alert>}
      </SpaceBetween>
    </Modal>
  )
}
