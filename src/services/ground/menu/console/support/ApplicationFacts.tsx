import '../menu.css'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { SupportView } from '../menu-calls.ts'
import { supportTones } from './support-states.ts'

/** What somebody asked for, and what became of it. */
export function ApplicationFacts({ row, team }: { row: SupportView; team?: string }) {
  const { t } = useTranslation('ground/menu')
  const { state, contact, description, answer, createdAt, updatedAt } = row
  const words = (text: string) => (
    <div className="menu-paragraphs" translate="no">
      {text}
    </div>
  )
  return (
    <KeyValuePairs
      items={[
        {
          label: t('announcements.state'),
          value: <StatusBadge tone={supportTones[state]} text={t(`support.states.${state}`)} />,
        },
        ...(team === undefined ? [] : [{ label: t('who.team'), value: words(team) }]),
        { label: t('support.description'), value: words(description) },
        { label: t('support.contact'), value: words(contact) },
        { label: t('support.at'), value: <When at={createdAt} show="both" /> },
        ...(answer === null
          ? []
          : [
              { label: t('support.answer'), value: words(answer) },
              { label: t('support.answeredAt'), value: <When at={updatedAt} show="both" /> },
            ]),
      ]}
    />
  )
}
