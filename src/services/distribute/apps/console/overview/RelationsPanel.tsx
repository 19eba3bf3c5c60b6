import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { may } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { AppView } from '../app-calls.ts'
import { type RelationView, relationCalls } from './overview-calls.ts'

const tones: Readonly<Record<RelationView['relation'], Tone>> = {
  SUCCESSOR: 'caution',
  PREDECESSOR: 'info',
  SERIES: 'good',
  ALLIANCE: 'info',
  MOVED_FROM: 'info',
  CLAIMED_FROM: 'info',
  CLAIMED_BY: 'caution',
  SAME_PACKAGE_NAME: 'off',
  SAME_NAME: 'off',
}

/** What the app has to do with others: editions, successor, the team it came from, names that were claimed. */
export function RelationsPanel({ app }: { app: AppView }) {
  const { t } = useTranslation('distribute/apps')
  const found = useCall(
    relationCalls.listAppRelations,
    { query: { appId: app.appId } },
    { enabled: may('series.read') },
  )
  const list = found.data?.list ?? []
  if (list.length === 0) return null
  return (
    <Container header={<Header variant="h2">{t('relations.title')}</Header>}>
      <ul className="apps-lines">
        {list.map(one => (
          <li key={[one.relation, one.appId, one.since, one.name].join(' ')}>
            <div>
              {one.appId === null ? (
                <span translate="no">{one.name}</span>
              ) : (
                <Link href={hrefOf('/apps/$appId', { appId: one.appId })}>
                  <span translate="no">{one.name}</span>
                </Link>
              )}
              <div className="lg-soft">{detailsOf(one, t).join(' · ')}</div>
            </div>
            <div>
              <StatusBadge tone={tones[one.relation]} text={t(`relations.kinds.${one.relation}`)} />
              {one.since !== null && (
                <div className="lg-soft">
                  <When at={one.since} />
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Container>
  )
}

function detailsOf({ appId, packageType, series, countries, team }: RelationView, t: TFunction<'distribute/apps'>) {
  return [
    ...(appId !== null && packageType !== null ? [t(`types.${packageType as AppView['packageType']}`)] : []),
    ...(series ? [t('relations.inSeries', { name: series.name })] : []),
    ...(countries.includes('*') ? [t('relations.everywhere')] : []),
    ...(countries.length > 0 && !countries.includes('*') ? [countries.join(', ')] : []),
    ...(team === null ? [] : [t('relations.team', { team })]),
  ]
}
