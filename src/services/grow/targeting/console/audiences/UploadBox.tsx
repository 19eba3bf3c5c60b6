import Alert from '@cloudscape-design/components/alert'
import Checkbox from '@cloudscape-design/components/checkbox'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { limits, type UploadMode, uploadModes } from '../../rules.ts'
import { audiencesApi } from '../targeting-calls.ts'

/** Takes a file of ids for a static audience. */
export function UploadBox({ audienceId }: { audienceId: string }) {
  const { t, i18n } = useTranslation('grow/targeting')
  const [mode, setMode] = useState<UploadMode>('REPLACE')
  const [hasHeader, setHeader] = useState(false)
  const upload = useAction(audiencesApi.uploadMembers)
  const [read, setRead] = useState<Awaited<ReturnType<typeof upload.run>>>()
  const number = (count: number) => count.toLocaleString(i18n.resolvedLanguage)
  return (
    <Container header={<Header variant="h2">{t('upload.title')}</Header>}>
      <SpaceBetween size="m">
        <FormField label={t('upload.mode')}>
          <RadioGroup
            value={mode}
            items={uploadModes.map(value => ({ value, label: t(`upload.modes.${value}`) }))}
            onChange={({ detail }) => setMode(detail.value as UploadMode)}
          />
        </FormField>
        <Checkbox checked={hasHeader} onChange={({ detail }) => setHeader(detail.checked)}>
          {t('upload.hasHeader')}
        </Checkbox>
        <FileDrop
          label={t('upload.choose')}
          hint={t('upload.hint', { limit: number(limits.members) })}
          accept=".csv,.txt,text/csv,text/plain"
          isDisabled={upload.isRunning}
          onFiles={async ([file]) => {
            // A CSV goes as it is; its kind would make the browser send it as something else.
            const body = file && new Blob([file], { type: 'text/csv' })
            if (body) setRead(await upload.run({ params: { audienceId }, query: { mode, hasHeader }, body }))
          }}
        />
        {upload.isRunning && <span role="status">{t('upload.running')}</span>}
        {read && (
          <Alert type="success">
            {t('upload.done', {
              received: number(read.received),
              repeated: number(read.repeated),
              refused: number(read.refused),
            })}
          </Alert>
        )}
      </SpaceBetween>
    </Container>
  )
}
