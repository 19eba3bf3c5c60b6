import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import type { PolicyView, TaskDetail } from '../review-calls.ts'
import { nameOfItem } from '../review-words.ts'
import { Thread } from '../thread/Thread.tsx'
import { DecisionList } from './DecisionList.tsx'
import { DeskAttachment } from './DeskAttachment.tsx'
import { ListingEvidence } from './ListingEvidence.tsx'
import { ManifestEvidence } from './ManifestEvidence.tsx'
import { PackageEvidence } from './PackageEvidence.tsx'
import { VersionEvidence } from './VersionEvidence.tsx'

interface EvidenceTabsProps {
  detail: TaskDetail
  policies: readonly PolicyView[] | undefined
}

const parts = ['listing', 'package', 'manifest', 'thread', 'history'] as const
const readPart = (raw: Record<string, unknown>) => ({
  part: parts.find(part => part === raw['part']) ?? ('listing' as const),
})

/** What there is to look at, one kind at a time; which one stands in the address. */
export function EvidenceTabs({ detail, policies }: EvidenceTabsProps) {
  const { t } = useTranslation('distribute/review')
  const [{ part }, change] = usePageSearch(readPart)
  const { task, submission, evidence, difference, history } = detail
  const { taskId } = task
  const count = {
    listing: evidence.listings.length,
    package: 0,
    manifest: 0,
    thread: submission.messages.length,
    history: history.length,
  }
  const content = {
    listing: <ListingEvidence taskId={taskId} evidence={evidence} />,
    package: <PackageEvidence evidence={evidence} difference={difference} />,
    manifest: <ManifestEvidence taskId={taskId} />,
    thread:
      submission.messages.length === 0 ? (
        <EmptyState title={t('thread.quiet')} text={t('thread.quietDesk')} />
      ) : (
        <Thread
          messages={submission.messages}
          policies={policies}
          reader="reviewer"
          about={itemId => nameOfItem(submission.items, itemId)}
          attachment={file => <DeskAttachment taskId={taskId} file={file} />}
        />
      ),
    history: <DecisionList history={history} policies={policies} />,
  }
  return (
    <div className="review-chain">
      <VersionEvidence evidence={evidence} />
      <Tabs
        variant="container"
        ariaLabel={t('evidence.title')}
        activeTabId={part}
        onChange={({ detail: chosen }) =>
          change({ part: chosen.activeTabId as (typeof parts)[number] }, { replace: true })
        }
        tabs={parts.map(id => ({
          id,
          label: count[id] > 0 ? `${t(`evidence.${id}`)} (${count[id]})` : t(`evidence.${id}`),
          content: id === part ? content[id] : null,
        }))}
      />
    </div>
  )
}
