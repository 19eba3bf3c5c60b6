import Autosuggest from '@cloudscape-design/components/autosuggest'
import Button from '@cloudscape-design/components/button'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import { NumberInput } from '../../../../../console/kit/conditions/NumberInput.tsx'
import { type EventFilter, type FilterOp, filterOps, valueProperty } from '../../audiences/rules.ts'

interface FilterRowProps {
  filter: EventFilter
  isDisabled: boolean
  isWrong: boolean
  onChange: (filter: EventFilter) => void
  onRemove: () => void
}

const isNumeric = (op: FilterOp) => op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte'

/** What looks like a number is compared as one. */
const read = (text: string) => (text !== '' && String(Number(text)) === text ? Number(text) : text)

/** A property that an event must have to count. */
export function FilterRow({ filter, isDisabled, isWrong, onChange, onRemove }: FilterRowProps) {
  const { t } = useTranslation('grow/targeting')
  const { t: words } = useTranslation('kit/conditions')
  const { prop, op, value } = filter
  const ops = filterOps.map(one => ({ value: one, label: words(`ops.${one}`) }))
  const answers = [
    { value: 'true', label: t('events.isThere') },
    { value: 'false', label: t('events.isNotThere') },
  ]
  const turnInto = (next: FilterOp) => {
    const fresh =
      next === 'exists' ? true : isNumeric(next) ? Number(value) || 0 : next === 'contains' ? `${value}` : value
    onChange({ prop, op: next, value: fresh })
  }
  return (
    <div className="lg-conditions-fields">
      <div className="lg-conditions-attribute" translate="no">
        <Autosuggest
          ariaLabel={t('events.property')}
          placeholder={t('events.property')}
          value={prop}
          options={[{ value: valueProperty, description: t('events.eventValue') }]}
          enteredTextLabel={one => t('events.typed', { value: one })}
          invalid={isWrong && prop !== ''}
          disabled={isDisabled}
          onChange={({ detail }) => onChange({ ...filter, prop: detail.value })}
        />
      </div>
      <Select
        ariaLabel={t('events.op')}
        selectedOption={ops.find(one => one.value === op) ?? null}
        options={ops}
        disabled={isDisabled}
        onChange={({ detail }) => turnInto(detail.selectedOption.value as FilterOp)}
      />
      {op === 'exists' ? (
        <Select
          ariaLabel={t('events.value')}
          selectedOption={answers.find(one => one.value === String(value)) ?? null}
          options={answers}
          disabled={isDisabled}
          onChange={({ detail }) => onChange({ ...filter, value: detail.selectedOption.value === 'true' })}
        />
      ) : isNumeric(op) ? (
        <NumberInput
          value={Number(value)}
          label={t('events.value')}
          unit={undefined}
          isDisabled={isDisabled}
          onChange={next => onChange({ ...filter, value: next })}
        />
      ) : (
        <div translate="no">
          <Input
            value={String(value)}
            ariaLabel={t('events.value')}
            disabled={isDisabled}
            onChange={({ detail }) =>
              onChange({ ...filter, value: op === 'contains' ? detail.value : read(detail.value) })
            }
          />
        </div>
      )}
      <Button
        variant="icon"
        iconName="remove"
        ariaLabel={t('events.removeFilter', { property: prop || '…' })}
        disabled={isDisabled}
        onClick={onRemove}
      />
    </div>
  )
}
