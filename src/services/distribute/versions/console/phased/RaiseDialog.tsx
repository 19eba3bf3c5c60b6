import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { basisPointsOf, curve, lastDay, percentOf, percentPattern, shareOfDay } from '../../phased/rules.ts'
import { EditDialog } from '../EditDialog.tsx'
import { type PhasedView, phasedApi } from '../version-calls.ts'
import { PercentField } from './PercentField.tsx'

/** More devices: a later day of the curve, or a larger share. */
export function RaiseDialog({ phased, onClose }: { phased: PhasedView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, revision, kind } = phased
  const today = phased.day ?? 1
  const [day, setDay] = useState(Math.min(today + 1, lastDay - 1))
  const [percent, setPercent] = useState(phased.percent)
  const act = useAction(phasedApi.updatePhasedRelease, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('phased.done.raise') })
      onClose()
    },
  })
  const isCurve = kind === 'CURVE7'
  // The last day is its own button.
  const options = curve
    .map((_, index) => index + 1)
    .filter(one => one > today && one < lastDay)
    .map(one => ({ value: String(one), label: t('phased.dayOf', { day: one, percent: percentOf(shareOfDay(one)) }) }))
  const isMore = new RegExp(percentPattern).test(percent) && basisPointsOf(percent) > basisPointsOf(phased.percent)
  const canSubmit = isCurve ? options.some(one => one.value === String(day)) : isMore
  return (
    <EditDialog
      title={t('phased.ask.raise')}
      verb={t('phased.actions.raise')}
      action="raise"
      isRunning={act.isRunning}
      error={act.error}
      canSubmit={canSubmit}
      onSubmit={() =>
        void act.run({ body: { versionId, ...(isCurve ? { phaseDay: day } : { percent }) } }, { revision })
      }
      onClose={onClose}
    >
      <p className="version-said">{t('phased.asks.raise')}</p>
      {isCurve ? (
        <FormField label={t('phased.toDay')}>
          <Select
            selectedOption={options.find(one => one.value === String(day)) ?? null}
            options={options}
            empty={t('phased.noDay')}
            onChange={({ detail }) => setDay(Number(detail.selectedOption.value))}
          />
        </FormField>
      ) : (
        <PercentField value={percent} above={phased.percent} onChange={setPercent} />
      )}
    </EditDialog>
  )
}
