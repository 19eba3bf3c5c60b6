import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../../console/shown.ts'
import { listingLanguages } from '../../../apps/contract.ts'
import { languageName } from '../version-words.ts'

/** Every language a listing can be written in and is not yet. */
export function AddLanguage({ present, onAdd }: { present: readonly string[]; onAdd: (lang: string) => void }) {
  const { t } = useTranslation('distribute/versions')
  const { compare } = new Intl.Collator(shownLocale())
  const options = listingLanguages
    .filter(lang => !present.includes(lang))
    .map(value => ({ value: String(value), label: languageName(value), description: value }))
    .toSorted((one, other) => compare(one.label, other.label))
  return (
    <div className="listing-add">
      <Select
        selectedOption={null}
        options={options}
        filteringType="auto"
        placeholder={t('languages.add')}
        ariaLabel={t('languages.add')}
        onChange={({ detail }) => detail.selectedOption.value && onAdd(detail.selectedOption.value)}
      />
    </div>
  )
}
