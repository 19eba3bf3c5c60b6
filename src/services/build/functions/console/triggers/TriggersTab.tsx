import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import type { Language } from '../../../../../console/language.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { FunctionView } from '../function-calls.ts'
import { NextRuns } from './NextRuns.tsx'
import { TriggerDialog } from './TriggerDialog.tsx'
import { type TriggerView, toneOfResult, triggerApi, waitsFor, zonedText } from './trigger-words.ts'

/** What calls the function besides apps, and what came of it. */
export function TriggersTab({ of }: { of: FunctionView }) {
  const { t } = useTranslation('build/functions')
  const { functionId } = of
  const [open, setOpen] = useState<TriggerView | 'new' | null>(null)
  const [leaving, setLeaving] = useState<TriggerView | null>(null)
  const table = useTableState({ id: 'function-triggers' })
  const result = useCall(triggerApi.listTriggers, { params: { functionId }, query: {} })
  const remove = useAction(triggerApi.deleteTrigger, { onDone: () => setLeaving(null) })
  const make = (
    <Can call={triggerApi.createTrigger}>
      <Button data-action="new-trigger" onClick={() => setOpen('new')}>
        {t('triggers.new')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('tabs.triggers')}
        table={table}
        result={result}
        rowKey={row => row.triggerId}
        rowName={row => row.name}
        empty={{ title: t('triggers.empty'), text: t('triggers.emptyText'), action: make }}
        actions={make}
        columns={[
          {
            id: 'name',
            header: t('name'),
            isName: true,
            width: 190,
            cell: row => (
              <div>
                <span translate="no">{row.name}</span>
                <Box color="text-body-secondary">
                  {t(`triggers.kinds.${row.typeCode}`)} · <span translate="no">{row.qualifier}</span>
                </Box>
              </div>
            ),
          },
          { id: 'waits', header: t('triggers.waitsFor'), minWidth: 260, cell: row => <Waits row={row} /> },
          {
            id: 'last',
            header: t('triggers.last'),
            width: 190,
            cell: row => <Last row={row} />,
          },
          { id: 'state', header: t('state'), width: 170, cell: row => <Switch row={row} /> },
          {
            id: 'actions',
            header: t('actions'),
            width: 170,
            cell: row => (
              <Can call={triggerApi.updateTrigger}>
                <SpaceBetween direction="horizontal" size="xs">
                  <Button variant="inline-link" data-action="edit-trigger" onClick={() => setOpen(row)}>
                    {t('edit')}
                  </Button>
                  <Button variant="inline-link" data-action="delete-trigger" onClick={() => setLeaving(row)}>
                    {t('delete')}
                  </Button>
                </SpaceBetween>
              </Can>
            ),
          },
        ]}
      />
      {open !== null && <TriggerDialog of={of} trigger={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
      {leaving && (
        <ConfirmByName
          title={t('triggers.deleteTitle')}
          name={leaving.name}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params: { functionId }, body: { triggerId: leaving.triggerId } })}
          onCancel={() => setLeaving(null)}
        >
          {t('triggers.deleteText')}
        </ConfirmByName>
      )}
    </>
  )
}

function Waits({ row }: { row: TriggerView }) {
  const { t, i18n } = useTranslation('build/functions')
  const language = i18n.resolvedLanguage as Language
  const { url, nextRuns, config } = row
  const timezone = config.timezone ?? 'UTC'
  return (
    <div>
      <div>{waitsFor(t, row)}</div>
      {url !== null && (
        <div className="fn-url" translate="no">
          <CopyToClipboard
            variant="inline"
            textToCopy={url}
            copyButtonAriaLabel={t('triggers.copy')}
            copySuccessText={t('triggers.copied')}
            copyErrorText={t('triggers.notCopied')}
          />
        </div>
      )}
      {nextRuns.length > 0 && (
        <ExpandableSection
          headerText={t('triggers.next', { at: zonedText(nextRuns[0] ?? 0, timezone, language) })}
          variant="inline"
        >
          <NextRuns runs={nextRuns} timezone={timezone} />
        </ExpandableSection>
      )}
    </div>
  )
}

function Last({ row }: { row: TriggerView }) {
  const { t } = useTranslation('build/functions')
  if (row.lastFiredAt === null) return <Box color="text-body-secondary">{t('triggers.never')}</Box>
  return (
    <div>
      {row.lastResult !== null && (
        <StatusBadge tone={toneOfResult(row.lastResult)} text={t(`triggers.results.${row.lastResult}`)} />
      )}
      <Box color="text-body-secondary">
        <When at={row.lastFiredAt} show="relative" /> · {t('triggers.times', { count: row.fired })}
      </Box>
    </div>
  )
}

function Switch({ row }: { row: TriggerView }) {
  const { t } = useTranslation('build/functions')
  const { functionId, triggerId, revision, isEnabled, name } = row
  const flip = useAction(triggerApi.updateTrigger)
  const word = isEnabled ? t('on') : t('off')
  return (
    <Can call={triggerApi.updateTrigger} otherwise={<StatusBadge tone={isEnabled ? 'good' : 'off'} text={word} />}>
      <Toggle
        checked={isEnabled}
        disabled={flip.isRunning}
        ariaLabel={name}
        onChange={({ detail }) =>
          void flip.run({ params: { functionId }, body: { triggerId, revision, isEnabled: detail.checked } })
        }
      >
        {word}
      </Toggle>
    </Can>
  )
}
