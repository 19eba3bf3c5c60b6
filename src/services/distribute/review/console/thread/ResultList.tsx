import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { MessageView } from '../review-calls.ts'
import { toneOfItem } from '../review-words.ts'

/** The answer to the whole: what became of each thing that was handed in. */
export function ResultList({ results }: { results: MessageView['results'] }) {
  const { t } = useTranslation('distribute/review')
  return (
    <ul className="review-results">
      {results.map(({ itemId, appId, appName, versionName, state }) => (
        <li key={itemId}>
          <Link href={hrefOf('/apps/$appId', { appId })}>{appName}</Link> {versionName ?? ''}{' '}
          <StatusBadge tone={toneOfItem[state]} text={t(`items.${state}`)} />
        </li>
      ))}
    </ul>
  )
}
