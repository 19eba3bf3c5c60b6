import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { notify } from '../../../../console/notify.ts'
import { refusalText } from '../../../../console/refusal-text.ts'
import { useAction } from '../../../../console/use-action.ts'
import type { ProductView } from '../settings/contract.ts'
import { settingsApi } from './auth-calls.ts'

const mfaModes = ['OFF', 'OPTIONAL', 'REQUIRED'] as const
const rotations = ['byUse', 'strict'] as const
const modes = ['ALL', 'ALLOW', 'DENY'] as const
const engines = ['outbox', 'webhook'] as const
const linesOf = (text: string) => text.split(/[\s,]+/).filter(one => one !== '')

/** How long tokens live, what passwords need, which pages and countries are taken, and what sends messages. */
export function ProductForm({ product }: { product: ProductView }) {
  const { t } = useTranslation('build/app-auth')
  const [value, setValue] = useState(product)
  const [origins, setOrigins] = useState(product.allowedOrigins.join('\n'))
  const [countries, setCountries] = useState(product.smsCountries.list.join(' '))
  const [secret, setSecret] = useState<string | null>(null)
  const save = useAction(settingsApi.putProduct, {
    errors: 'form',
    onDone: answer => {
      notify({ tone: 'success', text: t('saved') })
      setSecret(answer.smsSecret)
    },
  })
  const set = (change: Partial<ProductView>) => setValue({ ...value, ...change })
  const number = (name: 'accessSeconds' | 'refreshDays' | 'smsPerDay') => (
    <FormField label={t(`settings.${name}`)}>
      <Input
        type="number"
        value={String(value[name])}
        onChange={({ detail }) => set({ [name]: Number(detail.value) })}
      />
    </FormField>
  )
  const submit = () => {
    const { hasSmsSecret: _1, isSmsDelivered: _2, keySetUrl: _3, issuer: _4, revision, ...body } = value
    const smsCountries = { mode: value.smsCountries.mode, list: linesOf(countries) }
    const sent = { ...body, smsCountries, allowedOrigins: linesOf(origins) }
    void save.run({ body: { ...sent, ...(revision === 0 ? {} : { revision }) } })
  }
  const { passwordPolicy } = value
  return (
    <Container
      header={<Header variant="h2">{t('settings.title')}</Header>}
      footer={
        <Can call={settingsApi.putProduct}>
          <Button variant="primary" data-action="save-settings" loading={save.isRunning} onClick={submit}>
            {t('save')}
          </Button>
        </Can>
      }
    >
      <SpaceBetween size="m">
        <Checkbox checked={value.enabled} onChange={({ detail }) => set({ enabled: detail.checked })}>
          {t('settings.enabled')}
        </Checkbox>
        <ColumnLayout columns={2}>
          {number('accessSeconds')}
          {number('refreshDays')}
          <FormField label={t('settings.rotation')} constraintText={t(`rotationHints.${value.rotation}`)}>
            <Select
              selectedOption={{ value: value.rotation, label: t(`rotations.${value.rotation}`) }}
              options={rotations.map(one => ({ value: one, label: t(`rotations.${one}`) }))}
              onChange={({ detail }) =>
                set({ rotation: rotations.find(one => one === detail.selectedOption.value) ?? 'byUse' })
              }
            />
          </FormField>
          <FormField label={t('settings.mfa')}>
            <Select
              selectedOption={{ value: value.mfa, label: t(`mfaModes.${value.mfa}`) }}
              options={mfaModes.map(one => ({ value: one, label: t(`mfaModes.${one}`) }))}
              onChange={({ detail }) =>
                set({ mfa: mfaModes.find(one => one === detail.selectedOption.value) ?? 'OFF' })
              }
            />
          </FormField>
          <FormField label={t('settings.minLength')}>
            <Input
              type="number"
              value={String(passwordPolicy.minLength)}
              onChange={({ detail }) => set({ passwordPolicy: { ...passwordPolicy, minLength: Number(detail.value) } })}
            />
          </FormField>
          <FormField label={t('settings.classes')} constraintText={t('settings.classesHint')}>
            <Input
              type="number"
              value={String(passwordPolicy.classes)}
              onChange={({ detail }) => set({ passwordPolicy: { ...passwordPolicy, classes: Number(detail.value) } })}
            />
          </FormField>
          <FormField label={t('settings.origins')} constraintText={t('settings.originsHint')}>
            <Textarea value={origins} rows={3} onChange={({ detail }) => setOrigins(detail.value)} />
          </FormField>
          <FormField label={t('settings.smsCountries')}>
            <Select
              selectedOption={{ value: value.smsCountries.mode, label: t(`countryModes.${value.smsCountries.mode}`) }}
              options={modes.map(one => ({ value: one, label: t(`countryModes.${one}`) }))}
              onChange={({ detail }) =>
                set({
                  smsCountries: {
                    ...value.smsCountries,
                    mode: modes.find(one => one === detail.selectedOption.value) ?? 'ALL',
                  },
                })
              }
            />
          </FormField>
          {value.smsCountries.mode !== 'ALL' && (
            <FormField label={t('settings.countries')} constraintText={t('settings.countriesHint')}>
              <Input value={countries} onChange={({ detail }) => setCountries(detail.value)} />
            </FormField>
          )}
          {number('smsPerDay')}
          <FormField label={t('settings.smsEngine')}>
            <Select
              selectedOption={{ value: value.smsEngine, label: t(`smsEngines.${value.smsEngine}`) }}
              options={engines.map(one => ({ value: one, label: t(`smsEngines.${one}`) }))}
              onChange={({ detail }) =>
                set({ smsEngine: engines.find(one => one === detail.selectedOption.value) ?? 'outbox' })
              }
            />
          </FormField>
          {value.smsEngine === 'webhook' && (
            <FormField label={t('settings.smsWebhookUrl')} constraintText={t('hooks.urlHint')}>
              <Input value={value.smsWebhookUrl} onChange={({ detail }) => set({ smsWebhookUrl: detail.value })} />
            </FormField>
          )}
        </ColumnLayout>
        <Checkbox checked={value.sendsWelcome} onChange={({ detail }) => set({ sendsWelcome: detail.checked })}>
          {t('settings.sendsWelcome')}
        </Checkbox>
        <FormField label={t('settings.keySet')}>
          <span className="auth-wrap" translate="no">
            {product.keySetUrl}
          </span>
        </FormField>
        {secret !== null && (
          <Alert type="info" header={t('hooks.secret')}>
            <span className="auth-secret" translate="no">
              {secret}
            </span>
          </Alert>
        )}
        {save.error && <Alert type="error">{refusalText(save.error, 'settings')}</Alert>}
      </SpaceBetween>
    </Container>
  )
}
