import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../../console/use-action.ts'
import { api, inboxZone, inLanguage, type NoticeView } from './notice-calls.ts'

export function NoticeActions({ notice }: { notice: NoticeView }) {
  const { t, i18n } = useTranslation('ground/notices')
  const read = useAction(api.markRead)
  const remove = useAction(api.deleteNotice)
  const params = { noticeId: notice.noticeId }
  const isRead = notice.readAt !== null
  return (
    <ButtonDropdown
      variant="icon"
      expandToViewport
      loading={read.isRunning || remove.isRunning}
      ariaLabel={t('inbox.actionsOf', { title: inLanguage(notice.title, i18n.resolvedLanguage) })}
      items={[
        { id: 'read', text: isRead ? t('inbox.markUnread') : t('inbox.markRead') },
        { id: 'delete', text: t('inbox.delete') },
      ]}
      onItemClick={({ detail }) =>
        void (detail.id === 'read'
          ? read.run({ params, body: { read: !isRead } }, inboxZone())
          : remove.run({ params }, inboxZone()))
      }
    />
  )
}
