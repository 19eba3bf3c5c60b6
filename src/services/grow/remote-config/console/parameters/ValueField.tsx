import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../../../../../console/kit/CodeEditor.tsx'
import { protocolDoubt, type Value, type ValueType, valueProblem } from '../../rules.ts'

interface ValueFieldProps {
  label: string
  valueType: ValueType
  value: Value
  onChange: (value: Value) => void
}

/** One value of a parameter as its type wants it, or what the app itself has. */
export function ValueField({ label, valueType, value, onChange }: ValueFieldProps) {
  const { t } = useTranslation('grow/remote-config')
  const text = 'value' in value ? value.value : null
  const problem = text === null ? null : valueProblem(valueType, text)
  const doubt = text === null ? null : protocolDoubt(valueType, text)
  const set = (next: string) => onChange({ value: next })
  return (
    <FormField
      label={label}
      errorText={problem && text !== '' ? t(`problems.${problem}`) : ''}
      warningText={doubt ? t(`doubts.${doubt}`) : ''}
      stretch
    >
      <SpaceBetween size="xxs">
        {text !== null && <ValueInput label={label} valueType={valueType} text={text} onChange={set} />}
        <Toggle
          checked={text === null}
          onChange={({ detail }) => (detail.checked ? onChange({ useInAppDefault: true }) : set(''))}
        >
          {t('parameters.useInApp')}
        </Toggle>
      </SpaceBetween>
    </FormField>
  )
}

interface ValueInputProps {
  label: string
  valueType: ValueType
  text: string
  onChange: (text: string) => void
}

/** The input for a text that is a value of a type. */
export function ValueInput({ label, valueType, text, onChange }: ValueInputProps) {
  if (valueType === 'JSON')
    return <CodeEditor label={label} language="json" value={text} onChange={onChange} lines={{ least: 2, most: 12 }} />
  if (valueType === 'BOOLEAN')
    return (
      <Select
        selectedOption={text === '' ? null : { value: text, label: text }}
        options={['true', 'false'].map(value => ({ value, label: value }))}
        placeholder="true, false"
        ariaLabel={label}
        onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
      />
    )
  const inputMode = valueType === 'NUMBER' ? ('decimal' as const) : ('text' as const)
  return (
    <Input value={text} ariaLabel={label} inputMode={inputMode} onChange={({ detail }) => onChange(detail.value)} />
  )
}
