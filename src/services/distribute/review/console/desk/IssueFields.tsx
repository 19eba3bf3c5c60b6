import Button from '@cloudscape-design/components/button'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import type { ContractForm } from '../../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import type { Static } from '../../../../../kernel/shape.ts'
import type { reviewDesk } from '../../desk/contract.ts'
import type { PolicyView } from '../review-calls.ts'
import { policyTitle } from '../review-words.ts'

type Body = Static<typeof reviewDesk.calls.submitTask.body>

interface IssueFieldsProps {
  of: ContractForm<Body>
  index: number
  policies: readonly PolicyView[] | undefined
  onRemove?: () => void
}

const places = ['screen', 'permission', 'file', 'timestamp'] as const

/** One thing that must or should change. */
export function IssueFields({ of, index, policies = [], onRemove }: IssueFieldsProps) {
  const { t } = useTranslation('distribute/review')
  const at = `issues.${index}` as const
  return (
    <fieldset className="review-issue-form" aria-label={t('issue.numbered', { number: index + 1 })}>
      <SelectField
        of={of}
        name={`${at}.policyId`}
        label={t('issue.policy')}
        placeholder={t('issue.choosePolicy')}
        options={policies.map(policy => ({
          value: policy.policyId,
          label: policyTitle(policies, policy.policyId),
        }))}
      />
      <SelectField
        of={of}
        name={`${at}.severity`}
        label={t('issue.severity')}
        options={(['MUST_FIX', 'ADVICE'] as const).map(value => ({ value, label: t(`severity.${value}`) }))}
      />
      <TextAreaField of={of} name={`${at}.text`} rows={3} label={t('issue.text')} />
      <ExpandableSection headerText={t('issue.where')}>
        <SpaceBetween size="s">
          {places.map(place => (
            <TextField key={place} of={of} name={`${at}.where.${place}`} label={t(`where.${place}`)} />
          ))}
        </SpaceBetween>
      </ExpandableSection>
      {onRemove && (
        <div>
          <Button formAction="none" iconName="remove" onClick={onRemove}>
            {t('issue.remove', { number: index + 1 })}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
