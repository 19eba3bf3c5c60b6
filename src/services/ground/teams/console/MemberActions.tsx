import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { notify } from '../../../../console/notify.ts'
import { useSession } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { EditRoles } from './EditRoles.tsx'
import { api, type MemberView } from './team-calls.ts'

/** What may be done with a member; the leader is changed by handing the team over, not here. */
export function MemberActions({ member }: { member: MemberView }) {
  const { t } = useTranslation('ground/teams')
  const session = useSession()
  const [open, setOpen] = useState<'roles' | 'remove' | null>(null)
  const { accountId, name, status, revision } = member
  const close = () => setOpen(null)
  const change = useAction(api.updateMember, {
    onDone: saved => notify({ tone: 'success', text: t(`members.done.${saved.status}`, { name }) }),
  })
  const remove = useAction(api.removeMember, {
    onDone: () => {
      notify({ tone: 'success', text: t('members.done.removed', { name }) })
    },
  })
  const isMe = session.status === 'in' && session.info.account.id === accountId
  if (member.isLeader) return <span className="lg-soft">{t('members.isLeader')}</span>
  if (isMe) return <span className="lg-soft">{t('members.isYou')}</span>

  const act = (id: string) => {
    if (id === 'roles' || id === 'remove') setOpen(id)
    else void change.run({ body: { accountId, revision, status: status === 'active' ? 'suspended' : 'active' } })
  }
  return (
    <>
      <ButtonDropdown
        variant="icon"
        expandToViewport
        loading={change.isRunning}
        ariaLabel={t('members.actionsOf', { name })}
        items={[
          { id: 'roles', text: t('members.changeRoles') },
          { id: 'status', text: status === 'active' ? t('members.suspend') : t('members.restore') },
          { id: 'remove', text: t('members.remove') },
        ]}
        onItemClick={({ detail }) => act(detail.id)}
      />
      {open === 'roles' && <EditRoles member={member} onClose={close} />}
      {open === 'remove' && (
        <ConfirmByName
          title={t('members.removeTitle', { name })}
          name={member.loginName}
          verb={t('members.remove')}
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
