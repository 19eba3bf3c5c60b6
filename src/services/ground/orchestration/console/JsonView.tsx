import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useTranslation } from 'react-i18next'
import type { Problem } from './process-calls.ts'

interface JsonViewProps {
  text: string
  isJson: boolean
  problems: readonly Problem[]
  isReadOnly: boolean
  onChange: (text: string) => void
}

/** The definition as it is kept, with what is wrong at which pointer. */
export function JsonView({ text, isJson, problems, isReadOnly, onChange }: JsonViewProps) {
  const { t } = useTranslation('ground/orchestration')
  return (
    <SpaceBetween size="m">
      {problems.length > 0 && (
        <Alert type="error" header={t('json.problems', { count: problems.length })}>
          <ul className="process-problems">
            {problems.map(problem => (
              <li key={`${problem.pointer} ${problem.rule} ${problem.message}`} translate="no">
                <code>{problem.pointer || '/'}</code> {problem.message}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <FormField label={t('json.label')} stretch errorText={isJson ? undefined : t('json.notJson')}>
        <Textarea
          value={text}
          rows={Math.min(40, text.split('\n').length + 1)}
          readOnly={isReadOnly}
          spellcheck={false}
          onChange={({ detail }) => onChange(detail.value)}
        />
      </FormField>
    </SpaceBetween>
  )
}
