import ExpandableSection from '@cloudscape-design/components/expandable-section'
import FormField from '@cloudscape-design/components/form-field'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../../../../../console/kit/CodeEditor.tsx'

/** The schema that a text is; null for none, undefined for what is no schema. */
export function schemaOf(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null
  try {
    const found: unknown = JSON.parse(text)
    const isObject = typeof found === 'object' && found !== null && !Array.isArray(found)
    return isObject ? (found as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The JSON schema that all values of a parameter keep to. */
export function SchemaField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const { t } = useTranslation('grow/remote-config')
  return (
    <ExpandableSection headerText={t('parameters.schema')} defaultExpanded={text !== ''}>
      <FormField
        description={t('parameters.schemaText')}
        errorText={schemaOf(text) === undefined ? t('problems.json') : ''}
        stretch
      >
        <CodeEditor
          label={t('parameters.schema')}
          language="json"
          value={text}
          onChange={onChange}
          lines={{ least: 3, most: 14 }}
        />
      </FormField>
    </ExpandableSection>
  )
}
