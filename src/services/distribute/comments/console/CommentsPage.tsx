import { countryName, languageName } from '../../../../console/shown.ts'
import './comments.css'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { ExportMenu } from '../../../../console/kit/ExportMenu.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { TablePager } from '../../../../console/kit/TablePager.tsx'
import { TableTools } from '../../../../console/kit/TableTools.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { useCrumbName } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type CommentSort, commentSorts, stars } from '../rules.ts'
import { CommentCard } from './CommentCard.tsx'
import { api, appsApi } from './comment-calls.ts'
import { Overview } from './Overview.tsx'
import { TrendChart } from './TrendChart.tsx'

const filterNames = ['stars', 'replied', 'version', 'country', 'language', 'kind', 'order'] as const

/** What people say of an app, in numbers and in words; each can be answered in place. */
export default function CommentsPage() {
  const { t } = useTranslation('distribute/comments')
  const appId = usePageParam('appId')
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  useEffect(() => void api.markSeen({ body: { appId } }).catch(() => undefined), [appId])
  const table = useTableState<(typeof filterNames)[number]>({ id: 'comments', filters: filterNames })
  const { filters, search } = table
  const isTest = filters.kind === 'test'
  const stats = useCall(api.getCommentStats, { query: { appId, isTest } }, { keepBefore: true })
  const common = {
    appId,
    isTest,
    ...(search && { keyword: search }),
    ...(filters.replied && { hasReply: filters.replied === 'yes' }),
    ...(filters.version && { versionCode: filters.version }),
    ...(filters.country && { country: filters.country }),
    ...(filters.language && { language: filters.language }),
    ...(filters.kind === 'ratings' && { withRatings: true }),
    ...(filters.order && { sort: filters.order as CommentSort }),
  }
  const star = stars.find(one => String(one) === filters.stars)
  const body = { ...common, ...table.page, ...(star !== undefined && { stars: [star] }) }
  const [isChecking, setChecking] = useState(false)
  const found = useCall(
    api.queryComments,
    { body },
    { keepBefore: true, ...(isChecking && { refetchInterval: 2_000 }) },
  )
  const hasWaiting = found.data?.list.some(one => one.reply?.state === 'PENDING_CHECK') ?? false
  useEffect(() => setChecking(hasWaiting), [hasWaiting])
  const failed = [app, stats].find(one => one.error)
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  const rows = found.data?.list ?? []
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('title')}
        description={t('text')}
        actions={
          <ExportMenu
            isDisabled={(found.data?.total ?? 0) === 0}
            ask={({ format, language }) =>
              api.exportComments.raw({
                query: { ...common, format, uiLanguage: language, ...(star !== undefined && { star }) },
              })
            }
          />
        }
      />
      {stats.data && <Overview stats={stats.data} />}
      {stats.data && stats.data.count > 0 && <TrendChart stats={stats.data} />}
      <Header
        variant="h2"
        counter={found.data ? `(${found.data.total})` : ''}
        actions={
          <Button
            iconName="refresh"
            ariaLabel={t('table.refresh')}
            loading={found.isFetching && !found.isPending}
            onClick={() => void found.refetch()}
          />
        }
      >
        {t('list')}
      </Header>
      <TableTools
        table={table}
        searchLabel={t('search')}
        filters={[
          {
            id: 'stars',
            label: t('filters.stars'),
            options: stars.map(value => ({ value: String(value), label: t('star', { count: value }) })),
          },
          {
            id: 'replied',
            label: t('filters.replied'),
            options: (['yes', 'no'] as const).map(value => ({ value, label: t(`replied.${value}`) })),
          },
          {
            id: 'version',
            label: t('filters.version'),
            options: (stats.data?.versions ?? []).map(one => ({
              value: one.versionCode,
              label: t('version', { name: one.versionName, code: one.versionCode }),
            })),
          },
          {
            id: 'country',
            label: t('filters.country'),
            options: (stats.data?.countries ?? []).flatMap(({ country }) =>
              country === null ? [] : [{ value: country, label: countryName(country) }],
            ),
          },
          {
            id: 'language',
            label: t('filters.language'),
            options: (stats.data?.languages ?? []).flatMap(({ language }) =>
              language === null ? [] : [{ value: language, label: languageName(language) }],
            ),
          },
          {
            id: 'kind',
            label: t('filters.kind'),
            options: (['ratings', 'test'] as const).map(value => ({ value, label: t(`kinds.${value}`) })),
          },
          {
            id: 'order',
            label: t('filters.order'),
            options: commentSorts.map(value => ({ value, label: t(`orders.${value}`) })),
          },
        ]}
      />
      {found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : found.isPending ? (
        <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
      ) : rows.length === 0 ? (
        <EmptyState
          title={t(table.isFiltered ? 'table.noMatch' : 'empty')}
          text={t(table.isFiltered ? 'table.noMatchText' : 'emptyText')}
          action={table.isFiltered && <Button onClick={table.clear}>{t('table.clear')}</Button>}
        />
      ) : (
        <ul className="cm-list">
          {rows.map(row => (
            <CommentCard key={row.commentId} comment={row} />
          ))}
        </ul>
      )}
      <TablePager table={table} result={found} />
    </SpaceBetween>
  )
}
