import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContextBox, readContext } from '../../../../../console/kit/conditions/ContextBox.tsx'
import { OutcomeMark } from '../../../../../console/kit/conditions/OutcomeMark.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { useSettled } from '../../../../../console/use-settled.ts'
import type { Explained } from '../../../../../kernel/targeting/evaluate.ts'
import type { EvaluatedView } from '../../settings/contract.ts'
import { settingsApi, type TabProps } from '../config-calls.ts'

const sources = ['draft', 'published'] as const

/** What somebody would get, of the draft or of what is in force, and which condition decided. */
export function TryTab({ where }: TabProps) {
  const { t } = useTranslation('grow/remote-config')
  const table = useTableState({ id: 'remote-config-try' })
  const [text, setText] = useState('{\n  "targetingKey": "user-1",\n  "device.country": "CN"\n}')
  const [of, setOf] = useState<(typeof sources)[number]>('draft')
  const context = readContext(useSettled(text, 300))
  const found = useCall(
    settingsApi.evaluate,
    { body: { ...where, ...table.page, of, context: context ?? {} } },
    { enabled: context !== null, keepBefore: true },
  )
  const conditions = found.data?.conditions ?? []
  return (
    <SpaceBetween size="l">
      <Container>
        <SpaceBetween size="s">
          <ContextBox text={text} onChange={setText} />
          <SegmentedControl
            label={t('try.of')}
            selectedId={of}
            options={sources.map(id => ({ id, text: t(`try.sources.${id}`) }))}
            onChange={({ detail }) => setOf(detail.selectedId as (typeof sources)[number])}
          />
        </SpaceBetween>
      </Container>
      <DataTable
        title={t('try.values')}
        table={table}
        result={found}
        rowKey={row => row.key}
        rowName={row => row.key}
        empty={{ title: t('parameters.empty'), text: t('parameters.emptyText') }}
        columns={[
          {
            id: 'key',
            header: t('parameters.key'),
            isName: true,
            minWidth: 180,
            cell: row => <code translate="no">{row.key}</code>,
          },
          {
            id: 'value',
            header: t('try.value'),
            cell: row =>
              row.isInAppDefault ? (
                t('parameters.inApp')
              ) : (
                <span className="rcs-value" translate="no">
                  {row.value || t('parameters.emptyValue')}
                </span>
              ),
          },
          {
            id: 'condition',
            header: t('try.because'),
            cell: row => <Because of={row} />,
          },
        ]}
      />
      {conditions.length > 0 && (
        <Container header={<Header variant="h2">{t('tabs.conditions')}</Header>}>
          <ul className="rcs-values">
            {conditions.map(({ name, explained }) => (
              <li key={name}>
                <b translate="no">{name}</b>
                <OutcomeMark explained={explained as Explained} />
              </li>
            ))}
          </ul>
        </Container>
      )}
    </SpaceBetween>
  )
}

/** An experiment, a rollout, a condition or the default; the first of them that is there decides. */
function Because({ of: { experiment, rollout, condition } }: { of: EvaluatedView['list'][number] }) {
  const { t } = useTranslation('grow/remote-config')
  if (experiment) return <span translate="no">{t('try.experiment', experiment)}</span>
  if (rollout !== null) return <span translate="no">{t('try.rollout', { name: rollout })}</span>
  return condition === null ? t('parameters.default') : <b translate="no">{condition}</b>
}
