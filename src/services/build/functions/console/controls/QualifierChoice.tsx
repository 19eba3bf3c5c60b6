import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../../console/use-call.ts'
import { aliasApi, api, type FunctionView } from '../function-calls.ts'

interface QualifierChoiceProps {
  of: FunctionView
  value: string
  onChange: (qualifier: string) => void
}

/** Which calls something is set for: those of a version, or those of an alias. */
export function QualifierChoice({ of, value, onChange }: QualifierChoiceProps) {
  const { t } = useTranslation('build/functions')
  const { functionId, functionName, projectId } = of
  const versions = useCall(api.listVersions, { params: { name: functionName }, query: { projectId } })
  const aliases = useCall(aliasApi.listAliases, { params: { functionId } })
  const groups = [
    { label: t('aliases'), options: (aliases.data?.list ?? []).map(one => ({ value: one.name, label: one.name })) },
    {
      label: t('versions'),
      options: (versions.data?.list ?? []).map(one => ({ value: one.version, label: one.version })),
    },
  ]
  return (
    <FormField label={t('controls.qualifier')} description={t('controls.qualifierText')}>
      <div translate="no" className="fn-qualifier">
        <Select
          selectedOption={{ value, label: value }}
          options={groups.filter(group => group.options.length > 0)}
          onChange={({ detail }) => onChange(detail.selectedOption.value ?? value)}
        />
      </div>
    </FormField>
  )
}
