import Button from '@cloudscape-design/components/button'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import type { FieldOf, IndexOf } from '../../schema/contract.ts'
import { limits, possibilitiesOf } from '../../schema/rules.ts'

interface IndexLinesProps {
  indexes: readonly IndexOf[]
  fields: readonly FieldOf[]
  onChange: (indexes: IndexOf[]) => void
}

/** The indexes of a type, a line each; fields that cannot be sorted are not offered. */
export function IndexLines({ indexes, fields, onChange }: IndexLinesProps) {
  const { t } = useTranslation('build/cloud-db')
  const sortable = fields.filter(
    one => one.fieldName !== '' && possibilitiesOf(one.fieldType).index && !one.isSensitive && !one.isNeedEncrypt,
  )
  const set = (at: number, index: IndexOf) => onChange(indexes.map((one, place) => (place === at ? index : one)))
  const ways = (['ASC', 'DESC'] as const).map(value => ({ value, label: t(`sort.${value}`) }))
  return (
    <div className="cdb-lines">
      {indexes.map((index, at) => {
        const way = index.indexList[0]?.sortType ?? 'ASC'
        const withWay = (names: readonly string[], sortType: 'ASC' | 'DESC') =>
          set(at, { ...index, indexList: names.map(fieldName => ({ fieldName, sortType })) })
        const names = index.indexList.map(one => one.fieldName)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place; names change while they are typed
          <div className="cdb-line" key={at}>
            <div className="cdb-grow">
              <Input
                ariaLabel={t('index.name')}
                placeholder={t('index.name')}
                value={index.indexName}
                spellcheck={false}
                onChange={({ detail }) => set(at, { ...index, indexName: detail.value })}
              />
            </div>
            <div className="cdb-grow">
              <Multiselect
                ariaLabel={t('index.fields')}
                placeholder={t('index.fields')}
                selectedOptions={names.map(value => ({ value, label: value }))}
                options={sortable.map(one => ({
                  value: one.fieldName,
                  label: one.fieldName,
                  disabled: names.length >= limits.indexFields && !names.includes(one.fieldName),
                }))}
                onChange={({ detail }) =>
                  withWay(
                    detail.selectedOptions.map(one => one.value ?? ''),
                    way,
                  )
                }
              />
            </div>
            <Select
              ariaLabel={t('index.way')}
              selectedOption={ways.find(one => one.value === way) ?? null}
              options={ways}
              onChange={({ detail }) => withWay(names, detail.selectedOption.value as 'ASC' | 'DESC')}
            />
            <Button
              iconName="remove"
              variant="icon"
              formAction="none"
              ariaLabel={`${t('index.remove')} ${index.indexName}`}
              onClick={() => onChange(indexes.filter(one => one !== index))}
            />
          </div>
        )
      })}
      <div>
        <Button
          iconName="add-plus"
          formAction="none"
          disabled={indexes.length >= limits.indexes}
          onClick={() => onChange([...indexes, { indexName: `index${indexes.length + 1}`, indexList: [] }])}
        >
          {t('index.add')}
        </Button>
      </div>
    </div>
  )
}
