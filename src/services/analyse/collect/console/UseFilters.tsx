import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import { languageNames } from '../../../../console/language.ts'
import { useIsNarrow } from '../../../../console/shell/use-is-narrow.ts'
import { shownZoneIds } from '../../../../kernel/zones.ts'
import { faces, languages, periods } from '../rules.ts'
import { dayText, lastDays } from './use-calls.ts'
import type { UseSearch } from './use-search.ts'

type Change = { [K in keyof UseSearch]?: UseSearch[K] | undefined }

interface ChoiceProps {
  label: string
  value: string | undefined
  options: readonly { value: string; label: string }[]
  /** What nothing chosen is called; left out, something always is. */
  none?: string
  onChange: (value: string | undefined) => void
}

function Choice({ label, value, options, none, onChange }: ChoiceProps) {
  const all = none === undefined ? options : [{ value: '', label: none }, ...options]
  return (
    <FormField label={label}>
      <Select
        selectedOption={all.find(option => option.value === (value ?? '')) ?? null}
        options={all}
        expandToViewport
        onChange={({ detail }) => onChange(detail.selectedOption.value || undefined)}
      />
    </FormField>
  )
}

/** Where, when, in which language and face; whether programs count. */
export function UseFilters({ search, onChange }: { search: UseSearch; onChange: (next: Change) => void }) {
  const { t } = useTranslation('analyse/collect')
  const isNarrow = useIsNarrow()
  const all = t('table.all')
  return (
    <div className="use-filters">
      <Choice
        label={t('filters.zone')}
        value={search.zone}
        options={shownZoneIds.map(value => ({ value, label: t(`zones.${value}`) }))}
        onChange={zone => onChange({ zone: zone as UseSearch['zone'] })}
      />
      {/* On a small screen the control shows its label itself. */}
      <FormField label={isNarrow ? undefined : t('filters.period')}>
        <SegmentedControl
          label={t('filters.period')}
          selectedId={String(search.days)}
          options={periods.map(id => ({ id: String(id), text: t('days', { count: id }) }))}
          onChange={({ detail }) => onChange({ days: Number(detail.selectedId) as UseSearch['days'], day: undefined })}
        />
      </FormField>
      <Choice
        label={t('filters.day')}
        value={search.day}
        none={all}
        options={lastDays(search.days)
          .toReversed()
          .map(value => ({ value, label: dayText(value, true) }))}
        onChange={day => onChange({ day })}
      />
      <Choice
        label={t('filters.language')}
        value={search.language}
        none={all}
        options={languages.map(value => ({ value, label: languageNames[value] }))}
        onChange={language => onChange({ language: language as UseSearch['language'] })}
      />
      <Choice
        label={t('filters.face')}
        value={search.face}
        none={all}
        options={faces.map(value => ({ value, label: t(`faces.${value}`) }))}
        onChange={face => onChange({ face: face as UseSearch['face'] })}
      />
      <Checkbox
        checked={search.withBots === true}
        description={t('filters.botsText')}
        onChange={({ detail }) => onChange({ withBots: detail.checked || undefined })}
      >
        {t('filters.bots')}
      </Checkbox>
    </div>
  )
}
