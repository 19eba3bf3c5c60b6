import Button from '@cloudscape-design/components/button'
import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { dismiss, type Notice, notices } from '../notify.ts'

export default function Notices() {
  const { t } = useTranslation()
  const shown = useSyncExternalStore(notices.subscribe, notices.get)
  const toItem = (notice: Notice): FlashbarProps.MessageDefinition => ({
    id: notice.id,
    type: notice.tone === 'progress' ? 'in-progress' : notice.tone,
    header: notice.header,
    content: notice.requestId ? `${notice.text} ${t('state.requestId', { id: notice.requestId })}` : notice.text,
    dismissible: notice.tone !== 'progress',
    dismissLabel: t('action.close'),
    onDismiss: () => dismiss(notice.id),
    action: notice.action && <Button onClick={notice.action.run}>{notice.action.label}</Button>,
  })
  return <Flashbar stackItems={shown.length > 3} items={shown.map(toItem)} />
}
