import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { AppUserShown } from '../../user-desk/contract.ts'
import { usersApi } from '../auth-calls.ts'

interface UserDialogProps {
  projectId: string
  /** Null makes a new one. */
  user: (AppUserShown & { claims: Record<string, unknown> }) | null
  onClose: () => void
}

/** A user as the team writes it; empty fields of a user that is there are taken away. */
export function UserDialog({ projectId, user, onClose }: UserDialogProps) {
  const { t } = useTranslation('build/app-auth')
  const [name, setName] = useState(user?.displayName ?? '')
  const [email, setEmail] = useState(user?.email ?? '')
  const [isVerified, setVerified] = useState(user?.emailVerified ?? false)
  const [phone, setPhone] = useState(user?.phone ?? '')
  const [password, setPassword] = useState('')
  const [claims, setClaims] = useState(JSON.stringify(user?.claims ?? {}, null, 2))
  const read = objectOf(claims)
  const options = { errors: 'form', onDone: onClose } as const
  const create = useAction(usersApi.createUser, options)
  const update = useAction(usersApi.updateUser, options)
  const action = user ? update : create
  const submit = () => {
    const said = {
      projectId,
      displayName: name,
      email: email.trim() === '' ? null : email,
      phone: phone.trim() === '' ? null : phone,
      ...(email.trim() === '' ? {} : { emailVerified: isVerified }),
      ...(password === '' ? {} : { password }),
      ...(read === null ? {} : { claims: read }),
    }
    if (user) void update.run({ body: { ...said, uid: user.uid, revision: user.revision } })
    else void create.run({ body: said })
  }
  return (
    <DialogBox
      title={user ? t('users.edit') : t('users.create')}
      action={user ? 'edit' : 'create'}
      isRunning={action.isRunning}
      canSubmit={read !== null}
      refusal={action.error && errorText(action.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField label={t('users.name')}>
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <FormField label={t('ways.email')}>
        <Input value={email} inputMode="email" onChange={({ detail }) => setEmail(detail.value)} />
      </FormField>
      <Checkbox checked={isVerified} disabled={email === ''} onChange={({ detail }) => setVerified(detail.checked)}>
        {t('users.verified')}
      </Checkbox>
      <FormField label={t('ways.phone')} constraintText={t('users.phoneHint')}>
        <Input value={phone} inputMode="tel" onChange={({ detail }) => setPhone(detail.value)} />
      </FormField>
      <FormField label={t('users.password')} constraintText={user ? t('users.passwordHint') : undefined}>
        <Input
          value={password}
          type="password"
          autoComplete="new-password"
          onChange={({ detail }) => setPassword(detail.value)}
        />
      </FormField>
      <FormField
        label={t('users.claims')}
        constraintText={t('users.claimsHint')}
        errorText={read === null ? t('users.claimsWrong') : undefined}
      >
        <Textarea value={claims} rows={4} spellcheck={false} onChange={({ detail }) => setClaims(detail.value)} />
      </FormField>
    </DialogBox>
  )
}

/** The object of a JSON text, or null. */
function objectOf(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null
  } catch {
    return null
  }
}
