import FormField from '@cloudscape-design/components/form-field'
import { useTranslation } from 'react-i18next'
import { ConditionBuilder } from '../../../../../console/kit/conditions/ConditionBuilder.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import type { Rule } from '../../../../../kernel/targeting/rule.ts'
import { conditionAttribute } from '../../condition-rules.ts'
import { audiencesApi, settingsApi } from '../config-calls.ts'

interface RuleFieldProps {
  projectId: string
  rule: Rule
  onChange: (rule: Rule) => void
}

/** For whom a condition holds: by what apps say, by audiences of the project, and by other conditions. */
export function RuleField({ projectId, rule, onChange }: RuleFieldProps) {
  const { t } = useTranslation('grow/remote-config')
  const known = useCall(settingsApi.listAttributes, { query: { projectId, pageSize: 100 } })
  const audiences = useCall(audiencesApi.listAudiences, { query: { projectId, pageSize: 100 } })
  const choices = {
    attributes: [...(known.data?.list ?? []).map(one => one.name), conditionAttribute],
    audiences: audiences.data?.list ?? [],
  }
  return (
    <FormField label={t('conditions.rule')} description={t('conditions.ruleText')} stretch>
      <ConditionBuilder rule={rule} choices={choices} onChange={onChange} />
    </FormField>
  )
}
