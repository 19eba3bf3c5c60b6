import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { StatusBadge, type Tone } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { notify } from '../../../../console/notify.ts'
import { may } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type SmsUsage, settingsApi } from './auth-calls.ts'

const states = ['QUEUED', 'KEPT', 'SENT', 'FAILED'] as const
const tones: Readonly<Record<(typeof states)[number], Tone>> = {
  QUEUED: 'waiting',
  KEPT: 'caution',
  SENT: 'good',
  FAILED: 'bad',
}
const parts = ['sent', 'kept', 'failed'] as const
const colours = { sent: '#2ea597', kept: '#688ae8', failed: '#c33d69', used: '#8456ce' } as const

/** Text messages: how many by day, which ones, and a test; what the outbox keeps was delivered to nobody. */
export function SmsTab({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/app-auth')
  const product = useCall(settingsApi.getProduct, { query: { projectId } })
  const usage = useCall(settingsApi.getSmsUsage, { query: { projectId } })
  if (usage.error) return <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
  return (
    <SpaceBetween size="l">
      {product.data && !product.data.isSmsDelivered && <Alert type="warning">{t('sms.outbox')}</Alert>}
      {usage.data?.blocked.map(one => (
        <Alert key={one.country} type="error">
          {t('sms.blocked', { country: one.country })} <When at={one.until} />
        </Alert>
      ))}
      {usage.data && <UsageChart usage={usage.data} />}
      <SmsTest projectId={projectId} />
      {may('appAuth.users') && <Messages projectId={projectId} />}
    </SpaceBetween>
  )
}

/** Every day of a period, so that one without messages is a gap and no missing day. */
function daysOf(from: string, to: string): string[] {
  const days: string[] = []
  for (
    let at = Date.parse(`${from}T00:00:00Z`);
    days.length < 400 && at <= Date.parse(`${to}T00:00:00Z`);
    at += 86_400_000
  )
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

function UsageChart({ usage }: { usage: SmsUsage }) {
  const { t, i18n } = useTranslation('build/app-auth')
  const language = i18n.resolvedLanguage ?? 'en'
  const days = daysOf(usage.from, usage.to)
  const dayText = (day: string) =>
    new Date(`${day}T12:00:00Z`).toLocaleDateString(language, { month: 'short', day: 'numeric' })
  const amountOf = (date: string, part: keyof typeof colours) =>
    usage.list.filter(one => one.date === date).reduce((sum, one) => sum + one[part], 0)
  const top = Math.max(4, ...days.map(day => parts.reduce((sum, part) => sum + amountOf(day, part), 0)))
  const limit = { today: usage.today.toLocaleString(language), perDay: usage.perDay.toLocaleString(language) }
  return (
    <Container
      header={
        <Header variant="h2" description={t('sms.today', limit)}>
          {t('sms.usage')}
        </Header>
      }
    >
      <MixedLineBarChart
        stackedBars
        hideFilter
        height={200}
        xScaleType="categorical"
        xDomain={days}
        yDomain={[0, top * 1.1]}
        xTitle={t('charts.day')}
        yTitle={t('sms.messages')}
        ariaLabel={t('sms.usage')}
        empty={t('sms.empty')}
        i18nStrings={{
          xTickFormatter: value => dayText(String(value)),
          yTickFormatter: value => (Number.isInteger(value) ? value.toLocaleString(language) : ''),
        }}
        series={[
          ...parts.map(part => ({
            type: 'bar' as const,
            title: t(`smsParts.${part}`),
            color: colours[part],
            data: days.map(day => ({ x: day, y: amountOf(day, part) })),
          })),
          {
            type: 'line' as const,
            title: t('smsParts.used'),
            color: colours.used,
            data: days.map(day => ({ x: day, y: amountOf(day, 'used') })),
          },
        ]}
      />
    </Container>
  )
}

function SmsTest({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/app-auth')
  const [phone, setPhone] = useState('')
  const send = useAction(settingsApi.testSms, {
    onDone: ({ isDelivered }) =>
      notify({ tone: isDelivered ? 'success' : 'info', text: isDelivered ? t('sms.testSent') : t('sms.testKept') }),
  })
  return (
    <Can call={settingsApi.testSms}>
      <SpaceBetween direction="horizontal" size="xs">
        <Input
          value={phone}
          inputMode="tel"
          ariaLabel={t('ways.phone')}
          placeholder="+49-1701234567"
          onChange={({ detail }) => setPhone(detail.value)}
        />
        <Button
          data-action="sms-test"
          disabled={phone === ''}
          loading={send.isRunning}
          onClick={() => void send.run({ body: { projectId, phone } })}
        >
          {t('sms.test')}
        </Button>
      </SpaceBetween>
    </Can>
  )
}

function Messages({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/app-auth')
  const table = useTableState<'state'>({ id: 'app-sms', filters: ['state'] })
  const state = states.find(one => one === table.filters.state)
  const query = { projectId, ...table.page, ...(state ? { state } : {}) }
  const result = useCall(settingsApi.listMessages, { query }, { keepBefore: true })
  return (
    <DataTable
      title={t('sms.list')}
      table={table}
      result={result}
      rowKey={row => row.messageId}
      rowName={row => row.phone}
      filters={[
        {
          id: 'state',
          label: t('users.state'),
          options: states.map(value => ({ value, label: t(`smsStates.${value}`) })),
        },
      ]}
      empty={{ title: t('sms.empty'), text: t('sms.emptyText') }}
      columns={[
        {
          id: 'phone',
          header: t('ways.phone'),
          isName: true,
          minWidth: 150,
          cell: row => <span translate="no">{row.phone}</span>,
        },
        {
          id: 'text',
          header: t('sms.text'),
          minWidth: 260,
          cell: row => (
            <span className="auth-wrap" translate="no">
              {row.text}
            </span>
          ),
        },
        {
          id: 'state',
          header: t('users.state'),
          minWidth: 190,
          cell: row => <StatusBadge tone={tones[row.state]} text={t(`smsStates.${row.state}`)} />,
        },
        { id: 'at', header: t('users.created'), width: 170, cell: row => <When at={row.createdAt} /> },
        {
          id: 'used',
          header: t('sms.used'),
          width: 150,
          cell: row => (row.usedAt === null ? '–' : <When at={row.usedAt} />),
        },
      ]}
    />
  )
}
