import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { DifferenceView, EvidenceView } from '../review-calls.ts'

interface SignerChainProps {
  pkg: NonNullable<EvidenceView['package']>
  signer: DifferenceView['signer'] | null
}

/** Who signed, key by key, the rotation that led there, and whether installed copies will take it. */
export function SignerChain({ pkg, signer }: SignerChainProps) {
  const { t } = useTranslation('distribute/review')
  return (
    <>
      {signer && (
        <p>
          {signer.isSame ? (
            <StatusBadge tone="good" text={t('signer.same')} />
          ) : signer.isProven ? (
            <StatusBadge tone="caution" text={t('signer.proven')} />
          ) : (
            <StatusBadge tone="bad" text={t('signer.other')} />
          )}
        </p>
      )}
      <ol className="review-chain">
        {pkg.certificates.map(certificate => (
          <li key={`${certificate.scheme} ${certificate.certSha256}`}>
            <strong>{certificate.subject}</strong>{' '}
            <span className="lg-soft">
              {certificate.scheme} · {certificate.keyAlgorithm} {certificate.keyBits ?? ''}
            </span>
            <div className="review-hash">{certificate.certSha256}</div>
            <div className="lg-soft">
              <When at={certificate.notBefore} /> – <When at={certificate.notAfter} />
            </div>
          </li>
        ))}
      </ol>
      {pkg.lineage.length > 1 && (
        <>
          <p>{t('signer.lineage')}</p>
          <ol className="review-chain">
            {pkg.lineage.map(digest => (
              <li key={digest} className="review-hash">
                {digest}
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}
