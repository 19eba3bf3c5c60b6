import Checkbox from '@cloudscape-design/components/checkbox'
import { useTranslation } from 'react-i18next'
import { languageNames } from '../../../../console/language.ts'
import { faces, languages } from '../rules.ts'
import { Choice } from './Choice.tsx'
import { dayText, lastDays } from './use-calls.ts'
import type { UseSearch } from './use-search.ts'
import { ZoneAndPeriod } from './ZoneAndPeriod.tsx'

type Change = { [K in keyof UseSearch]?: UseSearch[K] | undefined }

/** Where, when, in which language and face; whether programs count. */
export function UseFilters({ search, onChange }: { search: UseSearch; onChange: (next: Change) => void }) {
  const { t } = useTranslation('analyse/collect')
  const all = t('table.all')
  return (
    <div className="use-filters">
      <ZoneAndPeriod
        zone={search.zone}
        days={search.days}
        onChange={next => onChange(next.days ? { ...next, day: undefined } : next)}
      />
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
