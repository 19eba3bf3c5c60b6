import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { betaActivities } from '../../activities/contract.ts'
import { type ActivityView, activitiesApi } from '../beta-calls.ts'
import { DayInput } from '../DayInput.tsx'
import { endOfDayIn } from '../days.ts'
import { ModelsInput } from './ModelsInput.tsx'

interface ActivityFormProps {
  appId: string
  /** Left out for a new one. */
  activity?: ActivityView
  onClose: () => void
}

/** Who is looked for, what they get, until when. */
export function ActivityForm({ appId, activity, onClose }: ActivityFormProps) {
  const { t } = useTranslation('distribute/beta-test')
  const form = useContractForm(betaActivities.calls.createActivity.body, {
    appId,
    title: activity?.title ?? '',
    description: activity?.description ?? '',
    reward: activity?.reward ?? '',
    quota: activity?.quota ?? 100,
    deviceModels: activity?.deviceModels ?? [],
    startAt: activity?.startAt ?? Date.now(),
    endAt: activity?.endAt ?? endOfDayIn(14),
  })
  const create = useAction(activitiesApi.createActivity, { errors: 'form', onDone: onClose })
  const update = useAction(activitiesApi.updateActivity, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={activity ? t('activities.edit') : t('activities.make')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={activity ? (update as unknown as typeof create) : create}
        submit={({ appId: _app, startAt, ...body }) =>
          activity
            ? update.run({
                params: { activityId: activity.activityId },
                body: { ...body, revision: activity.revision },
              })
            : create.run({ body: { ...body, appId, startAt } })
        }
        submitLabel={activity ? t('action.save') : t('activities.make')}
        onCancel={onClose}
      >
        <TextField of={form} name="title" label={t('activities.name')} />
        <TextAreaField of={form} name="description" rows={3} label={t('activities.description')} />
        <TextField of={form} name="reward" label={t('activities.reward')} hint={t('activities.rewardHint')} />
        <TextField of={form} name="quota" type="number" label={t('activities.quota')} />
        <FormField of={form} name="deviceModels" label={t('activities.models')} hint={t('activities.modelsHint')}>
          {field => <ModelsInput value={field.value as string[]} onChange={field.onChange} />}
        </FormField>
        <FormField of={form} name="endAt" label={t('activities.endAt')} hint={t('activities.endHint')}>
          {field => <DayInput value={field.value as number | null} onChange={field.onChange} />}
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}
