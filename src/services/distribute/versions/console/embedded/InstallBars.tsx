import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../../console/use-call.ts'
import { fieldApi } from '../version-calls.ts'

const days = 30

/** Installs and updates of the last thirty days, a bar a day. */
export function InstallBars({ appId }: { appId: string }) {
  const { t, i18n } = useTranslation('distribute/versions')
  const found = useCall(fieldApi.listInstallDays, { query: { appId, days } })
  if (!found.data) return null
  const list = found.data.list.toReversed()
  const amounts = list.map(one => one.installed + one.updated)
  const most = Math.max(...amounts, 1)
  const sum = amounts.reduce((all, one) => all + one, 0).toLocaleString(i18n.resolvedLanguage)
  return (
    <section className="embedded-card">
      <h2>{t('embedded.installs')}</h2>
      <p className="embedded-big">{sum}</p>
      {amounts.some(amount => amount > 0) && (
        <svg className="embedded-bars" viewBox={`0 0 ${list.length * 4} 40`} preserveAspectRatio="none" role="img">
          <title>{t('embedded.installsOf', { sum })}</title>
          {amounts.map((amount, at) => {
            const height = (amount / most) * 40
            return <rect key={list[at]?.day} x={at * 4} y={40 - height} width={3} height={height} />
          })}
        </svg>
      )}
    </section>
  )
}
