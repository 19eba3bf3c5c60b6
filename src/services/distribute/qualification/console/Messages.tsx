import { useTranslation } from 'react-i18next'
import { When } from '../../../../console/kit/When.tsx'
import type { TaskView } from './qualification-calls.ts'

/** What the store and the developer said to each other, the first word first. */
export function Messages({ messages }: { messages: TaskView['messages'] }) {
  const { t } = useTranslation('distribute/qualification')
  if (messages.length === 0) return null
  return (
    <ol className="qual-messages" aria-label={t('messages.title')}>
      {messages.map(one => (
        <li key={`${one.at} ${one.kind}`} data-from={one.from}>
          <div className="lg-soft">
            {t(`messages.${one.kind}`)} · <When at={one.at} />
          </div>
          <p>{one.text}</p>
        </li>
      ))}
    </ol>
  )
}
