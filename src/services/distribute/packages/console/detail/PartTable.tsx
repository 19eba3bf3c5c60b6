import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Table from '@cloudscape-design/components/table'
import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { OutsideLink } from '../../../../../console/kit/OutsideLink.tsx'
import type { Answer } from '../../../../../kernel/contract.ts'
import type { madePackages } from '../../signed/contract.ts'
import { Copied } from './Copied.tsx'

type Part = Answer<(typeof madePackages)['calls']['getApks']>['parts'][number]

/** The set of packages that devices install together, each with whom it is for. */
export function PartTable({ parts }: { parts: readonly Part[] }) {
  const { t } = useTranslation('distribute/packages')
  const { i18n } = useTranslation()
  if (parts.length === 0) return null
  const languages = new Intl.DisplayNames([i18n.language, 'en'], { type: 'language' })
  const wordOf = ({ abi, density, language }: Part) => {
    if (language !== null) return languages.of(language) ?? language
    if (density !== null) return t('devicesGet.density', { density })
    return abi ?? t('devicesGet.base')
  }
  return (
    <ExpandableSection
      headerText={t('devicesGet.parts', { count: parts.length })}
      headerDescription={t('devicesGet.partsText')}
    >
      <Table
        variant="embedded"
        items={parts}
        trackBy="objectId"
        ariaLabels={{ tableLabel: t('devicesGet.parts', { count: parts.length }) }}
        columnDefinitions={[
          { id: 'for', header: t('devicesGet.for'), cell: wordOf, isRowHeader: true },
          {
            id: 'part',
            header: t('devicesGet.part'),
            cell: one => (
              <OutsideLink href={one.downloadUrl}>
                <span translate="no">{one.fileName}</span>
              </OutsideLink>
            ),
          },
          { id: 'size', header: t('devicesGet.size'), cell: one => <ByteSize value={one.sizeBytes} /> },
          { id: 'digest', header: 'SHA-256', cell: one => <Copied text={one.sha256} isDigest /> },
        ]}
      />
    </ExpandableSection>
  )
}
