import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../../../../../console/kit/CodeEditor.tsx'
import { problemsOf, type Rule } from '../../../../../kernel/targeting/rule.ts'

interface RuleFieldProps {
  rule: Rule
  /** Null while the text is no rule. */
  onChange: (rule: Rule | null) => void
}

/** A rule as its text, with what is wrong about it. */
export function RuleField({ rule, onChange }: RuleFieldProps) {
  const { t } = useTranslation('grow/remote-config')
  const [text, setText] = useState(() => JSON.stringify(rule, null, 2))
  const read = ruleOf(text)
  const problems = read === null ? [] : problemsOf(read)
  const change = (next: string) => {
    setText(next)
    const found = ruleOf(next)
    onChange(found !== null && problemsOf(found).length === 0 ? (found as Rule) : null)
  }
  return (
    <FormField
      label={t('conditions.rule')}
      description={t('conditions.ruleText')}
      errorText={read === null ? t('problems.json') : ''}
      stretch
    >
      <CodeEditor
        label={t('conditions.rule')}
        language="json"
        value={text}
        onChange={change}
        lines={{ least: 8, most: 22 }}
      />
      {problems.length > 0 && (
        <Alert type="warning">
          <ul className="rcs-problems" translate="no">
            {problems.slice(0, 5).map(one => (
              <li key={one.pointer + one.problem}>{`${one.pointer || '/'}: ${one.problem}`}</li>
            ))}
          </ul>
        </Alert>
      )}
    </FormField>
  )
}

function ruleOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
