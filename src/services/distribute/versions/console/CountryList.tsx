import ExpandableSection from '@cloudscape-design/components/expandable-section'
import { useTranslation } from 'react-i18next'
import { countryName, shownLocale } from '../../../../console/shown.ts'

const shortList = 24

/** Countries by name in the reader's order; a long list is folded. */
export function CountryList({ countries }: { countries: readonly string[] }) {
  const { t } = useTranslation('distribute/versions')
  if (countries.length === 0) return <span className="lg-soft">{t('countries.none')}</span>
  const names = countries.map(countryName).toSorted(new Intl.Collator(shownLocale()).compare)
  const list = (
    <ul className="version-countries">
      {names.map(name => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  )
  if (names.length <= shortList) return list
  return <ExpandableSection headerText={t('countries.count', { count: names.length })}>{list}</ExpandableSection>
}
