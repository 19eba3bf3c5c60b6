import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { useTranslation } from 'react-i18next'
import type { StepProps } from './step-props.ts'

/** What somebody believes, and would believe no longer. */
export function HypothesisStep({ design, isDisabled, onChange }: StepProps) {
  const { t } = useTranslation('grow/experiments')
  return (
    <Container>
      <FormField label={t('design.hypothesis')} description={t('design.hypothesisHint')} stretch>
        <Textarea
          value={design.hypothesis}
          rows={5}
          disabled={isDisabled}
          onChange={({ detail }) => onChange({ hypothesis: detail.value })}
        />
      </FormField>
    </Container>
  )
}
