import ExpandableSection from '@cloudscape-design/components/expandable-section'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { lineDiff } from '../../../../console/line-diff.ts'
import type { DifferenceView } from '../contract.ts'

const signs = { added: '+', changed: '±', removed: '−' } as const

/** What two templates have otherwise, thing by thing; what came and went has a sign as well as a colour. */
export function DifferenceList({ list, total }: { list: readonly DifferenceView[]; total: number }) {
  const { t } = useTranslation('grow/remote-config')
  if (list.length === 0) return <EmptyState title={t('difference.none')} />
  return (
    <section className="rcs-differences" aria-label={t('difference.title')}>
      {list.map(one => (
        <ExpandableSection
          key={`${one.thing} ${one.name}`}
          defaultExpanded={list.length <= 3}
          headerText={
            <>
              <span aria-hidden="true">{signs[one.change]} </span>
              <span translate="no">{one.name || t('difference.order')}</span>{' '}
              <span className="lg-soft">
                {t(`difference.things.${one.thing}`)}, {t(`difference.changes.${one.change}`)}
              </span>
            </>
          }
        >
          <Lines before={textOf(one.before)} after={textOf(one.after)} />
        </ExpandableSection>
      ))}
      {total > list.length && <span className="lg-soft">{t('difference.more', { count: total - list.length })}</span>}
    </section>
  )
}

/** Fields that say nothing are left out. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const isEmpty = (one: unknown) =>
    one === null || one === '' || (typeof one === 'object' && Object.keys(one).length === 0)
  if (Array.isArray(value) || typeof value !== 'object') return JSON.stringify(value, null, 2)
  return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([, one]) => !isEmpty(one))), null, 2)
}

function Lines({ before, after }: { before: string; after: string }) {
  const lines = lineDiff(before, after).filter(line => line.text !== '')
  return (
    <div className="rcs-lines" translate="no">
      {lines.map((line, at) => {
        const key = `${at} ${line.kind}`
        if (line.kind === 'added') return <ins key={key}>{`+ ${line.text}`}</ins>
        if (line.kind === 'removed') return <del key={key}>{`− ${line.text}`}</del>
        return <span key={key}>{`  ${line.text}`}</span>
      })}
    </div>
  )
}
