import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type SeriesMode, seriesModes } from '../rules.ts'
import { api, countryCodes, type SeriesView } from './series-calls.ts'

/** Whether people see both editions, or that for HarmonyOS alone, and where. */
export function ModeField({ one }: { one: SeriesView }) {
  const { t } = useTranslation('distribute/series')
  const { seriesId, revision } = one
  const [mode, setMode] = useState<SeriesMode>(one.mode)
  const [where, setWhere] = useState(one.singleIn.join(' '))
  const now = useCall(api.queryDoubleSingle, { body: { seriesId } })
  const set = useAction(api.setDoubleSingle, { errors: 'form' })
  const singleIn = mode === 'SINGLE' ? countryCodes(where) : []
  const isChanged = mode !== one.mode || singleIn.join() !== one.singleIn.join()
  const canBeSingle = now.data?.canBeSingle ?? false
  return (
    <div className="series-mode">
      <FormField label={t('mode')} constraintText={canBeSingle ? undefined : t('noHarmony')}>
        <RadioGroup
          value={mode}
          items={seriesModes.map(value => ({
            value,
            label: t(`modes.${value}`),
            description: t(`modeTexts.${value}`),
            disabled: !one.canEdit || (value === 'SINGLE' && !canBeSingle && one.mode !== 'SINGLE'),
          }))}
          onChange={({ detail }) => setMode(detail.value as SeriesMode)}
        />
      </FormField>
      {mode === 'SINGLE' && (
        <FormField label={t('where')} constraintText={t('whereHint')}>
          <Input
            value={where}
            readOnly={!one.canEdit}
            spellcheck={false}
            onChange={({ detail }) => setWhere(detail.value)}
          />
        </FormField>
      )}
      {set.error && <Alert type="error">{errorText(set.error)}</Alert>}
      {one.canEdit && isChanged && (
        <Button
          data-action="setDoubleSingle"
          loading={set.isRunning}
          onClick={() => void set.run({ body: { seriesId, mode, singleIn, revision } })}
        >
          {t('action.save')}
        </Button>
      )}
    </div>
  )
}
