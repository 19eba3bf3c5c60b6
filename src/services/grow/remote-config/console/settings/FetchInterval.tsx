import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { SettingsView } from '../../settings/contract.ts'
import { settingsApi } from '../config-calls.ts'

const minute = 60
const mostMinutes = 10_080

/** How long apps keep what they fetched, in minutes as people say it. */
export function FetchInterval({ settings }: { settings: SettingsView }) {
  const { t } = useTranslation('grow/remote-config')
  const [text, setText] = useState(String(settings.minFetchIntervalSec / minute))
  const save = useAction(settingsApi.putSettings)
  const minutes = text.trim() === '' ? Number.NaN : Number(text)
  const seconds = Math.round(minutes * minute)
  const isFit = minutes >= 0 && minutes <= mostMinutes
  const isDirty = isFit && seconds !== settings.minFetchIntervalSec
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { projectId, revision } = settings
    if (isDirty) void save.run({ body: { projectId, minFetchIntervalSec: seconds, ...(revision && { revision }) } })
  }
  return (
    <Container>
      <form className="rcs-interval" onSubmit={submit} noValidate>
        <FormField
          label={t('settings.interval')}
          description={t('settings.intervalText')}
          errorText={isFit ? undefined : t('settings.intervalBad', { most: mostMinutes })}
        >
          <Input
            value={text}
            inputMode="decimal"
            disabled={!may('remoteConfig.edit')}
            onChange={({ detail }) => setText(detail.value)}
          />
        </FormField>
        <Can call={settingsApi.putSettings}>
          <Button data-action="putSettings" disabled={!isDirty} loading={save.isRunning}>
            {t('settings.save')}
          </Button>
        </Can>
      </form>
    </Container>
  )
}
