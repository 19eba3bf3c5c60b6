import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import type { FieldOf } from '../../schema/contract.ts'
import { type FieldType, fieldTypes, keyOf, limits, possibilitiesOf } from '../../schema/rules.ts'

interface FieldLinesProps {
  fields: readonly FieldOf[]
  /** Fields that have rows: they stay as they are or go. */
  kept: readonly FieldOf[]
  onChange: (fields: FieldOf[]) => void
}

/** The fields of a type, a line each; what a field's type rules out is grey. */
export function FieldLines({ fields, kept, onChange }: FieldLinesProps) {
  const { t } = useTranslation('build/cloud-db')
  const keptNames = new Set(kept.map(one => keyOf(one.fieldName)))
  const set = (at: number, part: Partial<FieldOf>) =>
    onChange(fields.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <div className="cdb-lines">
      {fields.map((field, at) => {
        const isKept = keptNames.has(keyOf(field.fieldName)) && kept.includes(field)
        const can = possibilitiesOf(field.fieldType)
        const isKey = field.belongPrimaryKey === true
        const isGuarded = field.isNeedEncrypt === true || field.isSensitive === true
        const label = (word: string) => `${word} ${field.fieldName}`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place; names change while they are typed
          <div className="cdb-line" key={at}>
            <div className="cdb-grow">
              <Input
                ariaLabel={label(t('field.name'))}
                placeholder={t('field.name')}
                value={field.fieldName}
                disabled={isKept}
                spellcheck={false}
                onChange={({ detail }) => set(at, { fieldName: detail.value })}
              />
            </div>
            <div className="cdb-grow">
              <Select
                ariaLabel={label(t('field.type'))}
                disabled={isKept}
                selectedOption={{ value: field.fieldType, label: field.fieldType }}
                options={fieldTypes.map(value => ({ value, label: value }))}
                onChange={({ detail }) =>
                  set(at, cleaned({ ...field, fieldType: detail.selectedOption.value as FieldType }))
                }
              />
            </div>
            <Checkbox
              disabled={isKept || kept.length > 0 || !can.primaryKey || isGuarded}
              checked={isKey}
              onChange={({ detail }) => set(at, cleaned({ ...field, belongPrimaryKey: detail.checked }))}
            >
              {t('field.key')}
            </Checkbox>
            <Checkbox
              disabled={isKept || isKey || !can.notNull || isGuarded}
              checked={isKey || field.notNull === true}
              onChange={({ detail }) => set(at, { notNull: detail.checked })}
            >
              {t('field.notNull')}
            </Checkbox>
            <Checkbox
              disabled={isKept || isKey || !can.sensitive || field.isNeedEncrypt === true}
              checked={field.isSensitive === true}
              onChange={({ detail }) => set(at, cleaned({ ...field, isSensitive: detail.checked }))}
            >
              {t('field.sensitive')}
            </Checkbox>
            <Checkbox
              disabled={isKept || isKey || !can.encrypt || field.isSensitive === true}
              checked={field.isNeedEncrypt === true}
              onChange={({ detail }) => set(at, cleaned({ ...field, isNeedEncrypt: detail.checked }))}
            >
              {t('field.encrypted')}
            </Checkbox>
            <div className="cdb-grow">
              <Input
                ariaLabel={label(t('field.default'))}
                placeholder={t('field.default')}
                disabled={isKept || isKey || !can.defaultValue || isGuarded}
                value={field.defaultValue ?? ''}
                onChange={({ detail }) => set(at, { defaultValue: detail.value === '' ? null : detail.value })}
              />
            </div>
            <Button
              iconName="remove"
              variant="icon"
              formAction="none"
              ariaLabel={label(t('field.remove'))}
              disabled={isKept && isKey}
              onClick={() => onChange(fields.filter(one => one !== field))}
            />
          </div>
        )
      })}
      <div>
        <Button
          iconName="add-plus"
          formAction="none"
          disabled={fields.length >= limits.fields}
          onClick={() => onChange([...fields, { fieldName: '', fieldType: 'String' }])}
        >
          {t('field.add')}
        </Button>
      </div>
    </div>
  )
}

/** Takes away what the rest of the field rules out. */
function cleaned(field: FieldOf): FieldOf {
  const can = possibilitiesOf(field.fieldType)
  const isKey = field.belongPrimaryKey === true && can.primaryKey
  const isSensitive = field.isSensitive === true && can.sensitive && !isKey
  const isNeedEncrypt = field.isNeedEncrypt === true && can.encrypt && !isKey && !isSensitive
  const isPlain = !isKey && !isSensitive && !isNeedEncrypt
  return {
    fieldName: field.fieldName,
    fieldType: field.fieldType,
    ...(isKey && { belongPrimaryKey: true }),
    ...(isSensitive && { isSensitive: true }),
    ...(isNeedEncrypt && { isNeedEncrypt: true }),
    ...(isPlain && can.notNull && field.notNull && { notNull: true }),
    ...(isPlain && can.defaultValue && field.defaultValue && { defaultValue: field.defaultValue }),
  }
}
