import ExpandableSection from '@cloudscape-design/components/expandable-section'
import { useTranslation } from 'react-i18next'
import { type ReachRow, storeLanguage } from '../store-calls.ts'
import { type KnownVersion, measures, versionLabel } from './reach-series.ts'

interface ReachTableProps {
  rows: readonly ReachRow[]
  versions: readonly KnownVersion[]
}

/** The chart in numbers, for whoever reads rather than looks. */
export function ReachTable({ rows, versions }: ReachTableProps) {
  const { t } = useTranslation('distribute/store')
  return (
    <ExpandableSection variant="container" headerText={t('reach.table')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the box scrolls, so the keyboard must reach it */}
      <section className="reach-scroll" aria-label={t('reach.table')} tabIndex={0}>
        <table className="reach-table">
          <thead>
            <tr>
              <th scope="col">{t('reach.day')}</th>
              <th scope="col">{t('reach.version')}</th>
              {measures.map(measure => (
                <th key={measure} scope="col">
                  {t(`measures.${measure}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={`${row.day} ${row.versionId}`}>
                <th scope="row">{row.day}</th>
                <td>{versionLabel(row.versionId, versions)}</td>
                {measures.map(measure => (
                  <td key={measure}>{row[measure].toLocaleString(storeLanguage())}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </ExpandableSection>
  )
}
