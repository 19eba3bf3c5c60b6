import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { useAction } from '../../../../console/use-action.ts'
import { api, inboxZone, inLanguage, type NoticeView } from './notice-calls.ts'

/** Title and text in the reader's language; following the title reads the notice. */
export function NoticeLine({ notice }: { notice: NoticeView }) {
  const { t, i18n } = useTranslation('ground/notices')
  const read = useAction(api.markRead)
  const { noticeId, href, readAt } = notice
  const title = inLanguage(notice.title, i18n.resolvedLanguage)
  const follow = () => {
    if (readAt === null) void read.run({ params: { noticeId }, body: { read: true } }, inboxZone())
  }
  return (
    <div className={readAt === null ? 'notices-line notices-unread' : 'notices-line'}>
      <span className="notices-title">
        {readAt === null && <span className="notices-dot" role="img" aria-label={t('inbox.isUnread')} />}
        {href === null ? (
          title
        ) : (
          <Link href={hrefOf(href)} onFollow={follow}>
            {title}
          </Link>
        )}
      </span>
      <span className="lg-soft notices-text">{inLanguage(notice.text, i18n.resolvedLanguage)}</span>
    </div>
  )
}
