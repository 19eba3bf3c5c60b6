import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { languageNames } from '../../../../console/language.ts'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type TemplateKind, type TemplateLanguage, templateKinds, templateLanguages } from '../rules.ts'
import type { TemplateView } from '../settings/contract.ts'
import { settingsApi } from './auth-calls.ts'

/** The texts of mails and messages: one at a time, with how it will look. */
export function TemplatesTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('build/app-auth')
  const [kind, setKind] = useState<TemplateKind>('VERIFY_EMAIL')
  const [language, setLanguage] = useState<TemplateLanguage>(
    templateLanguages.find(one => one === i18n.resolvedLanguage) ?? 'en',
  )
  const found = useCall(settingsApi.listTemplates, { query: { projectId } })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const template = found.data?.list.find(one => one.kind === kind && one.language === language)
  return (
    <SpaceBetween size="l">
      <SpaceBetween direction="horizontal" size="m">
        <FormField label={t('templates.kind')}>
          <Select
            selectedOption={{ value: kind, label: t(`templateKinds.${kind}`) }}
            options={templateKinds.map(value => ({ value, label: t(`templateKinds.${value}`) }))}
            onChange={({ detail }) => setKind(templateKinds.find(one => one === detail.selectedOption.value) ?? kind)}
          />
        </FormField>
        <FormField label={t('templates.language')}>
          <Select
            selectedOption={{ value: language, label: languageNames[language], lang: language }}
            options={templateLanguages.map(value => ({ value, label: languageNames[value], lang: value }))}
            onChange={({ detail }) =>
              setLanguage(templateLanguages.find(one => one === detail.selectedOption.value) ?? language)
            }
          />
        </FormField>
      </SpaceBetween>
      {template ? (
        <TemplateForm key={`${kind} ${language} ${template.revision}`} projectId={projectId} template={template} />
      ) : (
        <Box textAlign="center">
          <Spinner />
        </Box>
      )}
    </SpaceBetween>
  )
}

function TemplateForm({ projectId, template }: { projectId: string; template: TemplateView }) {
  const { t } = useTranslation('build/app-auth')
  const { kind, language } = template
  const [subject, setSubject] = useState(template.subject)
  const [body, setBody] = useState(template.body)
  const [to, setTo] = useState('')
  const [preview, setPreview] = useState<{ subject: string; text: string } | null>(null)
  const saved = () => notify({ tone: 'success', text: t('saved') })
  const look = useAction(settingsApi.putTemplate, { invalidates: [], onDone: answer => setPreview(answer.preview) })
  const save = useAction(settingsApi.putTemplate, { onDone: saved })
  const test = useAction(settingsApi.testTemplate, {
    onDone: () => notify({ tone: 'success', text: t('templates.sent') }),
  })
  const revision = template.revision === 0 ? {} : { revision: template.revision }
  const said = { projectId, kind, language, subject, body, ...revision }
  return (
    <Container header={<Header variant="h2">{t(`templateKinds.${kind}`)}</Header>}>
      <SpaceBetween size="m">
        {kind !== 'SMS_CODE' && (
          <FormField label={t('templates.subject')} stretch>
            <Input value={subject} onChange={({ detail }) => setSubject(detail.value)} />
          </FormField>
        )}
        <FormField label={t('templates.body')} constraintText={t('templates.words')} stretch>
          <div translate="no">
            <Textarea value={body} rows={5} onChange={({ detail }) => setBody(detail.value)} />
          </div>
        </FormField>
        <Can call={settingsApi.putTemplate}>
          <SpaceBetween direction="horizontal" size="xs">
            <Button
              data-action="preview"
              loading={look.isRunning}
              onClick={() => void look.run({ body: { ...said, action: 'PREVIEW' } })}
            >
              {t('templates.preview')}
            </Button>
            <Button
              variant="primary"
              data-action="save"
              loading={save.isRunning}
              onClick={() => void save.run({ body: { ...said, action: 'SAVE' } })}
            >
              {t('save')}
            </Button>
            {!template.isDefault && (
              <Button data-action="reset" onClick={() => void save.run({ body: { ...said, action: 'RESET' } })}>
                {t('templates.reset')}
              </Button>
            )}
          </SpaceBetween>
        </Can>
        {preview && (
          <pre className="auth-preview" translate="no">
            {preview.subject === '' ? preview.text : `${preview.subject}\n\n${preview.text}`}
          </pre>
        )}
        <Can call={settingsApi.testTemplate}>
          <FormField label={t('templates.testTo')} constraintText={t('templates.testHint')}>
            <SpaceBetween direction="horizontal" size="xs">
              <Input
                value={to}
                ariaLabel={t('templates.testTo')}
                placeholder={kind === 'SMS_CODE' ? '+49-1701234567' : 'name@example.com'}
                onChange={({ detail }) => setTo(detail.value)}
              />
              <Button
                data-action="test"
                disabled={to === ''}
                loading={test.isRunning}
                onClick={() => void test.run({ body: { projectId, kind, language, to } })}
              >
                {t('templates.test')}
              </Button>
            </SpaceBetween>
          </FormField>
        </Can>
      </SpaceBetween>
    </Container>
  )
}
