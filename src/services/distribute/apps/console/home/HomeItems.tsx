import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { Answer } from '../../../../../kernel/contract.ts'
import type { dgsDelegates } from '../../../../ground/projects/contract.ts'

type Home = Answer<typeof dgsDelegates.calls.getAggregate>
type Item = Home['recentReleases']['list'][number]
const tones = { fix: 'bad', answer: 'caution', release: 'info' } as const

/** What waits for somebody of the team, what failed, and what went out; each leads to where it is dealt with. */
export function HomeItems({ home }: { home: Home }) {
  const { t } = useTranslation('distribute/apps')
  const { openTasks, failedPackages, recentReleases } = home
  return (
    <SpaceBetween size="l">
      <ItemList title={t('homePage.waiting')} total={openTasks.total} shown={openTasks.list.length}>
        {openTasks.list.map(item => (
          <ItemLine key={item.entityId} item={item} path="/apps/$appId/version/$entityId">
            <StatusBadge tone={tones[item.need]} text={t(`homePage.needs.${item.need}`)} />
          </ItemLine>
        ))}
      </ItemList>
      {failedPackages.total > 0 && (
        <ItemList title={t('homePage.failedPackages')} total={failedPackages.total} shown={failedPackages.list.length}>
          {failedPackages.list.map(item => (
            <ItemLine key={item.entityId} item={item} path="/apps/$appId/packages/$entityId" />
          ))}
        </ItemList>
      )}
      {recentReleases.total > 0 && (
        <ItemList title={t('homePage.released')} total={recentReleases.total} shown={recentReleases.list.length}>
          {recentReleases.list.map(item => (
            <ItemLine key={item.entityId} item={item} path="/apps/$appId/version/$entityId" />
          ))}
        </ItemList>
      )}
    </SpaceBetween>
  )
}

interface ItemListProps {
  title: string
  total: number
  shown: number
  children: ReactNode
}

function ItemList({ title, total, shown, children }: ItemListProps) {
  const { t } = useTranslation('distribute/apps')
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${total})`}>
          {title}
        </Header>
      }
    >
      {total === 0 ? (
        <p className="lg-soft">{t('homePage.nothingWaits')}</p>
      ) : (
        <ul className="apps-lines">{children}</ul>
      )}
      {total > shown && <p className="lg-soft">{t('homePage.more', { count: total - shown })}</p>}
    </Container>
  )
}

function ItemLine({ item, path, children }: { item: Item; path: string; children?: ReactNode }) {
  const { t } = useTranslation('distribute/apps')
  const { appId, entityId, appName, at } = item
  return (
    <li>
      <Link href={hrefOf(path, { appId, entityId })}>{appName || t('homePage.unnamed', { id: appId })}</Link> {children}{' '}
      <span className="lg-soft">
        <When at={at} show="relative" />
      </span>
    </li>
  )
}
