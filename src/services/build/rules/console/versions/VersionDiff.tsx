import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../../../../../console/kit/CodeEditor.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { lineDiff } from '../../../../../console/line-diff.ts'

interface VersionDiffProps {
  label: string
  before: string
  after: string
  /** Only the text, without a comparison. */
  isPlain: boolean
}

/** An older version beside the one in force; what came and went has a sign as well as a colour. */
export function VersionDiff({ label, before, after, isPlain }: VersionDiffProps) {
  const { t } = useTranslation('build/rules')
  if (isPlain) return <CodeEditor label={label} language="rules" value={before} lines={{ least: 4, most: 30 }} />
  const lines = lineDiff(before.trimEnd(), after.trimEnd())
  if (lines.every(line => line.kind === 'same')) return <EmptyState title={t('versions.same')} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="rules-diff" aria-label={t('versions.difference')} translate="no" tabIndex={0}>
      {lines.map((line, at) => {
        const key = `${at} ${line.kind}`
        if (line.kind === 'added') return <ins key={key}>{`+ ${line.text}`}</ins>
        if (line.kind === 'removed') return <del key={key}>{`− ${line.text}`}</del>
        return <span key={key}>{`  ${line.text}`}</span>
      })}
    </section>
  )
}
