import FormField from '@cloudscape-design/components/form-field'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useTranslation } from 'react-i18next'
import { countryName, shownLocale } from '../../../../../console/shown.ts'

interface PhaseCountriesProps {
  /** Where the version is offered at all. */
  offered: readonly string[]
  value: readonly string[]
  onChange: (value: string[]) => void
}

/** Only some of the countries first; none chosen is all of them. */
export function PhaseCountries({ offered, value, onChange }: PhaseCountriesProps) {
  const { t } = useTranslation('distribute/versions')
  const { compare } = new Intl.Collator(shownLocale())
  const options = offered
    .map(code => ({ value: code, label: countryName(code), description: code }))
    .toSorted((one, other) => compare(one.label, other.label))
  // One that was planned and is not offered any more can only be taken out.
  const gone = value.filter(code => !offered.includes(code)).map(code => ({ value: code, label: countryName(code) }))
  return (
    <FormField
      label={t('phased.countries')}
      constraintText={t('phased.countriesText')}
      errorText={gone.length > 0 ? t('phased.countriesGone') : undefined}
    >
      <Multiselect
        options={options}
        selectedOptions={[...options.filter(option => value.includes(option.value)), ...gone]}
        filteringType="auto"
        tokenLimit={6}
        expandToViewport
        placeholder={t('countries.placeholder')}
        onChange={({ detail }) => onChange(detail.selectedOptions.map(option => option.value ?? ''))}
      />
    </FormField>
  )
}
