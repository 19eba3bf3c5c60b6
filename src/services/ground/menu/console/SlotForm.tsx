import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { billboard } from '../billboard/contract.ts'
import { slotTones } from '../rules.ts'
import { board, type SlotView } from './menu-calls.ts'
import { ToldForm, toldValues } from './ToldForm.tsx'

/** Makes a slot of the billboard, or changes one. */
export function SlotForm({ row, onClose }: { row: SlotView | null; onClose: () => void }) {
  const { t } = useTranslation('ground/menu')
  const form = useContractForm(billboard.calls.createSlot.body, {
    ...toldValues(row, '#/services'),
    tone: row?.tone ?? 'blue',
    weight: row?.weight ?? 10,
    isOn: row?.isOn ?? true,
  })
  const create = useAction(board.createSlot, { onDone: onClose, errors: 'form' })
  const update = useAction(board.updateSlot, { onDone: onClose, errors: 'form' })
  const { watch, setValue } = form.form

  return (
    <ToldForm
      header={row ? t('slots.change') : t('slots.new')}
      of={form}
      action={row ? update : create}
      submit={body =>
        row
          ? update.run({ params: { slotId: row.slotId }, body: { ...body, revision: row.revision } })
          : create.run({ body })
      }
      onClose={onClose}
      text={{ label: t('slots.line'), rows: 1, isNeeded: false }}
      hints={{ startAt: t('slots.startHint'), endAt: t('slots.endHint') }}
      between={
        <SpaceBetween size="l">
          <SelectField
            of={form}
            name="tone"
            label={t('slots.tone')}
            options={slotTones.map(tone => ({ value: tone, label: t(`tones.${tone}`) }))}
          />
          <TextField of={form} name="weight" type="number" label={t('slots.weight')} hint={t('slots.weightHint')} />
        </SpaceBetween>
      }
      after={
        <Toggle checked={watch('isOn')} onChange={({ detail }) => setValue('isOn', detail.checked)}>
          {t('slots.isOn')}
        </Toggle>
      }
    />
  )
}
