import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type breakdowns, type deviceClasses, type failureReasons, unknownCountry } from '../../field/rules.ts'
import { fieldApi, storeLanguage } from '../store-calls.ts'

interface SharesProps {
  appId: string
  days: number
  by: (typeof breakdowns)[number]
}

const shown = 8

/** Reports by reason, country or kind of device: a bar and a number each, the largest first. */
export function Shares({ appId, days, by }: SharesProps) {
  const { t } = useTranslation('distribute/store')
  const found = useCall(fieldApi.listInstallShares, { query: { appId, days, by } }, { keepBefore: true })
  const label = (key: string) => {
    if (by === 'reason') return t(`reasons.${key as (typeof failureReasons)[number]}`)
    if (by === 'deviceClass') return t(`deviceClasses.${key as (typeof deviceClasses)[number]}`)
    if (key === unknownCountry) return t('field.unknownCountry')
    return new Intl.DisplayNames([storeLanguage()], { type: 'region' }).of(key) ?? key
  }
  const rows = (found.data?.list ?? []).slice(0, shown).map(row => ({
    label: label(row.key),
    count: by === 'reason' ? row.failed : row.installed + row.updated,
  }))
  const most = Math.max(...rows.map(row => row.count), 1)
  return (
    <Container header={<Header variant="h3">{t(`field.by.${by}`)}</Header>}>
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {found.data && rows.length === 0 && <p className="lg-soft">{t(`field.none.${by}`)}</p>}
      <ul className="field-bars">
        {rows.map(row => (
          <li key={row.label}>
            <span>{row.label}</span>
            <strong>{row.count.toLocaleString(storeLanguage())}</strong>
            <span className="field-bar" style={{ inlineSize: `${(row.count / most) * 100}%` }} aria-hidden />
          </li>
        ))}
      </ul>
    </Container>
  )
}
