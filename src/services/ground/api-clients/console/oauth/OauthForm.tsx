import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import Multiselect from '@cloudscape-design/components/multiselect'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { appOauth } from '../../app-oauth/contract.ts'
import { appScopes, redirectFault } from '../../rules.ts'
import { type OauthView, oauthApi } from '../client-calls.ts'

interface OauthFormProps {
  appId: string
  /** Null makes a new one. */
  client: OauthView | null
  onDone: (answer: { client: OauthView; clientSecret: string | null }) => void
  onClose: () => void
}

export function OauthForm({ appId, client, onDone, onClose }: OauthFormProps) {
  const { t } = useTranslation('ground/api-clients')
  const [lines, setLines] = useState((client?.redirectUris ?? []).join('\n'))
  const form = useContractForm(appOauth.calls.createAppClient.body, {
    appId,
    name: client?.name ?? '',
    redirectUris: client?.redirectUris ?? [],
    scopes: client?.scopes ?? ['openid'],
    isPublic: client?.isPublic ?? false,
  })
  const create = useAction(oauthApi.createAppClient, { errors: 'form', onDone })
  const update = useAction(oauthApi.updateAppClient, { errors: 'form', onDone })
  const { watch, setValue, setError } = form.form
  const values = watch()
  const redirectUris = lines
    .split('\n')
    .map(one => one.trim())
    .filter(one => one !== '')
  const wrong = redirectUris.map(one => ({ one, fault: redirectFault(one) })).find(({ fault }) => fault !== null)
  const submit = ({ name, isPublic, scopes }: typeof values) => {
    if (wrong) return
    if (scopes.length === 0) return setError('root', { type: 'required', message: t('oauth.noScopes') })
    return client
      ? update.run({
          body: { appId, clientId: client.clientId, revision: client.revision, name, redirectUris, scopes },
        })
      : create.run({ body: { appId, name, redirectUris, scopes, isPublic: isPublic ?? false } })
  }
  const options = appScopes.map(value => ({ value, label: value, description: t(`oauth.scopesOf.${value}`) }))
  return (
    <Modal visible header={client ? t('wizard.editOf', { name: client.name }) : t('oauth.create')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={client ? update : create}
        submit={submit}
        submitLabel={client ? t('action.save') : t('action.create')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('list.name')} />
        <FormField
          label={t('oauth.redirects')}
          description={t('oauth.redirectsHint')}
          errorText={wrong && `${wrong.one}: ${t(`oauth.faults.${wrong.fault}`)}`}
        >
          <Textarea
            value={lines}
            rows={4}
            spellcheck={false}
            placeholder="https://example.com/callback"
            onChange={({ detail }) => setLines(detail.value)}
          />
        </FormField>
        <FormField label={t('oauth.scopes')}>
          <Multiselect
            options={options}
            selectedOptions={options.filter(one => values.scopes.includes(one.value))}
            expandToViewport
            deselectAriaLabel={option => t('scope.takeOut', { name: option.label })}
            onChange={({ detail }) =>
              setValue('scopes', detail.selectedOptions.map(one => one.value) as typeof values.scopes)
            }
          />
        </FormField>
        {!client && (
          <Checkbox
            checked={values.isPublic ?? false}
            description={t('oauth.publicHint')}
            onChange={({ detail }) => setValue('isPublic', detail.checked)}
          >
            {t('oauth.public')}
          </Checkbox>
        )}
      </ContractFormBox>
    </Modal>
  )
}
