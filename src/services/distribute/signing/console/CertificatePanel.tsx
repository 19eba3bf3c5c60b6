import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../console/kit/When.tsx'
import { saveFile } from '../../../../console/save-file.ts'
import type { CertificateView } from '../contract.ts'

interface CertificatePanelProps {
  title: string
  description: string
  certificates: readonly { certificate: CertificateView; pem?: string | null; since?: number | null }[]
  fileName?: string
  actions?: ReactNode
  children?: ReactNode
}

/** Certificates with the fingerprints that other services and authorities ask for, each to be copied. */
export function CertificatePanel(props: CertificatePanelProps) {
  const { title, description, certificates, fileName, actions, children } = props
  const { t } = useTranslation('distribute/signing')
  const [first] = certificates
  const pem = first?.pem
  const buttons = (
    <div className="lg-actions">
      {actions}
      {pem && fileName && (
        <Button iconName="download" onClick={() => void saveFile(Promise.resolve(new Response(pem)), fileName)}>
          {t('certificate.save')}
        </Button>
      )}
    </div>
  )
  return (
    <Container
      header={
        <Header variant="h2" description={description} actions={buttons}>
          {title}
        </Header>
      }
    >
      <SpaceBetween size="xl">
        {certificates.map(({ certificate, since }) => (
          <Facts key={certificate.certSha256} one={certificate} since={since ?? null} />
        ))}
        {children}
      </SpaceBetween>
    </Container>
  )
}

function Facts({ one, since }: { one: CertificateView; since: number | null }) {
  const { t } = useTranslation('distribute/signing')
  const digests = [
    ['SHA-256', one.certSha256],
    ['SHA-1', one.certSha1],
    ['MD5', one.certMd5],
  ] as const
  return (
    <KeyValuePairs
      columns={2}
      minColumnWidth={260}
      items={[
        ...digests.map(([label, digest]) => ({ label, value: <Fingerprint name={label} text={digest} /> })),
        {
          label: t('certificate.key'),
          value:
            one.keyBits === null
              ? one.keyAlgorithm
              : t('certificate.keySize', { algorithm: one.keyAlgorithm, bits: one.keyBits }),
        },
        { label: t('certificate.subject'), value: <span translate="no">{one.subject || '–'}</span> },
        {
          label: t('certificate.valid'),
          value: (
            <>
              <When at={one.notBefore} /> – <When at={one.notAfter} />
            </>
          ),
        },
        ...(since === null ? [] : [{ label: t('certificate.since'), value: <When at={since} /> }]),
      ]}
    />
  )
}

/** In pairs with colons, as authorities and other services write it; lines break between groups of eight. */
function Fingerprint({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation('distribute/signing')
  const pairs = (text.match(/../g) ?? []).join(':').toUpperCase()
  return (
    <span className="signing-digest" translate="no">
      <CopyToClipboard
        variant="icon"
        textToCopy={pairs}
        copyButtonAriaLabel={t('certificate.copy', { name })}
        copySuccessText={t('certificate.copied')}
        copyErrorText={t('certificate.notCopied')}
      />
      {(pairs.match(/.{1,24}/g) ?? []).map(group => (
        <span key={group} className="signing-group">
          {group}
        </span>
      ))}
    </span>
  )
}
