import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { ZoneName } from '../../../../../console/kit/ZoneName.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { microPercent, unitOf, wholeMicroPercent } from '../../../../../kernel/targeting/bucket.ts'
import { getsIt, type SwitchReason, type SwitchSetting, switchReason } from '../../rules.ts'
import { operations } from '../menu-calls.ts'
import { languageTag, useLanguage } from '../shown-language.ts'

const tones: Record<SwitchReason, Tone> = {
  off: 'off',
  zone: 'stopped',
  group: 'good',
  percent: 'good',
  outside: 'off',
  drawn: 'waiting',
}

/** Teams and whether they would get the feature with what is chosen now, by the rule that the server decides by. */
export function WhoGetsIt({ setting, seed }: { setting: SwitchSetting; seed: string | null }) {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const table = useTableState({ id: 'switch-teams' })
  const result = useCall(operations.listTeams, { query: { ...table.page, search: table.search } }, { keepBefore: true })
  const percent = new Intl.NumberFormat(languageTag(language), { style: 'percent', maximumFractionDigits: 1 })
  const teams = result.data?.list ?? []
  const reasonOf = (team: (typeof teams)[number]) => switchReason(setting, seed, team)
  const inside = teams.filter(team => getsIt(reasonOf(team))).length
  const isDrawn = teams.some(team => reasonOf(team) === 'drawn')
  const placeOf = (teamId: string) =>
    seed === null ? '–' : percent.format(microPercent('rollout', seed, unitOf(teamId) ?? '') / wholeMicroPercent)

  return (
    <SpaceBetween size="s">
      <DataTable
        title={t('who.title')}
        table={table}
        result={result}
        rowKey={row => row.teamId}
        rowName={row => row.name}
        searchLabel={t('who.search')}
        empty={{ title: t('who.empty') }}
        columns={[
          {
            id: 'name',
            header: t('who.team'),
            isName: true,
            minWidth: 170,
            cell: row => (
              <span translate="no">
                {row.name}
                <span className="menu-id">{row.teamId}</span>
              </span>
            ),
          },
          {
            id: 'answer',
            header: t('who.answer'),
            minWidth: 230,
            cell: row => {
              const reason = reasonOf(row)
              return <StatusBadge tone={tones[reason]} text={t(`who.reasons.${reason}`)} />
            },
          },
          { id: 'place', header: t('who.place'), width: 90, cell: row => placeOf(row.teamId) },
          { id: 'zone', header: t('who.zone'), width: 110, cell: row => <ZoneName zone={row.zone} /> },
        ]}
      />
      {teams.length > 0 && (
        <Box color="text-body-secondary">
          <div role="status">{isDrawn ? t('who.drawnHint') : t('who.sum', { count: teams.length, inside })}</div>
          {seed !== null && <div>{t('who.placeHint')}</div>}
        </Box>
      )}
    </SpaceBetween>
  )
}
