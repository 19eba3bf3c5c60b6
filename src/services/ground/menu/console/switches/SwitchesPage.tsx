import '../menu.css'
import Badge from '@cloudscape-design/components/badge'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { isNamedSwitch } from '../../rules.ts'
import { operations } from '../menu-calls.ts'
import { languageTag, useLanguage } from '../shown-language.ts'
import { switchWords } from './switch-words.data.ts'

/** What is on, for whom and how far. */
export default function SwitchesPage() {
  const { t } = useTranslation('ground/menu')
  const table = useTableState<'state'>({ id: 'switches', filters: ['state'] })
  const { search, filters, page } = table
  const result = useCall(
    operations.listSwitches,
    { query: { ...page, search, ...(filters.state && { state: filters.state as 'on' }) } },
    { keepBefore: true },
  )
  const language = useLanguage()
  const tag = languageTag(language)
  const names = new Intl.ListFormat(tag, { type: 'conjunction' })
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 4 })
  const create = (variant: 'primary' | 'normal') => (
    <Button variant={variant} data-action="newSwitch" href={hrefOf('/operate/new-switch')}>
      {t('switches.new')}
    </Button>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('switches.title')} description={t('switches.text')} />
      <DataTable
        title={t('switches.all')}
        table={table}
        result={result}
        rowKey={row => row.feature}
        rowName={row => row.feature}
        searchLabel={t('switches.search')}
        filters={[
          {
            id: 'state',
            label: t('announcements.state'),
            options: (['on', 'off'] as const).map(value => ({ value, label: t(`slots.${value}`) })),
          },
        ]}
        empty={{ title: t('switches.empty'), text: t('switches.emptyText'), action: create('normal') }}
        actions={create('primary')}
        columns={[
          {
            id: 'feature',
            header: t('switches.feature'),
            isName: true,
            minWidth: 240,
            cell: row => (
              <>
                <Link href={hrefOf('/operate/switches/$feature', { feature: row.feature })}>
                  <code>{row.feature}</code>
                </Link>
                {isNamedSwitch(row.feature) && (
                  <div className="lg-soft menu-note">{switchWords[row.feature][language]}</div>
                )}
                {row.note && (
                  <div className="lg-soft menu-note" translate="no">
                    {row.note}
                  </div>
                )}
              </>
            ),
          },
          {
            id: 'state',
            header: t('announcements.state'),
            width: 150,
            cell: row => (
              <StatusBadge tone={row.isOn ? 'good' : 'off'} text={row.isOn ? t('slots.on') : t('slots.off')} />
            ),
          },
          {
            id: 'percent',
            header: t('switches.percent'),
            minWidth: 160,
            width: 170,
            cell: row => (
              <span className="menu-share">
                <span className="lg-bar" aria-hidden="true">
                  {row.percent > 0 && <span style={{ width: `${row.percent}%` }} />}
                </span>
                {percent.format(row.percent / 100)}
              </span>
            ),
          },
          {
            id: 'zones',
            header: t('switches.zones'),
            minWidth: 150,
            cell: row =>
              row.zones.length > 0 ? names.format(row.zones.map(zone => t(`zones.${zone}`))) : t('form.allZones'),
          },
          {
            id: 'groups',
            header: t('switches.groups'),
            minWidth: 120,
            cell: row =>
              row.groups.length > 0 ? (
                <SpaceBetween direction="horizontal" size="xxs">
                  {row.groups.map(code => (
                    <Badge key={code}>{code}</Badge>
                  ))}
                </SpaceBetween>
              ) : (
                '–'
              ),
          },
          {
            id: 'updated',
            header: t('switches.changed'),
            width: 160,
            cell: row =>
              row.updatedAt === null ? (
                <span className="lg-soft">{t('switches.unset')}</span>
              ) : (
                <When at={row.updatedAt} show="relative" />
              ),
          },
        ]}
      />
    </SpaceBetween>
  )
}
