import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { useTranslation } from 'react-i18next'

/** The attributes of a typed context; null while it is no JSON object. */
export function readContext(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null
  } catch {
    return null
  }
}

interface ContextBoxProps {
  text: string
  onChange: (text: string) => void
}

/** A context typed as JSON, to try rules with. Nothing of it is kept. */
export function ContextBox({ text, onChange }: ContextBoxProps) {
  const { t } = useTranslation('kit/conditions')
  const isWrong = readContext(text) === null
  return (
    <FormField label={t('context')} description={t('contextHint')} errorText={isWrong ? t('contextWrong') : undefined}>
      <div className="lg-conditions-context" translate="no">
        <Textarea
          value={text}
          ariaLabel={t('context')}
          rows={6}
          spellcheck={false}
          onChange={({ detail }) => onChange(detail.value)}
        />
      </div>
    </FormField>
  )
}
