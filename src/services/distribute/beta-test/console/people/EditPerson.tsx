import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { limits } from '../../rules.ts'
import { peopleApi, type UserView } from '../beta-calls.ts'

/** What somebody is called in the lists of the team. */
export function EditPerson({ person, onClose }: { person: UserView; onClose: () => void }) {
  const { t } = useTranslation('distribute/beta-test')
  const [nickname, setNickname] = useState(person.nickname)
  const update = useAction(peopleApi.updateUser, { errors: 'form', onDone: onClose })
  const { userId, revision, account } = person
  return (
    <DialogBox
      title={t('people.renameTitle', { account })}
      isRunning={update.isRunning}
      canSubmit={nickname.length <= limits.nicknameLength}
      refusal={update.error && errorText(update.error)}
      onSubmit={() => void update.run({ body: { userId, nickname, revision } })}
      onClose={onClose}
    >
      <FormField label={t('people.nickname')}>
        <Input value={nickname} onChange={({ detail }) => setNickname(detail.value)} />
      </FormField>
    </DialogBox>
  )
}
