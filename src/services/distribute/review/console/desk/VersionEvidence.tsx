import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OutsideLink } from '../../../../../console/kit/OutsideLink.tsx'
import { countryName } from '../../../../../console/shown.ts'
import type { EvidenceView } from '../review-calls.ts'
import { versionName } from '../review-words.ts'
import { FindingText } from './FindingText.tsx'

/** What the developer tells the reviewer, and what the machine found. */
export function VersionEvidence({ evidence }: { evidence: EvidenceView }) {
  const { t } = useTranslation('distribute/review')
  const [isShown, setShown] = useState(false)
  const { version, testAccount, findings, predecessor } = evidence
  return (
    <Container header={<Header variant="h2">{t('evidence.about')}</Header>}>
      <SpaceBetween size="m">
        {findings.length > 0 && (
          <Alert type="warning" header={t('evidence.findings')}>
            <ul className="review-list">
              {findings.map(finding => (
                <li key={`${finding.rule} ${finding.field}`}>
                  <FindingText finding={finding} />
                </li>
              ))}
            </ul>
          </Alert>
        )}
        <KeyValuePairs
          columns={3}
          items={[
            {
              label: t('evidence.note'),
              value: <p className="review-said">{version.remark || t('evidence.noNote')}</p>,
            },
            {
              label: t('evidence.signIn'),
              value: testAccount.isNeeded ? (
                <>
                  {testAccount.account} ·{' '}
                  <span className="review-hash">{isShown ? (testAccount.password ?? '–') : '••••••'}</span>{' '}
                  <Button variant="inline-link" ariaExpanded={isShown} onClick={() => setShown(!isShown)}>
                    {isShown ? t('evidence.hide') : t('evidence.show')}
                  </Button>
                </>
              ) : (
                t('evidence.noSignIn')
              ),
            },
            {
              label: t('evidence.privacy'),
              value: version.privacyPolicyUrl ? <OutsideLink href={version.privacyPolicyUrl} /> : '–',
            },
            {
              label: t('evidence.ai'),
              value: version.aiContent?.involved
                ? [version.aiContent.providerNames, version.aiContent.algorithmFilingNo].filter(Boolean).join(' · ')
                : t('evidence.aiNone'),
            },
            { label: t('evidence.release'), value: t(`release.${version.releaseMode}`) },
            {
              label: t('evidence.countries', { count: version.countries.length }),
              value:
                version.countries.slice(0, 12).map(countryName).join(', ') +
                (version.countries.length > 12 ? ' …' : ''),
            },
            {
              label: t('evidence.onShelf'),
              value: predecessor ? versionName(predecessor.version) : t('evidence.first'),
            },
          ]}
        />
      </SpaceBetween>
    </Container>
  )
}
