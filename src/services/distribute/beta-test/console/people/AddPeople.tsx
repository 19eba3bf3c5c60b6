import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallError } from '../../../../../console/call-error.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../../console/notify.ts'
import { fieldText } from '../../../../../console/refusal-text.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { limits } from '../../rules.ts'
import { peopleApi } from '../beta-calls.ts'

/** One mail address or phone number a line, with a name behind it if wanted. */
export function AddPeople({ groupId, onClose }: { groupId: string; onClose: () => void }) {
  const { t } = useTranslation('distribute/beta-test')
  const [text, setText] = useState('')
  const add = useAction(peopleApi.addGroupUsers, {
    errors: 'form',
    onDone: ({ added, known }) => {
      notify({ tone: 'success', text: t('people.added', { count: added.length, known }) })
      onClose()
    },
  })
  const users = peopleIn(text)
  const [sent, setSent] = useState(users)
  const isTooMany = users.length > limits.usersAtOnce
  /** What is wrong with whom. */
  const refusalOf = (error: CallError) => {
    const [field] = error.fields
    if (!field) return errorText(error)
    const account = sent[Number(field.pointer.split('/')[2])]?.account
    if (account === undefined) return fieldText(field)
    return field.rule === 'address' ? t('people.noAddress', { account }) : `${account}: ${fieldText(field)}`
  }
  return (
    <DialogBox
      title={t('people.add')}
      verb={t('people.addThem')}
      isRunning={add.isRunning}
      canSubmit={users.length > 0 && !isTooMany}
      refusal={add.error && refusalOf(add.error)}
      onSubmit={() => {
        setSent(users)
        void add.run({ params: { groupId }, body: { users } })
      }}
      onClose={onClose}
    >
      <FormField
        label={t('people.accounts')}
        constraintText={t('people.addHint', { count: limits.usersAtOnce })}
        errorText={isTooMany ? t('people.tooMany', { count: limits.usersAtOnce }) : undefined}
      >
        <Textarea
          rows={6}
          value={text}
          placeholder={'ann@example.org Ann\n+49 30 1234567 Ben'}
          spellcheck={false}
          onChange={({ detail }) => setText(detail.value)}
        />
      </FormField>
    </DialogBox>
  )
}

function peopleIn(text: string) {
  return text
    .split(/[\n,;]+/)
    .map(line => line.trim())
    .filter(Boolean)
    .map(line => {
      // A number may be written with blanks in it.
      const [account = ''] = /^(\+|00)[0-9 ().-]*[0-9]/.exec(line) ?? line.split(/\s+/)
      const nickname = line.slice(account.length).trim().slice(0, limits.nicknameLength)
      return { account, ...(nickname && { nickname }) }
    })
}
