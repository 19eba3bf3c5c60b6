import Autosuggest from '@cloudscape-design/components/autosuggest'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import Select from '@cloudscape-design/components/select'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import type { OtherCondition } from '../../../../../console/kit/conditions/choices.ts'
import { NumberInput } from '../../../../../console/kit/conditions/NumberInput.tsx'
import type { Rule } from '../../../../../kernel/targeting/rule.ts'
import {
  type BehaviourLeaf,
  behaviourLimits,
  behaviourOps,
  type DidLeaf,
  type EventFilter,
} from '../../audiences/rules.ts'
import { FilterRow } from './FilterRow.tsx'

interface BehaviourRowProps extends OtherCondition {
  events: readonly string[]
  /** Whether `events` are all that came lately. */
  isAll: boolean
}

const beginFilter: EventFilter = { prop: '', op: 'eq', value: '' }

/** One condition on events: what was done, how often, in how many days, with which properties. */
export function BehaviourRow({ rule, events, isAll, ...shared }: BehaviourRowProps) {
  const { problems, isDisabled, isTurned, onTurn, onRemove } = shared
  const { t } = useTranslation('grow/targeting')
  const leaf = rule as unknown as BehaviourLeaf
  const asked = leaf.op === 'firstSeenWithin' ? null : leaf
  const put = (next: BehaviourLeaf) => shared.onChange(next as unknown as Rule)
  const has = (part: string) => problems.some(one => one.pointer.startsWith(`/${part}`))
  const kinds = behaviourOps.map(value => ({ value, label: t(`events.${value}`) }))
  const event = asked?.event || '…'
  const turnInto = (op: BehaviourLeaf['op']) =>
    put(
      op === 'firstSeenWithin'
        ? { op, days: leaf.days }
        : { event: '', times: 1, ...(asked ?? {}), days: leaf.days, op },
    )
  const putFilters = (of: DidLeaf, filters: EventFilter[]) => {
    const { where: _were, ...rest } = of
    put(filters.length > 0 ? { ...rest, where: filters } : rest)
  }
  const filters = asked?.where ?? []
  // A filter has no name but its place.
  const places = filters.map((filter, at) => ({ filter, at, place: `where/${at}` }))
  return (
    <fieldset className="lg-conditions-leaf" aria-label={t('events.one', { event })}>
      <div className="lg-conditions-fields">
        {isTurned && <strong>{t('events.not')}</strong>}
        <div className="lg-conditions-attribute">
          <Select
            ariaLabel={t('events.kind')}
            selectedOption={kinds.find(one => one.value === leaf.op) ?? null}
            options={kinds}
            disabled={isDisabled}
            onChange={({ detail }) => turnInto(detail.selectedOption.value as BehaviourLeaf['op'])}
          />
        </div>
        {asked ? (
          <div translate="no">
            <Autosuggest
              ariaLabel={t('events.event')}
              placeholder={t('events.event')}
              value={asked.event}
              options={events.map(value => ({ value }))}
              enteredTextLabel={value => t('events.typed', { value })}
              invalid={has('event') && asked.event !== ''}
              disabled={isDisabled}
              onChange={({ detail }) => put({ ...asked, event: detail.value })}
            />
          </div>
        ) : (
          <span />
        )}
        <div className="lg-conditions-pair">
          {asked && (
            <NumberInput
              value={asked.times}
              label={t('events.times')}
              unit={t('events.timesUnit')}
              isDisabled={isDisabled}
              onChange={times => put({ ...asked, times })}
            />
          )}
          <NumberInput
            value={leaf.days}
            label={t('events.days')}
            unit={t('events.daysUnit')}
            isDisabled={isDisabled}
            onChange={days => put({ ...leaf, days })}
          />
        </div>
        <Button
          variant="icon"
          iconName="remove"
          ariaLabel={t('events.remove', { event })}
          disabled={isDisabled}
          onClick={onRemove}
        />
      </div>
      {asked &&
        places.map(({ filter, at, place }) => (
          <FilterRow
            key={place}
            filter={filter}
            isDisabled={isDisabled}
            isWrong={has(place)}
            onChange={next => putFilters(asked, filters.toSpliced(at, 1, next))}
            onRemove={() => putFilters(asked, filters.toSpliced(at, 1))}
          />
        ))}
      <div className="lg-conditions-more">
        <Checkbox checked={isTurned} disabled={isDisabled} onChange={onTurn}>
          {t('events.not')}
        </Checkbox>
        {asked && filters.length < behaviourLimits.filters && (
          <Button
            variant="link"
            disabled={isDisabled}
            data-action="add-filter"
            onClick={() => putFilters(asked, [...filters, beginFilter])}
          >
            {t('events.addFilter')}
          </Button>
        )}
        {asked && isAll && !has('event') && !events.includes(asked.event) && (
          <StatusIndicator type="warning">{t('events.unseen')}</StatusIndicator>
        )}
        {has('days') && (
          <span className="lg-conditions-problem">{t('events.wrongDays', { most: behaviourLimits.days })}</span>
        )}
        {has('times') && (
          <span className="lg-conditions-problem">{t('events.wrongTimes', { most: behaviourLimits.times })}</span>
        )}
        {has('event') && <span className="lg-conditions-problem">{t('events.wrongEvent')}</span>}
        {has('where') && <span className="lg-conditions-problem">{t('events.wrongFilter')}</span>}
      </div>
    </fieldset>
  )
}
