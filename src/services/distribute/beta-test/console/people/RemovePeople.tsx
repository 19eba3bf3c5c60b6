import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { peopleApi, type UserView } from '../beta-calls.ts'

/** Takes people out of their group, with what follows from it in words. */
export function RemovePeople({ people, onClose }: { people: readonly UserView[]; onClose: () => void }) {
  const { t } = useTranslation('distribute/beta-test')
  const [isRunning, setRunning] = useState(false)
  const remove = useAction(peopleApi.removeGroupUser)
  const run = async () => {
    setRunning(true)
    let count = 0
    for (const { groupId, userId } of people) {
      if (await remove.run({ params: { groupId }, query: { userId } })) count++
    }
    if (count > 0) notify({ tone: 'success', text: t('people.removed', { count }) })
    onClose()
  }
  return (
    <DialogBox
      title={t('people.removeTitle', { count: people.length })}
      verb={t('people.remove', { count: people.length })}
      isRunning={isRunning}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <p className="beta-said">{t('people.removeText')}</p>
      <p className="beta-soft" translate="no">
        {people.map(one => one.account).join(', ')}
      </p>
    </DialogBox>
  )
}
