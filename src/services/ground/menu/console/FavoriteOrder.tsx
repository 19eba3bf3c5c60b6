import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import List from '@cloudscape-design/components/list'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { limits } from '../rules.ts'
import { api, type FavoriteView } from './menu-calls.ts'
import { moveOf } from './move-of.ts'
import { useLanguage } from './shown-language.ts'

/** Favourites, to be dragged by pointer or moved with the keys; one move is one write. */
export function FavoriteOrder() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const found = useCall(api.listFavorites, {})
  const order = useAction(api.orderFavorites)
  const remove = useAction(api.removeFavorite)
  const [moving, setMoving] = useState<readonly FavoriteView[] | null>(null)

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  const list = moving ?? found.data.list
  if (list.length === 0) return <span className="lg-soft">{t('favorites.empty')}</span>

  const sort = async (next: readonly FavoriteView[]) => {
    const move = moveOf(
      list.map(one => one.serviceId),
      next.map(one => one.serviceId),
    )
    if (!move) return
    setMoving(next)
    await order.run({ body: move })
    setMoving(null)
  }
  return (
    <>
      <List
        ariaLabel={t('favorites.title')}
        items={list}
        sortable
        disableItemPaddings
        onSortingChange={({ detail }) => void sort(detail.items)}
        renderItem={one => ({
          id: one.serviceId,
          content: one.isOpen ? <Link href={hrefOf(one.path)}>{one.title[language]}</Link> : one.title[language],
          announcementLabel: one.title[language],
          actions: (
            <Button
              variant="icon"
              iconName="close"
              ariaLabel={t('favorites.removeOf', { name: one.title[language] })}
              data-action="removeFavorite"
              onClick={() => void remove.run({ query: { serviceId: one.serviceId } })}
            />
          ),
        })}
      />
      <span className="lg-soft">{t('favorites.count', { count: list.length, max: limits.favorites })}</span>
    </>
  )
}
