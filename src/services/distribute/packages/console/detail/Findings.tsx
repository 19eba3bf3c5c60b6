import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { blocking } from '../../rules.ts'
import type { PackageView } from '../package-calls.ts'
import { findingText } from '../package-words.ts'

/** What stands against the package, what blocks first; each sentence says what to change. */
export function Findings({ one }: { one: PackageView }) {
  const { t } = useTranslation('distribute/packages')
  const blocks = blocking(one.findings, one.usage)
  const sorted = [...blocks, ...one.findings.filter(finding => !blocks.includes(finding))]
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={`(${sorted.length})`}
          description={blocks.length > 0 ? t('findingList.blocked') : t('findingList.passed')}
        >
          {t('findingList.title')}
        </Header>
      }
    >
      <ul className="packages-findings">
        {sorted.map(finding => {
          const isBlock = blocks.includes(finding)
          return (
            <li key={`${finding.code} ${JSON.stringify(finding.params)}`}>
              <span className="packages-finding-head">
                <StatusBadge
                  tone={isBlock ? 'bad' : 'caution'}
                  text={isBlock ? t('findingList.block') : t('findingList.warn')}
                />
                <span className="lg-soft">{t('findingList.number', { code: finding.code })}</span>
              </span>
              <span>{findingText(finding)}</span>
              {finding.appliesTo === 'FORMAL' && <span className="lg-soft">{t('findingList.formal')}</span>}
            </li>
          )
        })}
      </ul>
    </Container>
  )
}
