import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Multiselect from '@cloudscape-design/components/multiselect'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { countryName, shownLocale } from '../../../../console/shown.ts'
import { countryCodes } from '../../../ground/regions/contract.ts'
import { limits } from '../rules.ts'
import { EditDialog } from './EditDialog.tsx'
import { useVersionEdit } from './use-version-edit.ts'
import type { VersionView } from './version-calls.ts'

/** Where the version can be had, out of every country of the one table. */
export function ChooseCountries({ version, onClose }: { version: VersionView; onClose: () => void }) {
  const { t, i18n } = useTranslation('distribute/versions')
  const [chosen, setChosen] = useState<readonly string[]>(version.countries)
  const { act, save } = useVersionEdit(version, onClose)
  // biome-ignore lint/correctness/useExhaustiveDependencies: names change with the language on screen
  const options = useMemo(() => {
    const { compare } = new Intl.Collator(shownLocale())
    return countryCodes
      .map(value => ({ value, label: countryName(value), description: value }))
      .toSorted((one, other) => compare(one.label, other.label))
  }, [i18n.resolvedLanguage])
  return (
    <EditDialog
      title={t('countries.choose')}
      isRunning={act.isRunning}
      error={act.error}
      canSubmit={chosen.length <= limits.countries}
      onSubmit={() => void save({ countries: [...chosen] })}
      onClose={onClose}
    >
      <SpaceBetween direction="horizontal" size="xs">
        <Button formAction="none" onClick={() => setChosen(countryCodes.slice(0, limits.countries))}>
          {t('countries.all')}
        </Button>
        <Button formAction="none" disabled={chosen.length === 0} onClick={() => setChosen([])}>
          {t('countries.clear')}
        </Button>
      </SpaceBetween>
      <FormField label={t('countries.label')} constraintText={t('countries.count', { count: chosen.length })}>
        <Multiselect
          options={options}
          selectedOptions={options.filter(option => chosen.includes(option.value))}
          filteringType="auto"
          tokenLimit={12}
          expandToViewport
          placeholder={t('countries.placeholder')}
          onChange={({ detail }) => setChosen(detail.selectedOptions.map(option => option.value ?? ''))}
        />
      </FormField>
    </EditDialog>
  )
}
