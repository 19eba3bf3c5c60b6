import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { notify } from '../../../../console/notify.ts'
import { queryClient } from '../../../../console/use-call.ts'
import { type MemberView, memberApi } from './team-calls.ts'

const actions = ['suspend', 'restore', 'remove'] as const
type BulkAction = (typeof actions)[number]

interface BulkActionsProps {
  chosen: readonly MemberView[]
  onDone: () => void
}

/** The same for several members: each where the server allows it, one after another, and what was refused is told. */
export function BulkActions({ chosen, onDone }: BulkActionsProps) {
  const { t } = useTranslation('ground/teams')
  const [done, setDone] = useState<number | null>(null)
  const fitting = (action: BulkAction) => chosen.filter(row => row.allowedActions.includes(action))

  const run = async (action: BulkAction) => {
    const rows = fitting(action)
    let refused = ''
    for (const [at, row] of rows.entries()) {
      setDone(at)
      const { accountId, revision } = row
      const status = action === 'suspend' ? 'suspended' : 'active'
      const call: Promise<unknown> =
        action === 'remove'
          ? memberApi.removeMember({ query: { accountId } })
          : memberApi.updateMember({ body: { accountId, revision, status } })
      await call.catch(error => {
        refused = `${row.name}: ${errorText(error)}`
      })
    }
    setDone(null)
    await queryClient.invalidateQueries({ queryKey: [memberApi.listMembers.service] })
    notify(
      refused ? { tone: 'error', text: refused } : { tone: 'success', text: t('bulk.done', { count: rows.length }) },
    )
    onDone()
  }
  if (chosen.length === 0) return null
  return (
    <ButtonDropdown
      loading={done !== null}
      loadingText={t('bulk.progress', { done: (done ?? 0) + 1, all: chosen.length })}
      data-action="bulk"
      items={actions.map(id => ({
        id,
        text: t(`bulk.${id}`, { count: fitting(id).length }),
        disabled: fitting(id).length === 0,
      }))}
      onItemClick={({ detail }) => void run(detail.id as BulkAction)}
    >
      {t('bulk.title', { count: chosen.length })}
    </ButtonDropdown>
  )
}
