import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { useSession } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import type { BulkAction } from '../rules.ts'
import { BulkRoles } from './BulkRoles.tsx'
import { bulkApi, type MemberView } from './team-calls.ts'

/** What each row must allow for an action to be offered for it. */
const needed = { roles: 'change', suspend: 'suspend', restore: 'restore', remove: 'remove' } as const
const actions = ['roles', 'suspend', 'restore', 'remove'] as const satisfies readonly BulkAction[]

interface BulkActionsProps {
  chosen: readonly MemberView[]
  onDone: () => void
}

/** The same for several members, in one call: a job does it, and its page tells what became of each. */
export function BulkActions({ chosen, onDone }: BulkActionsProps) {
  const { t } = useTranslation('ground/teams')
  const go = useGo()
  const session = useSession()
  const [open, setOpen] = useState<'roles' | 'remove' | null>(null)
  const start = useAction(bulkApi.changeMembers, {
    onDone: ({ bulkId }) => {
      onDone()
      go('/team/bulk/$bulkId', { bulkId })
    },
  })
  const fitting = (action: BulkAction) => chosen.filter(row => row.allowedActions.includes(needed[action]))
  const run = (action: BulkAction, roles?: string[]) =>
    start.run({ body: { action, accountIds: fitting(action).map(row => row.accountId), ...(roles && { roles }) } })
  const team = session.status === 'in' ? session.info.teams.find(one => one.teamId === session.teamId) : undefined
  if (chosen.length === 0) return null
  return (
    <>
      <ButtonDropdown
        loading={start.isRunning}
        data-action="bulk"
        items={actions.map(id => ({
          id,
          text: t(`bulk.${id}`, { count: fitting(id).length }),
          disabled: fitting(id).length === 0,
        }))}
        onItemClick={({ detail }) => {
          const action = detail.id as BulkAction
          if (action === 'roles' || action === 'remove') setOpen(action)
          else void run(action)
        }}
      >
        {t('bulk.title', { count: chosen.length })}
      </ButtonDropdown>
      {open === 'roles' && (
        <BulkRoles
          count={fitting('roles').length}
          isRunning={start.isRunning}
          onSave={roles => void run('roles', roles)}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'remove' && (
        <ConfirmByName
          title={t('bulk.remove', { count: fitting('remove').length })}
          name={team?.name ?? ''}
          verb={t('members.do.remove')}
          isRunning={start.isRunning}
          onConfirm={() => void run('remove')}
          onCancel={() => setOpen(null)}
        >
          {t('bulk.removeText', { count: fitting('remove').length })}
        </ConfirmByName>
      )}
    </>
  )
}
