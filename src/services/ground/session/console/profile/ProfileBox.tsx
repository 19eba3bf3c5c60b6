import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { languageNames, languages } from '../../../../../console/language.ts'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import { customerId } from '../../../../../kernel/hints.ts'
import { accountCalls } from '../../accounts/contract.ts'
import { accountApi } from '../session-calls.ts'
import { realStateTone } from './real-state.ts'

type Profile = Answer<(typeof accountCalls)['calls']['getProfile']>

export function ProfileBox({ profile }: { profile: Profile }) {
  const { t } = useTranslation('ground/session')
  const [open, setOpen] = useState<'edit' | 'email' | null>(null)
  const close = () => setOpen(null)
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <div className="lg-actions">
              <Button data-action="email" onClick={() => setOpen('email')}>
                {t('profile.changeEmail')}
              </Button>
              <Button data-action="edit" onClick={() => setOpen('edit')}>
                {t('profile.edit')}
              </Button>
            </div>
          }
        >
          {t('profile.title')}
        </Header>
      }
    >
      <KeyValuePairs
        columns={3}
        minColumnWidth={220}
        items={[
          { label: t('profile.name'), value: profile.name },
          { label: t('profile.loginName'), value: profile.loginName },
          { label: t('profile.customerId'), value: customerId(profile.accountId) },
          { label: t('profile.email'), value: profile.email ?? t('profile.none') },
          { label: t('profile.phone'), value: profile.phone ?? t('profile.none') },
          { label: t('profile.language'), value: languageNames[profile.language] },
          {
            label: t('realName.title'),
            value: (
              <Link href={hrefOf('/real-name')}>
                <StatusBadge
                  tone={realStateTone[profile.verifyRealState] ?? 'off'}
                  text={t(`realName.states.${profile.verifyRealState}`)}
                />
              </Link>
            ),
          },
          { label: t('profile.since'), value: <When at={profile.createdAt} /> },
        ]}
      />
      {open === 'edit' && <EditProfile profile={profile} onClose={close} />}
      {open === 'email' && <ChangeEmail onClose={close} />}
    </Container>
  )
}

function EditProfile({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { t } = useTranslation('ground/session')
  const { name, phone, language, revision } = profile
  const form = useContractForm(accountCalls.calls.updateProfile.body, { name, phone: phone ?? '', language, revision })
  const save = useAction(accountApi.updateProfile, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('profile.saved') })
      onClose()
    },
  })
  return (
    <Modal visible header={t('profile.edit')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={save}
        submit={({ phone: typed, ...values }) => save.run({ body: { ...values, phone: typed || null } })}
        submitLabel={t('profile.save')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('profile.name')} />
        <TextField of={form} name="phone" label={t('profile.phone')} inputMode="tel" placeholder="+49 30 1234567" />
        <SelectField
          of={form}
          name="language"
          label={t('profile.language')}
          options={languages.map(one => ({ value: one, label: languageNames[one] }))}
        />
      </ContractFormBox>
    </Modal>
  )
}

function ChangeEmail({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('ground/session')
  const form = useContractForm(accountCalls.calls.startEmail.body, { email: '' })
  const start = useAction(accountApi.startEmail, {
    errors: 'form',
    onDone: (_answer, { body }) => {
      notify({ tone: 'info', text: t('profile.emailSent', { email: body.email }) })
      onClose()
    },
  })
  return (
    <Modal visible header={t('profile.changeEmail')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={start}
        submit={body => start.run({ body })}
        submitLabel={t('profile.sendLink')}
        onCancel={onClose}
      >
        <TextField of={form} name="email" label={t('profile.newEmail')} hint={t('profile.emailHint')} type="email" />
      </ContractFormBox>
    </Modal>
  )
}
