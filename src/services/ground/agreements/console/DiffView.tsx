import './agreements.css'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { lineDiff } from '../../../../console/line-diff.ts'

/** Two texts line by line; what came and what went are marked by a sign as well as by colour. */
export function DiffView({ before, after, label }: { before: string; after: string; label: string }) {
  const { t } = useTranslation('ground/agreements')
  const lines = lineDiff(before, after)
  if (lines.every(line => line.kind === 'same')) return <EmptyState title={t('diff.none')} />
  return (
    <section className="agr-diff" aria-label={label} translate="no" dir="auto">
      {lines.map((line, at) => {
        const key = `${at} ${line.kind}`
        if (line.kind === 'added') return <ins key={key}>{`+ ${line.text}`}</ins>
        if (line.kind === 'removed') return <del key={key}>{`− ${line.text}`}</del>
        return <span key={key}>{`  ${line.text}`}</span>
      })}
    </section>
  )
}
