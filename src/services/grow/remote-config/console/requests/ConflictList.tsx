import Alert from '@cloudscape-design/components/alert'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import { useTranslation } from 'react-i18next'
import type { ThreeWayView } from '../../change-requests/contract.ts'
import { textOf } from '../DifferenceList.tsx'

const sides = ['base', 'theirs', 'mine'] as const

/** What both sides changed since they parted, beside what it was. */
export function ConflictList({ list, total }: { list: readonly ThreeWayView[]; total: number }) {
  const { t } = useTranslation('grow/remote-config')
  return (
    <Alert type="warning" header={t('requests.conflict')}>
      {list.map(one => (
        <ExpandableSection
          key={`${one.thing} ${one.name}`}
          defaultExpanded={one.isConflict}
          headerText={
            <>
              <span translate="no">{one.name || t('difference.order')}</span>{' '}
              <span className="lg-soft">
                {t(`difference.things.${one.thing}`)}, {t(one.isConflict ? 'requests.both' : 'requests.oneSide')}
              </span>
            </>
          }
        >
          <dl className="rcs-sides">
            {sides.map(side => (
              <div key={side}>
                <dt>{t(`requests.sides.${side}`)}</dt>
                <dd className="rcs-lines" translate="no">
                  {textOf(one[side]) || '–'}
                </dd>
              </div>
            ))}
          </dl>
        </ExpandableSection>
      ))}
      {total > list.length && <span className="lg-soft">{t('difference.more', { count: total - list.length })}</span>}
    </Alert>
  )
}
