import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar'
import Link from '@cloudscape-design/components/link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { useSession } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { api, news } from './menu-calls.ts'
import { useLanguage } from './shown-language.ts'

const tones = { news: 'info', warning: 'warning', maintenance: 'warning' } as const
const shownAtOnce = 3

/** Live announcements above every page, until somebody puts them away for good. */
export default function Banners() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const session = useSession()
  const [gone, setGone] = useState<readonly string[]>([])
  const enabled = session.status === 'in' && session.teamId !== null
  const config = useCall(api.getInfoCenterConfig, {}, { enabled, staleTime: 300_000 })
  const found = useCall(
    news.listAnnouncements,
    { query: { state: 'live', isBanner: true, pageSize: shownAtOnce } },
    { enabled: enabled && config.data?.showsBanners === true, staleTime: 60_000, refetchInterval: 300_000 },
  )
  const shown = (found.data?.list ?? []).filter(one => !gone.includes(one.announcementId))
  const dismiss = (announcementId: string) => {
    setGone(before => [...before, announcementId])
    // It is out of sight already; a refusal only means that it comes again.
    news.dismissAnnouncement({ params: { announcementId } }).catch(() => undefined)
  }
  if (config.data?.showsBanners !== true || shown.length === 0) return null
  const items = shown.map(
    (one): FlashbarProps.MessageDefinition => ({
      id: one.announcementId,
      type: tones[one.kind],
      header: one.title[language],
      content: (
        <Link
          color="inverted"
          href={hrefOf('/announcements/$announcementId', { announcementId: one.announcementId })}
          ariaLabel={t('banner.moreOf', { title: one.title[language] })}
        >
          {t('banner.more')}
        </Link>
      ),
      dismissible: true,
      dismissLabel: t('banner.dismiss', { title: one.title[language] }),
      onDismiss: () => dismiss(one.announcementId),
    }),
  )
  return <Flashbar items={items} />
}
