import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shownLanguage } from '../../../../../console/shown.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { limits, type TextField, textFields } from '../../rules.ts'
import { api } from '../lifecycle-calls.ts'

const languages = ['zh', 'en', 'ru'] as const

/** A text to be looked at as the name, the short line or the description of a listing. */
export function TextCheck({ onDone }: { onDone: (taskId: string) => void }) {
  const { t } = useTranslation('distribute/lifecycle')
  const [text, setText] = useState('')
  const [field, setField] = useState<TextField>('appDesc')
  const [language, setLanguage] = useState<(typeof languages)[number]>(shownLanguage())
  const act = useAction(api.detectContext, { onDone: ({ taskId }) => onDone(taskId) })
  const fields = textFields.map(value => ({ value, label: t(`fields.${value}`) }))
  const spoken = languages.map(value => ({ value, label: t(`languages.${value}`) }))
  return (
    <Container header={<Header variant="h2">{t('text.title')}</Header>}>
      <SpaceBetween size="m">
        <FormField label={t('text.label')} stretch>
          <Textarea
            value={text}
            rows={5}
            onChange={({ detail }) => setText(detail.value.slice(0, limits.textLength))}
          />
        </FormField>
        <SpaceBetween direction="horizontal" size="m">
          <FormField label={t('text.field')}>
            <Select
              selectedOption={fields.find(one => one.value === field) ?? null}
              options={fields}
              onChange={({ detail }) => setField(detail.selectedOption.value as TextField)}
            />
          </FormField>
          <FormField label={t('text.language')}>
            <Select
              selectedOption={spoken.find(one => one.value === language) ?? null}
              options={spoken}
              onChange={({ detail }) => setLanguage(detail.selectedOption.value as typeof language)}
            />
          </FormField>
        </SpaceBetween>
        <Button
          data-action="check-text"
          variant="primary"
          disabled={text.trim() === ''}
          loading={act.isRunning}
          onClick={() => void act.run({ body: { texts: [{ text, field, language }] } })}
        >
          {t('text.verb')}
        </Button>
      </SpaceBetween>
    </Container>
  )
}
