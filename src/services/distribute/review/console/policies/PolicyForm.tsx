import Modal from '@cloudscape-design/components/modal'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { reviewPolicies } from '../../policies/contract.ts'
import { policyApi, type RuleView } from '../review-calls.ts'

const languages = ['zh', 'en', 'ru'] as const
const nothing = { zh: '', en: '', ru: '' }

/** The next version of a rule, or a new one, in all three languages at once. */
export function PolicyForm({ rule, onClose }: { rule: RuleView | null; onClose: () => void }) {
  const { t } = useTranslation('distribute/review')
  const form = useContractForm(reviewPolicies.calls.publishPolicy.body, {
    policyId: rule?.policyId ?? '',
    titles: rule?.titles ?? nothing,
    texts: rule?.texts ?? nothing,
    isRetired: rule?.isRetired ?? false,
    after: rule?.version ?? 0,
  })
  const act = useAction(policyApi.publishPolicy, {
    errors: 'form',
    onDone: ({ policyId, version }) => {
      notify({ tone: 'success', text: t('rules.published', { rule: policyId, version }) })
      onClose()
    },
  })
  return (
    <Modal
      visible
      size="large"
      header={rule ? t('rules.editOf', { rule: rule.policyId }) : t('rules.new')}
      onDismiss={onClose}
    >
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body })}
        submitLabel={t('rules.publish')}
        onCancel={onClose}
      >
        <p className="review-said">{t('rules.publishText')}</p>
        {rule === null && (
          <TextField of={form} name="policyId" label={t('rules.number')} hint={t('rules.numberHint')} />
        )}
        {languages.map(language => (
          <TextField
            key={language}
            of={form}
            name={`titles.${language}`}
            label={t('rules.titleIn', { language: t(`languages.${language}`) })}
          />
        ))}
        {languages.map(language => (
          <TextAreaField
            key={language}
            of={form}
            name={`texts.${language}`}
            rows={4}
            label={t('rules.textIn', { language: t(`languages.${language}`) })}
          />
        ))}
        {rule !== null && (
          <FormField of={form} name="isRetired" label={t('rules.retire')}>
            {field => (
              <Toggle checked={field.value === true} onChange={({ detail }) => field.onChange(detail.checked)}>
                {t('rules.retireText')}
              </Toggle>
            )}
          </FormField>
        )}
      </ContractFormBox>
    </Modal>
  )
}
