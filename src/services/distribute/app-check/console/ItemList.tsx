import { shownLanguage } from '../../../../console/shown.ts'
import './app-check.css'
import Container from '@cloudscape-design/components/container'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { checkKinds } from '../rules.ts'
import { type CheckView, toneOfResult } from './check-calls.ts'

type Item = CheckView['items'][number]

/** Rules by kind; what is right is folded away. */
export function ItemList({ items }: { items: readonly Item[] }) {
  const { t } = useTranslation('distribute/app-check')
  if (items.length === 0) return <EmptyState title={t('nothing')} text={t('nothingText')} />
  return (
    <div className="check-kinds">
      {checkKinds.map(kind => {
        const own = items.filter(item => item.kind === kind)
        const open = own.filter(item => item.result !== 'PASS')
        const right = own.filter(item => item.result === 'PASS')
        if (own.length === 0) return null
        return (
          <Container key={kind} header={<Header variant="h2">{t(`kinds.${kind}`)}</Header>}>
            <Rules items={open} />
            {right.length > 0 && (
              <ExpandableSection headerText={t('right', { count: right.length })} defaultExpanded={open.length === 0}>
                <Rules items={right} />
              </ExpandableSection>
            )}
          </Container>
        )
      })}
    </div>
  )
}

function Rules({ items }: { items: readonly Item[] }) {
  const { t } = useTranslation('distribute/app-check')
  return (
    <ul className="check-items">
      {items.map(item => (
        <li key={item.ruleId} data-rule={item.ruleId}>
          <div className="check-head">
            <strong>{item.title[shownLanguage()]}</strong>
            <StatusBadge tone={toneOfResult[item.result]} text={t(`results.${item.result}`)} />
          </div>
          {item.result !== 'PASS' && <p>{item.fix[shownLanguage()]}</p>}
          {item.evidence.length > 0 && item.result !== 'NOT_RUN' && (
            <ul className="check-evidence" translate="no">
              {item.evidence.map(one => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}
