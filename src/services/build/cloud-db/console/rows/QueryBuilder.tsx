import Button from '@cloudscape-design/components/button'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ObjectType } from '../../schema/contract.ts'
import { isWords } from '../../schema/rules.ts'
import { readValue } from './values.ts'

export interface Condition {
  conditionType: string
  fieldName?: string
  value?: unknown
}

interface Line {
  field: string
  how: string
  text: string
}

const comparisons = [
  'EqualTo',
  'NotEqualTo',
  'GreaterThan',
  'GreaterThanOrEqualTo',
  'LessThan',
  'LessThanOrEqualTo',
  'IsNull',
  'IsNotNull',
] as const
const ofWords = ['BeginsWith', 'EndsWith', 'Contains'] as const

/** Conditions and an order, put together by choosing; only what goes with a field's type is offered. */
export function QueryBuilder({ type, onAsk }: { type: ObjectType; onAsk: (conditions: Condition[]) => void }) {
  const { t } = useTranslation('build/cloud-db')
  const [lines, setLines] = useState<Line[]>([])
  const [order, setOrder] = useState<{ field: string; way: string }>({ field: '', way: 'asc' })
  const open = type.fields.filter(one => !one.isNeedEncrypt && !one.isSensitive && one.fieldType !== 'ByteArray')
  const fieldOf = (name: string) => type.fields.find(one => one.fieldName === name)
  const howsOf = (name: string) =>
    [...comparisons, ...(isWords(fieldOf(name)?.fieldType ?? 'Integer') ? ofWords : [])].filter(
      one => fieldOf(name)?.fieldType !== 'Boolean' || !/Greater|Less/.test(one),
    )
  const set = (at: number, part: Partial<Line>) =>
    setLines(lines.map((one, place) => (place === at ? { ...one, ...part } : one)))
  const ask = () =>
    onAsk([
      ...lines.map(({ field, how, text }) => ({
        conditionType: how,
        fieldName: field,
        ...(how === 'IsNull' || how === 'IsNotNull'
          ? {}
          : { value: readValue(fieldOf(field)?.fieldType ?? 'String', text) }),
      })),
      ...(order.field === '' ? [] : [{ conditionType: 'OrderBy', fieldName: order.field, value: order.way }]),
    ])
  const fields = open.map(one => ({ value: one.fieldName, label: one.fieldName }))
  return (
    <ExpandableSection headerText={t('query.title')}>
      <div className="cdb-lines">
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <div className="cdb-line" key={at}>
            <Select
              ariaLabel={t('query.field')}
              selectedOption={{ value: line.field, label: line.field }}
              options={fields}
              onChange={({ detail }) => set(at, { field: detail.selectedOption.value ?? '', how: 'EqualTo' })}
            />
            <Select
              ariaLabel={t('query.how')}
              selectedOption={{ value: line.how, label: t(`how.${line.how}`) }}
              options={howsOf(line.field).map(value => ({ value, label: t(`how.${value}`) }))}
              onChange={({ detail }) => set(at, { how: detail.selectedOption.value ?? 'EqualTo' })}
            />
            <div className="cdb-grow">
              {fieldOf(line.field)?.fieldType === 'Boolean' ? (
                <Select
                  ariaLabel={t('query.value')}
                  placeholder={t('query.value')}
                  disabled={line.how.startsWith('Is')}
                  selectedOption={/^(?:true|false)$/.test(line.text) ? { value: line.text, label: line.text } : null}
                  options={['true', 'false'].map(value => ({ value, label: value }))}
                  onChange={({ detail }) => set(at, { text: detail.selectedOption.value ?? '' })}
                />
              ) : (
                <Input
                  ariaLabel={t('query.value')}
                  value={line.text}
                  disabled={line.how.startsWith('Is')}
                  onChange={({ detail }) => set(at, { text: detail.value })}
                />
              )}
            </div>
            <Button
              iconName="remove"
              variant="icon"
              ariaLabel={t('query.remove')}
              onClick={() => setLines(lines.filter(one => one !== line))}
            />
          </div>
        ))}
        <div className="cdb-line">
          <Select
            ariaLabel={t('query.order')}
            placeholder={t('query.order')}
            selectedOption={order.field === '' ? null : { value: order.field, label: order.field }}
            options={[
              { value: '', label: t('query.noOrder') },
              ...fields.filter(one => fieldOf(one.value)?.fieldType !== 'Text'),
            ]}
            onChange={({ detail }) => setOrder({ ...order, field: detail.selectedOption.value ?? '' })}
          />
          <Select
            ariaLabel={t('index.way')}
            selectedOption={{ value: order.way, label: t(`sort.${order.way.toUpperCase()}`) }}
            options={['asc', 'desc'].map(value => ({ value, label: t(`sort.${value.toUpperCase()}`) }))}
            onChange={({ detail }) => setOrder({ ...order, way: detail.selectedOption.value ?? 'asc' })}
          />
          <Button
            iconName="add-plus"
            onClick={() => setLines([...lines, { field: open[0]?.fieldName ?? '', how: 'EqualTo', text: '' }])}
          >
            {t('query.add')}
          </Button>
          <Button variant="primary" onClick={ask}>
            {t('query.ask')}
          </Button>
        </div>
      </div>
    </ExpandableSection>
  )
}
