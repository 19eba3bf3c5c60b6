import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { languageNames } from '../../../../console/language.ts'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { invitations } from '../invitations/contract.ts'
import { languages, readAddress } from '../invitations/rules.ts'
import { RoleChoice } from './RoleChoice.tsx'
import { ScopeChoice } from './ScopeChoice.tsx'
import { ScopeText } from './ScopeText.tsx'
import { invitationApi } from './team-calls.ts'
import { useRoles } from './use-roles.ts'

const steps = ['who', 'roles', 'scope'] as const

/** Invites somebody in three steps: who, with which roles, for what. */
export function InviteWizard({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('ground/teams')
  const { nameOf } = useRoles()
  const [at, setAt] = useState(0)
  const [link, setLink] = useState<string | null>(null)
  const form = useContractForm(invitations.calls.createInvitation.body, {
    address: '',
    roles: ['developer'],
    scope: { all: true },
  })
  const act = useAction(invitationApi.createInvitation, {
    errors: 'form',
    onDone: ({ invitation, link: given }) => {
      if (given !== null) return setLink(given)
      notify({ tone: 'success', text: t('invite.sent', { address: invitation.address }) })
      onClose()
    },
  })
  const { watch, setValue, setError } = form.form
  const values = watch()
  const scope = values.scope ?? { all: true }
  const step = steps[at] ?? 'who'
  const chosenLanguage = (one: (typeof languages)[number] | undefined) =>
    one ? { value: one, label: languageNames[one] } : { value: '', label: t('invite.ownLanguage') }
  const refused = () => {
    if (step === 'who' && !readAddress(values.address)) return t('invite.noAddress')
    if (step === 'roles' && values.roles.length === 0) return t('roleChoice.none')
    const isNothing = !scope.all && !scope.projects?.length && !scope.apps?.length
    return step === 'scope' && isNothing ? t('scope.nothing') : null
  }
  const submit = (body: typeof values) => {
    const message = refused()
    if (message) return setError(step === 'who' ? 'address' : 'root', { type: 'required', message })
    return at < steps.length - 1 ? setAt(at + 1) : act.run({ body })
  }
  if (link !== null) return <LinkToPassOn link={link} onClose={onClose} />

  return (
    <Modal visible size="large" header={t('invite.title')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={submit}
        submitLabel={at < steps.length - 1 ? t('invite.next') : t('invite.send')}
        onCancel={onClose}
      >
        <ol className="teams-steps">
          {steps.map((one, index) => (
            <li key={one} aria-current={index === at ? 'step' : undefined}>
              {index < at ? (
                <Button variant="inline-link" formAction="none" onClick={() => setAt(index)}>
                  {t(`invite.steps.${one}`)}
                </Button>
              ) : (
                t(`invite.steps.${one}`)
              )}
            </li>
          ))}
        </ol>
        {step === 'who' && (
          <SpaceBetween size="m">
            <TextField of={form} name="address" label={t('invite.address')} hint={t('invite.addressHint')} />
            <FormField label={t('invite.language')} description={t('invite.languageHint')}>
              <Select
                selectedOption={chosenLanguage(values.language)}
                options={[chosenLanguage(undefined), ...languages.map(chosenLanguage)]}
                ariaLabel={t('invite.language')}
                onChange={({ detail }) =>
                  setValue(
                    'language',
                    languages.find(one => one === detail.selectedOption.value),
                  )
                }
              />
            </FormField>
          </SpaceBetween>
        )}
        {step === 'roles' && <RoleChoice chosen={values.roles} onChange={next => setValue('roles', next)} />}
        {step === 'scope' && (
          <SpaceBetween size="m">
            <ScopeChoice scope={scope} onChange={next => setValue('scope', next)} />
            <FormField label={t('invite.summary')}>
              {t('invite.summaryText', { address: values.address, roles: values.roles.map(nameOf).join(', ') })}{' '}
              <ScopeText scope={scope} />
            </FormField>
          </SpaceBetween>
        )}
      </ContractFormBox>
    </Modal>
  )
}

/** The link of an invitation by phone; nobody can read it again. */
export function LinkToPassOn({ link, onClose }: { link: string; onClose: () => void }) {
  const { t } = useTranslation('ground/teams')
  return (
    <Modal visible header={t('invite.linkTitle')} onDismiss={({ detail }) => detail.reason !== 'overlay' && onClose()}>
      <SpaceBetween size="m">
        <Alert type="warning">{t('invite.linkOnce')}</Alert>
        <CopyToClipboard
          variant="inline"
          textToCopy={link}
          copyButtonAriaLabel={t('first.copy', { what: t('invite.linkTitle') })}
          copySuccessText={t('first.copied')}
          copyErrorText={t('first.copyFailed')}
        />
      </SpaceBetween>
    </Modal>
  )
}
