import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { testerApi } from '../store-calls.ts'
import { refusalOf } from './refusal.ts'

/** The address without a secret: activities that anybody can join. */
export function OpenActivities() {
  const { t } = useTranslation('distribute/store')
  const found = useCall(testerApi.listOpenActivities, { query: { pageSize: 50 } })
  const list = found.data?.list ?? []
  return (
    <>
      <header>
        <h1>{t('openTest.activities')}</h1>
        <p className="open-test-lead">{t('openTest.activitiesText')}</p>
      </header>
      {found.isPending && <p role="status">{t('state.loading')}</p>}
      {found.error && <p role="alert">{refusalOf(t, found.error)}</p>}
      {found.data && list.length === 0 && <section className="open-test-card">{t('openTest.noActivities')}</section>}
      {list.map(one => (
        <section key={one.activityId} className="open-test-card">
          <h2 translate="no">{one.appName}</h2>
          <p className="open-test-said" translate="no">
            {one.title}
          </p>
          <p className="open-test-soft">
            {one.placesLeft === 0 ? t('openTest.full') : t('openTest.places', { count: one.placesLeft })}
          </p>
          <a className="open-test-button" href={hrefOf('/app/openTest', {}, { token: `a${one.activityId}` })}>
            {t('openTest.look')}
          </a>
        </section>
      ))}
    </>
  )
}
