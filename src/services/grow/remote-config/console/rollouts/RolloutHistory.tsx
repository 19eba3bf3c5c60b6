import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import type { Language } from '../../../../../console/language.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { RolloutChangeView } from '../../rollouts/contract.ts'
import { rolloutsApi } from '../config-calls.ts'
import { percentText } from './rollout-words.ts'

const tones: Readonly<Record<RolloutChangeView['action'], Tone>> = {
  start: 'running',
  advance: 'running',
  approve: 'good',
  pause: 'caution',
  resume: 'running',
  rollback: 'bad',
  complete: 'good',
  cancel: 'stopped',
  randomise: 'info',
  edit: 'info',
  askStart: 'waiting',
  askComplete: 'waiting',
  agree: 'good',
  refuse: 'bad',
  withdraw: 'stopped',
}

/** What became of a rollout: who, when, how many percent, why; the newest first. */
export function RolloutHistory({ rolloutId }: { rolloutId: string }) {
  const { t, i18n } = useTranslation('grow/remote-config')
  const language = (i18n.resolvedLanguage ?? 'zh') as Language
  const table = useTableState({ id: 'remote-config-rollout-history' })
  const found = useCall(
    rolloutsApi.listRolloutChanges,
    { params: { rolloutId }, query: table.page },
    { keepBefore: true },
  )
  return (
    <DataTable
      title={t('rollouts.history')}
      table={table}
      result={found}
      rowKey={row => row.changeId}
      rowName={row => t(`rollouts.did.${row.action}`)}
      empty={{ title: t('rollouts.nothing') }}
      columns={[
        {
          id: 'action',
          header: t('rollouts.action'),
          isName: true,
          minWidth: 140,
          cell: row => (
            <>
              <StatusBadge tone={tones[row.action]} text={t(`rollouts.did.${row.action}`)} />
              {row.isForced && <div className="lg-soft lg-wrapped">{t('rollouts.without')}</div>}
            </>
          ),
        },
        {
          id: 'at',
          header: t('rollouts.at'),
          width: 180,
          cell: row => (
            <div className="lg-wrapped">
              <When at={row.at} show="both" />
            </div>
          ),
        },
        { id: 'percent', header: t('rollouts.reach'), width: 140, cell: row => `${percentText(row.percent)} %` },
        {
          id: 'by',
          header: t('rollouts.by'),
          width: 160,
          cell: row =>
            row.by ? (
              <span translate="no">{row.by.name}</span>
            ) : (
              t(row.cause ? `rollouts.causes.${row.cause}` : 'rollouts.clock')
            ),
        },
        { id: 'version', header: t('rollouts.version'), width: 100, cell: row => row.version ?? '–' },
        {
          id: 'reason',
          header: t('rollouts.reason'),
          minWidth: 240,
          cell: row => <div className="lg-wrapped">{(row.found?.[language] ?? row.reason) || '–'}</div>,
        },
      ]}
    />
  )
}
