import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { notify } from '../../../../console/notify.ts'
import { refusalText } from '../../../../console/refusal-text.ts'
import { useAction } from '../../../../console/use-action.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import type { authSettings } from '../settings/contract.ts'
import { settingsApi } from './auth-calls.ts'

type Host = Answer<typeof authSettings.calls.getHost>
const names = ['appName', 'supportMail', 'logoUrl', 'color', 'termsUrl', 'privacyUrl'] as const

/** What mails and messages to users say of the app. */
export function HostForm({ host }: { host: Host }) {
  const { t } = useTranslation('build/app-auth')
  const [value, setValue] = useState(host)
  const [addresses, setAddresses] = useState(host.redirectUris.join('\n'))
  const save = useAction(settingsApi.updateHost, {
    errors: 'form',
    onDone: () => notify({ tone: 'success', text: t('saved') }),
  })
  const submit = () => {
    const { revision, issuer: _issuer, ...body } = value
    const redirectUris = addresses.split('\n').map(one => one.trim())
    void save.run({
      body: {
        ...body,
        redirectUris: redirectUris.filter(one => one !== ''),
        enabled: true,
        ...(revision === 0 ? {} : { revision }),
      },
    })
  }
  return (
    <Container
      header={
        <Header variant="h2" description={t('host.text')}>
          {t('host.title')}
        </Header>
      }
      footer={
        <Can call={settingsApi.updateHost}>
          <Button variant="primary" data-action="save-host" loading={save.isRunning} onClick={submit}>
            {t('save')}
          </Button>
        </Can>
      }
    >
      <SpaceBetween size="m">
        <ColumnLayout columns={2}>
          {names.map(name => (
            <FormField key={name} label={t(`host.${name}`)}>
              <Input value={value[name]} onChange={({ detail }) => setValue({ ...value, [name]: detail.value })} />
            </FormField>
          ))}
        </ColumnLayout>
        <FormField label={t('host.redirectUris')} description={t('host.redirectUrisText')}>
          <Textarea
            value={addresses}
            rows={3}
            onChange={({ detail }) => setAddresses(detail.value)}
            ariaLabel={t('host.redirectUris')}
          />
        </FormField>
        <FormField label={t('host.issuer')}>
          <Box variant="code">{host.issuer}</Box>
        </FormField>
        {save.error && <Alert type="error">{refusalText(save.error, 'host')}</Alert>}
      </SpaceBetween>
    </Container>
  )
}
