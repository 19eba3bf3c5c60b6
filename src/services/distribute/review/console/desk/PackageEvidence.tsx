import Alert from '@cloudscape-design/components/alert'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import type { DifferenceView, EvidenceView } from '../review-calls.ts'
import { versionName } from '../review-words.ts'
import { ChangeList } from './ChangeList.tsx'
import { PackageFindingText } from './PackageFindingText.tsx'
import { SignerChain } from './SignerChain.tsx'
import { SizeChange } from './SizeChange.tsx'

interface PackageEvidenceProps {
  evidence: EvidenceView
  difference: DifferenceView | null
}

/** What the bytes say: facts, permissions, signers, and how they differ from what is on the shelf. */
export function PackageEvidence({ evidence, difference }: PackageEvidenceProps) {
  const { t } = useTranslation('distribute/review')
  const pkg = evidence.package
  if (!pkg) return <EmptyState title={t('package.none')} text={t('package.noneText')} />
  return (
    <SpaceBetween size="l">
      {pkg.findings.length > 0 && (
        <Alert type="warning" header={t('package.findings')}>
          <ul className="review-list">
            {pkg.findings.map(finding => (
              <li key={`${finding.code} ${finding.detail}`}>
                <span>
                  {finding.code}: <PackageFindingText finding={finding} />
                </span>
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <KeyValuePairs
        columns={3}
        items={[
          { label: t('package.name'), value: pkg.packageName ?? '–' },
          { label: t('package.version'), value: versionName(pkg) },
          {
            label: t('package.size'),
            value: difference ? (
              <SizeChange from={difference.from.sizeBytes} to={difference.to.sizeBytes} />
            ) : (
              <ByteSize value={pkg.sizeBytes} />
            ),
          },
          {
            label: t('package.sdk'),
            value: t('package.sdks', { min: pkg.minSdk ?? '–', target: pkg.targetSdk ?? '–' }),
          },
          { label: t('package.abis'), value: pkg.abis.join(', ') || t('package.anyAbi') },
          { label: t('package.debuggable'), value: pkg.debuggable ? t('package.yes') : t('package.no') },
          { label: t('package.dex'), value: pkg.dexCount },
          { label: t('package.schemes'), value: pkg.signatureSchemes.join(', ') || '–' },
          { label: 'SHA-256', value: <span className="review-hash">{pkg.sha256}</span> },
        ]}
      />
      <div>
        <Header variant="h3" counter={`(${pkg.permissions.length})`}>
          {t('package.permissions')}
        </Header>
        <ChangeList now={pkg.permissions.map(one => one.name)} change={difference?.permissions ?? null} />
      </div>
      <div>
        <Header variant="h3" counter={`(${pkg.features.length})`}>
          {t('package.features')}
        </Header>
        <ChangeList now={pkg.features.map(one => one.name)} change={difference?.features ?? null} />
      </div>
      <div>
        <Header variant="h3">{t('package.signers')}</Header>
        <SignerChain pkg={pkg} signer={difference?.signer ?? null} />
      </div>
      {difference && difference.folders.length > 0 && (
        <div>
          <Header variant="h3">{t('package.folders')}</Header>
          <ul className="review-list">
            {difference.folders.map(one => (
              <li key={one.folder}>
                <strong>{one.folder}</strong> <SizeChange from={one.fromBytes} to={one.toBytes} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </SpaceBetween>
  )
}
