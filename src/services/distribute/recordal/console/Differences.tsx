import Alert from '@cloudscape-design/components/alert'
import { useTranslation } from 'react-i18next'
import type { RecordalView } from './recordal-calls.ts'

/** Where the filing is not what the package says. */
export function Differences({ differences }: { differences: RecordalView['differences'] }) {
  const { t } = useTranslation('distribute/recordal')
  if (differences.length === 0) return null
  return (
    <Alert type="error" header={t('differences')}>
      <ul className="recordal-differences">
        {differences.map(one => (
          <li key={one.field}>
            {t(`fields.${one.field}`)}
            <div className="recordal-hex" translate="no">
              {t('filedAs')} {one.filed || '–'}
              <br />
              {t('packageSays')} {one.actual}
            </div>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
