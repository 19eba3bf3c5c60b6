import Box from '@cloudscape-design/components/box'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Modal from '@cloudscape-design/components/modal'
import Toggle from '@cloudscape-design/components/toggle'
import { type FieldValues, type Path, type UseFormReturn, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { providerCalls } from '../../providers/contract.ts'
import { providerApi } from '../session-calls.ts'
import type { ProviderView } from './staff-calls.ts'

/** A new provider, or what is known of one; its secret is never shown, and needed again only for another issuer. */
export function ProviderForm({ row, onClose }: { row?: ProviderView; onClose: () => void }) {
  const { t } = useTranslation('ground/session')
  const { calls } = providerCalls
  const form = useContractForm(row ? calls.updateProvider.body : calls.createProvider.body, {
    name: row?.name ?? '',
    issuer: row?.issuer ?? '',
    clientId: row?.clientId ?? '',
    clientSecret: '',
    scopes: row?.scopes ?? 'openid profile email',
    isEnabled: row?.isEnabled ?? true,
    createsAccounts: row?.createsAccounts ?? false,
    ...(row ? { revision: row.revision } : {}),
  })
  const done = () => {
    notify({ tone: 'success', text: t('providers.saved') })
    onClose()
  }
  const create = useAction(providerApi.createProvider, { errors: 'form', onDone: done })
  const update = useAction(providerApi.updateProvider, { errors: 'form', onDone: done })
  const redirectUri = row?.redirectUri ?? `${location.origin}/oauth2/v1/login/provider/callback`
  return (
    <Modal visible header={t(row ? 'providers.edit' : 'providers.add')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={(row ? update : create) as typeof create}
        submit={values =>
          row
            ? update.run({
                params: { providerId: row.providerId },
                body: { ...values, revision: row.revision } as Parameters<typeof update.run>[0]['body'],
              })
            : create.run({ body: values as Parameters<typeof create.run>[0]['body'] })
        }
        submitLabel={t(row ? 'profile.save' : 'providers.add')}
        onCancel={onClose}
      >
        <div>
          <Box variant="awsui-key-label">{t('providers.redirectUri')}</Box>
          <CopyToClipboard
            variant="inline"
            textToCopy={redirectUri}
            copyButtonAriaLabel={t('providers.copy')}
            copySuccessText={t('providers.copied')}
            copyErrorText={t('providers.notCopied')}
          />
        </div>
        <TextField of={form} name="name" label={t('providers.name')} hint={t('providers.nameHint')} />
        <TextField of={form} name="issuer" label={t('providers.issuer')} placeholder="https://accounts.example.com" />
        <TextField of={form} name="clientId" label={t('providers.clientId')} />
        <TextField
          of={form}
          name="clientSecret"
          label={t('providers.secret')}
          type="password"
          {...(row && { hint: t('providers.secretHint') })}
        />
        <TextField of={form} name="scopes" label={t('providers.scopes')} />
        <ToggleLine of={form.form} name="isEnabled" text={t('providers.isEnabled')} />
        <ToggleLine of={form.form} name="createsAccounts" text={t('providers.createsAccounts')} />
      </ContractFormBox>
    </Modal>
  )
}

function ToggleLine<V extends FieldValues>({ of, name, text }: { of: UseFormReturn<V>; name: Path<V>; text: string }) {
  const { field } = useController({ control: of.control, name })
  return (
    <Toggle checked={field.value === true} onChange={({ detail }) => field.onChange(detail.checked)}>
      {text}
    </Toggle>
  )
}
