import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useTranslation } from 'react-i18next'

type Choice = 'EACH' | 'TOGETHER'

/** Whether what is submitted together also goes on the shelf together. */
export function ReleaseChoiceField({ value, onChange }: { value: Choice; onChange: (value: Choice) => void }) {
  const { t } = useTranslation('distribute/apps')
  return (
    <FormField label={t('bulk.release')}>
      <RadioGroup
        value={value}
        onChange={({ detail }) => onChange(detail.value as Choice)}
        items={[
          { value: 'EACH', label: t('bulk.releaseEach'), description: t('bulk.releaseEachText') },
          { value: 'TOGETHER', label: t('bulk.releaseTogether'), description: t('bulk.releaseTogetherText') },
        ]}
      />
    </FormField>
  )
}
