import './api-clients.css'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { ZoneName } from '../../../../console/kit/ZoneName.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { shownZoneIds } from '../../../../kernel/zones.ts'
import { apiClients } from '../contract.ts'
import { type ClientView, callsOf, grantApi, type Whose } from './client-calls.ts'
import { credentialFile } from './credential-file.ts'
import { RightsChoice } from './RightsChoice.tsx'
import { ScopeChoice } from './ScopeChoice.tsx'
import { SecretOnce } from './SecretOnce.tsx'

const steps = ['name', 'rights', 'scope'] as const

interface ClientWizardProps {
  whose: Whose
  /** Null makes a new one. */
  client: ClientView | null
  onClose: () => void
}

/** A client in three steps: what it is, what it may do, where; the secret of a new one comes at the end, once. */
export function ClientWizard({ whose, client, onClose }: ClientWizardProps) {
  const { t } = useTranslation('ground/api-clients')
  const [at, setAt] = useState(0)
  const [made, setMade] = useState<{ client: ClientView; secret: string } | null>(null)
  const resources = useCall(grantApi.listGrantResources, { query: { pageSize: 1 } })
  const offered = resources.data?.permissions ?? []
  const zones = (resources.data?.zones ?? []).filter(zone => shownZoneIds.includes(zone))
  const form = useContractForm(apiClients.calls.createClient.body, {
    name: client?.name ?? '',
    description: client?.description ?? '',
    permissions: client?.permissions ?? [],
    scope: client?.scope ?? { all: true },
    zones: client?.zones ?? [],
    lifeDays: client ? undefined : 365,
  })
  const create = useAction(callsOf[whose].create, {
    errors: 'form',
    onDone: answer => setMade({ client: answer.client, secret: answer.clientSecret ?? '' }),
  })
  const update = useAction(callsOf[whose].update, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('wizard.saved') })
      onClose()
    },
  })
  const { watch, setValue, setError } = form.form
  const values = watch()
  const scope = values.scope ?? { all: true }
  const step = steps[at] ?? 'name'
  const refused = () => {
    if (step === 'rights' && values.permissions.length === 0) return t('rights.none')
    return step === 'scope' && !scope.all && !scope.projects?.length && !scope.apps?.length ? t('scope.nothing') : null
  }
  const submit = ({ zones: chosen, lifeDays, ...body }: typeof values) => {
    const message = refused()
    if (message) return setError('root', { type: 'required', message })
    if (at < steps.length - 1) return setAt(at + 1)
    const inZones = chosen?.length ? { zones: chosen } : {}
    const life = typeof lifeDays === 'number' ? { lifeDays } : {}
    return client
      ? update.run({ body: { ...body, ...inZones, clientId: client.clientId, revision: client.revision } })
      : create.run({ body: { ...body, ...inZones, ...life } })
  }
  if (made) {
    return (
      <SecretOnce
        title={t('secret.titleOf', { name: made.client.name })}
        secret={made.secret}
        file={credentialFile(made.client, made.secret)}
        onClose={onClose}
      />
    )
  }
  return (
    <Modal
      visible
      size="large"
      header={client ? t('wizard.editOf', { name: client.name }) : t(`wizard.new.${whose}`)}
      onDismiss={onClose}
    >
      <ContractFormBox
        of={form}
        action={client ? update : create}
        submit={submit}
        submitLabel={at < steps.length - 1 ? t('wizard.next') : client ? t('action.save') : t('action.create')}
        onCancel={onClose}
      >
        <div className="clients-step lg-soft">
          {t('wizard.step', { at: at + 1, of: steps.length })} · {t(`wizard.steps.${step}`)}
          {at > 0 && (
            <Button variant="inline-link" formAction="none" data-action="back" onClick={() => setAt(at - 1)}>
              {t('wizard.back')}
            </Button>
          )}
        </div>
        {step === 'name' && (
          <SpaceBetween size="l">
            <TextField of={form} name="name" label={t('list.name')} hint={t('wizard.nameHint')} />
            <TextField of={form} name="description" label={t('wizard.description')} />
            {!client && (
              <TextField of={form} name="lifeDays" type="number" label={t('wizard.life')} hint={t('wizard.lifeHint')} />
            )}
            <FormField label={t('list.zones')} description={t('wizard.zonesHint')}>
              {zones.map(zone => (
                <Checkbox
                  key={zone}
                  checked={values.zones?.includes(zone) ?? false}
                  onChange={({ detail }) =>
                    setValue('zones', [
                      ...(values.zones ?? []).filter(one => one !== zone),
                      ...(detail.checked ? [zone] : []),
                    ])
                  }
                >
                  <ZoneName zone={zone} />
                </Checkbox>
              ))}
            </FormField>
          </SpaceBetween>
        )}
        {step === 'rights' && (
          <FormField label={t('list.rights')} description={t('rights.hint')} stretch>
            <RightsChoice
              offered={offered}
              chosen={values.permissions}
              onChange={chosen => setValue('permissions', chosen)}
            />
          </FormField>
        )}
        {step === 'scope' && (
          <FormField label={t('scope.title')} stretch>
            <ScopeChoice scope={scope} onChange={next => setValue('scope', next)} />
          </FormField>
        )}
      </ContractFormBox>
    </Modal>
  )
}
