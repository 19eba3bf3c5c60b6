import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { claims } from '../../claims/contract.ts'
import { type ClaimView, claimCalls } from '../package-calls.ts'

/** The holder's word against a claim; the store decides then. */
export function ObjectionForm({ one }: { one: ClaimView }) {
  const { t } = useTranslation('distribute/packages')
  const { claimId, revision } = one
  const form = useContractForm(claims.calls.objectToClaim.body, { claimId, reason: '', revision })
  const act = useAction(claimCalls.objectToClaim, { errors: 'form' })
  return (
    <ContractFormBox
      of={form}
      action={act}
      submit={values => act.run({ body: { ...values, revision } })}
      submitLabel={t('claims.object')}
    >
      <TextAreaField of={form} name="reason" rows={3} label={t('claims.reason')} hint={t('claims.reasonHint')} />
    </ContractFormBox>
  )
}
