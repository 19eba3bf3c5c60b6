import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { PackageView } from '../package-calls.ts'
import { Copied } from './Copied.tsx'

const trustTones = { TRUSTED: 'good', UNKNOWN_ROOT: 'caution', EXPIRED: 'caution' } as const
const isAndroid = (kind: string) => kind === 'APK' || kind === 'AAB'

/** Who signed it. Fingerprints are asked for by other services and authorities, so each can be copied. */
export function Certificates({ one }: { one: PackageView }) {
  const { t } = useTranslation('distribute/packages')
  const unique = [...new Map(one.certificates.map(found => [found.certSha256, found])).values()]
  const wordOf = (digest: string) => {
    if (one.signers.includes(digest)) return t('signers.now')
    if (one.uploadSigners.includes(digest)) return t('kind.uploadKey')
    return isAndroid(one.kind) ? t('signers.before') : t('signers.issuer')
  }
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={`(${unique.length})`}
          description={t('signers.schemes', { schemes: one.signatureSchemes.join(', ') })}
        >
          {t('signers.title')}
        </Header>
      }
    >
      <SpaceBetween size="xl">
        {one.trust && (
          <div className="packages-trust">
            <StatusBadge tone={trustTones[one.trust.verdict]} text={t(`trust.verdicts.${one.trust.verdict}`)} />
            {one.trust.root !== null && (
              <span className="lg-soft">
                {t('trust.by')} <span translate="no">{one.trust.root}</span>
              </span>
            )}
          </div>
        )}
        {unique.map(found => (
          <KeyValuePairs
            key={found.certSha256}
            columns={2}
            minColumnWidth={260}
            items={[
              {
                label: wordOf(found.certSha256),
                value: found.subject ? <span translate="no">{found.subject}</span> : '–',
              },
              {
                label: t('signers.key'),
                value:
                  found.keyBits === null
                    ? found.keyAlgorithm
                    : t('signers.keySize', { algorithm: found.keyAlgorithm, bits: found.keyBits }),
              },
              { label: 'SHA-256', value: <Copied text={found.certSha256} isDigest /> },
              { label: 'SHA-1', value: <Copied text={found.certSha1} isDigest /> },
              { label: 'MD5', value: <Copied text={found.certMd5} isDigest /> },
              {
                label: t('signers.valid'),
                value: (
                  <>
                    <When at={found.notBefore} /> – <When at={found.notAfter} />
                  </>
                ),
              },
            ]}
          />
        ))}
      </SpaceBetween>
    </Container>
  )
}
