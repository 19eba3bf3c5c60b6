import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { developerAgreements } from '../../developer/contract.ts'
import { developerApi, type OwnView } from '../agreement-calls.ts'
import { WhenChoice } from '../WhenChoice.tsx'

/** Changes a draft, or makes one again of what was rejected. */
export function OwnTextForm({ row, onClose }: { row: OwnView; onClose: () => void }) {
  const { t } = useTranslation('ground/agreements')
  const { agreementId, title, body, effectiveAt, revision } = row
  const form = useContractForm(developerAgreements.calls.updateAgreement.body, {
    agreementId,
    title,
    body,
    effectiveAt,
    revision,
  })
  const update = useAction(developerApi.updateAgreement, { errors: 'form', onDone: onClose })
  const { watch, setValue, formState } = form.form
  return (
    <ContractFormBox
      of={form}
      action={update}
      submit={values => update.run({ body: values })}
      submitLabel={t('own.saveDraft')}
      onCancel={onClose}
    >
      <TextField of={form} name="title" label={t('own.name')} />
      <TextAreaField of={form} name="body" label={t('text.body')} hint={t('text.plain')} rows={18} />
      <WhenChoice
        value={watch('effectiveAt') ?? null}
        onChange={at => setValue('effectiveAt', at)}
        error={formState.errors['effectiveAt']?.message as string | undefined}
      />
    </ContractFormBox>
  )
}
