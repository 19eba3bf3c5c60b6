import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import List from '@cloudscape-design/components/list'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { ConditionView } from '../../contract.ts'
import { api, type TabProps } from '../config-calls.ts'
import { Tag } from '../Tag.tsx'
import { ConditionDialog } from './ConditionDialog.tsx'
import { ruleText } from './rule-text.ts'

/** The conditions in the order in which they are asked, to be dragged or moved with the keys; a hundred at a time. */
export function ConditionsTab({ where }: TabProps) {
  const { t } = useTranslation('grow/remote-config')
  const [cursors, setCursors] = useState<string[]>([])
  const cursor = cursors.at(-1)
  const query = { ...where, pageSize: 100, ...(cursor && { cursor }) }
  const found = useCall(api.listConditions, { query }, { keepBefore: true })
  const order = useAction(api.orderConditions)
  const [moving, setMoving] = useState<readonly ConditionView[] | null>(null)
  const [open, setOpen] = useState<ConditionView | 'new' | null>(null)
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const { total, nextCursor } = found.data
  const list = moving ?? found.data.list
  const create = (
    <Can call={api.createCondition}>
      <Button variant="primary" data-action="createCondition" onClick={() => setOpen('new')}>
        {t('conditions.create')}
      </Button>
    </Can>
  )
  const sort = async (next: readonly ConditionView[]) => {
    setMoving(next)
    await order.run({ body: { ...where, names: next.map(one => one.name) } })
    setMoving(null)
  }
  return (
    <SpaceBetween size="m">
      {total > 0 && (
        <Header variant="h2" counter={`(${total})`} actions={create} description={t('conditions.text')}>
          {t('tabs.conditions')}
        </Header>
      )}
      {total === 0 && (
        <EmptyState title={t('conditions.empty')} text={t('conditions.emptyText')} action={create} level="h2" />
      )}
      <List
        ariaLabel={t('tabs.conditions')}
        items={list}
        sortable={may('remoteConfig.edit')}
        onSortingChange={({ detail }) => void sort(detail.items)}
        renderItem={one => ({
          id: one.name,
          announcementLabel: one.name,
          content: (
            <Button variant="inline-link" data-action="openCondition" onClick={() => setOpen(one)}>
              <Tag name={one.name} color={one.tagColor} />
            </Button>
          ),
          secondaryContent: (
            <>
              <div className="rcs-rule" translate="no">
                {ruleText(one.rule)}
              </div>
              <span className="lg-soft">{t('conditions.users', { count: one.parameters })}</span>
            </>
          ),
        })}
      />
      {(cursors.length > 0 || nextCursor !== null) && (
        <div className="lg-actions">
          <Button disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('conditions.before')}
          </Button>
          <Button disabled={nextCursor === null} onClick={() => nextCursor && setCursors([...cursors, nextCursor])}>
            {t('conditions.after')}
          </Button>
        </div>
      )}
      {open !== null && (
        <ConditionDialog where={where} condition={open === 'new' ? null : open} onClose={() => setOpen(null)} />
      )}
    </SpaceBetween>
  )
}
