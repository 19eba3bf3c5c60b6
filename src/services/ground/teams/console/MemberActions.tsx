import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { notify } from '../../../../console/notify.ts'
import { useSession } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { EditRights } from './EditRights.tsx'
import { Explain } from './Explain.tsx'
import { type MemberView, memberApi } from './team-calls.ts'

const shown = ['change', 'suspend', 'restore', 'remove'] as const

/** What may be done with a member, as the server says; the leader is changed by handing the team over, not here. */
export function MemberActions({ member }: { member: MemberView }) {
  const { t } = useTranslation('ground/teams')
  const session = useSession()
  const [open, setOpen] = useState<'change' | 'remove' | 'explain' | null>(null)
  const { accountId, name, status, revision } = member
  const close = () => setOpen(null)
  const change = useAction(memberApi.updateMember, {
    onDone: saved => notify({ tone: 'success', text: t(`members.done.${saved.status}`, { name }) }),
  })
  const remove = useAction(memberApi.removeMember, {
    onDone: () => {
      notify({ tone: 'success', text: t('members.done.removed', { name }) })
    },
  })
  const isMe = session.status === 'in' && session.info.account.id === accountId
  const allowed = isMe ? [] : shown.filter(action => member.allowedActions.includes(action))

  const act = (id: string) => {
    if (id === 'change' || id === 'remove' || id === 'explain') setOpen(id)
    else void change.run({ body: { accountId, revision, status: status === 'active' ? 'suspended' : 'active' } })
  }
  return (
    <>
      <ButtonDropdown
        variant="icon"
        expandToViewport
        loading={change.isRunning}
        ariaLabel={t('members.actionsOf', { name })}
        data-action="member-actions"
        items={[
          ...allowed.map(id => ({ id, text: t(`members.do.${id}`) })),
          { id: 'explain', text: t('members.do.explain') },
        ]}
        onItemClick={({ detail }) => act(detail.id)}
      />
      {open === 'change' && <EditRights member={member} onClose={close} />}
      {open === 'explain' && <Explain member={member} onClose={close} />}
      {open === 'remove' && (
        <ConfirmByName
          title={t('members.removeTitle', { name })}
          name={member.loginName}
          verb={t('members.do.remove')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { accountId } }).then(close)}
          onCancel={close}
        >
          {t('members.removeText')}
        </ConfirmByName>
      )}
    </>
  )
}
