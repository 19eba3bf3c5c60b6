import Autosuggest from '@cloudscape-design/components/autosuggest'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import type { Json, Leaf, PercentValue } from '../../../kernel/targeting/rule.ts'
import type { Choices } from './choices.ts'
import { NumberInput } from './NumberInput.tsx'
import { valueKind } from './rule-edit.ts'
import { TokenInput } from './TokenInput.tsx'

interface LeafValueProps {
  leaf: Leaf
  choices: Choices
  isDisabled: boolean
  onChange: (leaf: Leaf) => void
}

const allZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')]

/** The fields of the value that an op takes. */
export function LeafValue({ leaf, choices, isDisabled, onChange }: LeafValueProps) {
  const { t, i18n } = useTranslation('kit/conditions')
  const { value } = leaf
  const put = (next: Json) => onChange({ ...leaf, value: next })
  const label = t('value')
  const number = (current: unknown, name: string, give: (next: number) => void, unit?: string) => (
    <NumberInput value={Number(current)} label={name} unit={unit} isDisabled={isDisabled} onChange={give} />
  )
  const words = (placeholder: string) => (
    <div translate="no">
      <Input
        value={typeof value === 'object' ? '' : String(value ?? '')}
        ariaLabel={label}
        placeholder={placeholder}
        disabled={isDisabled}
        onChange={({ detail }) => put(detail.value)}
      />
    </div>
  )
  const zone = (
    <div className="lg-conditions-zone" translate="no">
      <Autosuggest
        value={leaf.zone ?? ''}
        ariaLabel={t('zone')}
        options={allZones.map(one => ({ value: one }))}
        enteredTextLabel={one => t('typed', { value: one })}
        disabled={isDisabled}
        onChange={({ detail }) => onChange({ ...leaf, zone: detail.value })}
      />
    </div>
  )
  const many = (options: readonly { value: string; label: string }[], give: (chosen: string[]) => Json) => {
    const chosen = new Set((Array.isArray(value) ? value : [value]).map(String))
    return (
      <Multiselect
        ariaLabel={label}
        selectedOptions={options.filter(one => chosen.has(one.value))}
        options={options}
        placeholder={t('choose')}
        filteringType={options.length > 24 ? 'auto' : 'none'}
        disabled={isDisabled}
        tokenLimit={7}
        onChange={({ detail }) => put(give(detail.selectedOptions.map(one => one.value ?? '')))}
      />
    )
  }
  const numbers = (chosen: string[]) => chosen.map(Number).sort((a, b) => a - b)
  switch (valueKind(leaf.op)) {
    case 'texts':
    case 'cidr':
      return (
        <TokenInput
          values={(Array.isArray(value) ? value : [value]).map(String)}
          label={label}
          placeholder={leaf.op === 'cidr' ? '192.0.2.0/24' : t('addValue')}
          isDisabled={isDisabled}
          onChange={put}
        />
      )
    case 'number':
      return number(value, label, put)
    case 'between': {
      const [lo, hi] = value as [number, number]
      return (
        <div className="lg-conditions-pair">
          {number(lo, t('from'), next => put([next, hi]))}
          {number(hi, t('to'), next => put([lo, next]))}
        </div>
      )
    }
    case 'exists':
      return (
        <Select
          ariaLabel={label}
          selectedOption={{
            value: String(value),
            label: t(value === false ? 'isNotThere' : 'isThere'),
          }}
          options={[
            { value: 'true', label: t('isThere') },
            { value: 'false', label: t('isNotThere') },
          ]}
          disabled={isDisabled}
          onChange={({ detail }) => put(detail.selectedOption.value === 'true')}
        />
      )
    case 'time':
      return (
        <div className="lg-conditions-pair">
          {words('2026-03-01T09:00')}
          {zone}
        </div>
      )
    case 'dowIn': {
      const name = new Intl.DateTimeFormat(i18n.resolvedLanguage ?? 'en', { weekday: 'short', timeZone: 'UTC' })
      // The fourth of January 1970 was a Sunday.
      const days = [1, 2, 3, 4, 5, 6, 0].map(day => ({
        value: String(day),
        label: name.format(Date.UTC(1970, 0, 4 + day)),
      }))
      return (
        <div className="lg-conditions-pair">
          {many(days, numbers)}
          {zone}
        </div>
      )
    }
    case 'hourIn': {
      const hours = Array.from({ length: 24 }, (_, hour) => ({
        value: String(hour),
        label: `${String(hour).padStart(2, '0')}:00`,
      }))
      return (
        <div className="lg-conditions-pair">
          {many(hours, numbers)}
          {zone}
        </div>
      )
    }
    case 'audiences': {
      const known = choices.audiences.map(({ audienceId, name }) => ({ value: audienceId, label: name }))
      return <div translate="no">{many(known, chosen => chosen)}</div>
    }
    case 'percent': {
      const share = value as unknown as PercentValue
      const give = (change: Partial<PercentValue>) => put({ ...share, ...change } as unknown as Json)
      return (
        <div className="lg-conditions-pair">
          {number(share.lo, t('from'), lo => give({ lo }), '%')}
          {number(share.hi, t('to'), hi => give({ hi }), '%')}
        </div>
      )
    }
    case 'withinGeo': {
      const place = value as { lat: number; lon: number; meters: number }
      return (
        <div className="lg-conditions-pair">
          {number(place.lat, t('lat'), lat => put({ ...place, lat }))}
          {number(place.lon, t('lon'), lon => put({ ...place, lon }))}
          {number(place.meters, t('meters'), meters => put({ ...place, meters }), t('metersUnit'))}
        </div>
      )
    }
    case 'version':
      return words('2.1.0')
    default:
      return words(leaf.op === 'regex' ? '^(beta|test)-' : t('value'))
  }
}
