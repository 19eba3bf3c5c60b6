import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { ParameterView } from '../../contract.ts'
import { isKey, limits, type Parameter, type Value, type ValueType, valueProblem, valueTypes } from '../../rules.ts'
import { api, type Where } from '../config-calls.ts'
import { SchemaField, schemaOf } from './SchemaField.tsx'
import { ValueField } from './ValueField.tsx'

interface ParameterDialogProps {
  where: Where
  /** Null makes a new one. */
  parameter: ParameterView | null
  conditions: readonly string[]
  groups: readonly string[]
  onClose: () => void
}

/** A parameter with a value for each condition that it asks, the default below them. */
export function ParameterDialog({ where, parameter, conditions, groups, onClose }: ParameterDialogProps) {
  const { t } = useTranslation('grow/remote-config')
  const [key, setKey] = useState(parameter?.key ?? '')
  const [valueType, setType] = useState<ValueType>(parameter?.valueType ?? 'STRING')
  const [fallback, setFallback] = useState<Value>(parameter?.default ?? { value: '' })
  const [conditional, setConditional] = useState<Parameter['conditional']>(parameter?.conditional ?? {})
  const [description, setDescription] = useState(parameter?.description ?? '')
  const [group, setGroup] = useState(parameter?.group ?? '')
  const [schema, setSchema] = useState(parameter?.schema ? JSON.stringify(parameter.schema, null, 2) : '')
  const create = useAction(api.createParameter, { errors: 'form', onDone: onClose })
  const update = useAction(api.updateParameter, { errors: 'form', onDone: onClose })
  const remove = useAction(api.deleteParameter, { errors: 'form', onDone: onClose })
  const refused = create.error ?? update.error ?? remove.error
  const readSchema = schemaOf(schema)
  const isBad = (value: Value) => 'value' in value && valueProblem(valueType, value.value) !== null
  const branches = Object.entries(conditional)
  const free = conditions.filter(name => !Object.hasOwn(conditional, name))
  const canSubmit =
    isKey(key) && readSchema !== undefined && !isBad(fallback) && branches.every(([, value]) => !isBad(value))
  const submit = () => {
    const wish = { valueType, schema: readSchema ?? null, default: fallback, conditional, description }
    const { owner = null, expiresAt = null } = parameter ?? {}
    const body = { ...where, ...wish, group: group || null, owner, expiresAt }
    if (!parameter) void create.run({ body: { ...body, key } })
    else
      void update.run({
        params: { key: parameter.key },
        body: { ...body, revision: parameter.revision, ...(key !== parameter.key && { newKey: key }) },
      })
  }
  const put = (name: string, value: Value) => setConditional({ ...conditional, [name]: value })
  return (
    <DialogBox
      title={parameter ? t('parameters.edit') : t('parameters.create')}
      size="large"
      action={parameter ? 'updateParameter' : 'createParameter'}
      isRunning={create.isRunning || update.isRunning || remove.isRunning}
      canSubmit={canSubmit}
      refusal={refused ? errorText(refused) : null}
      onClose={onClose}
      onSubmit={submit}
    >
      <FormField
        label={t('parameters.key')}
        constraintText={t('parameters.keyText')}
        errorText={key !== '' && !isKey(key) ? t('parameters.keyBad') : ''}
      >
        <Input value={key} ariaRequired onChange={({ detail }) => setKey(detail.value)} />
      </FormField>
      <FormField label={t('parameters.type')}>
        <Select
          selectedOption={{ value: valueType, label: t(`types.${valueType}`) }}
          options={valueTypes.map(value => ({ value, label: t(`types.${value}`) }))}
          onChange={({ detail }) => setType(detail.selectedOption.value as ValueType)}
        />
      </FormField>
      {branches.map(([name, value]) => (
        <div key={name} className="rcs-branch">
          <ValueField label={name} valueType={valueType} value={value} onChange={next => put(name, next)} />
          <Button
            variant="icon"
            iconName="close"
            formAction="none"
            ariaLabel={t('parameters.removeValue', { name })}
            onClick={() => setConditional(Object.fromEntries(branches.filter(([other]) => other !== name)))}
          />
        </div>
      ))}
      {free.length > 0 && (
        <FormField label={t('parameters.addValue')}>
          <Select
            selectedOption={null}
            placeholder={t('parameters.chooseCondition')}
            options={free.map(value => ({ value, label: value }))}
            filteringType={free.length > 10 ? 'auto' : 'none'}
            onChange={({ detail }) => put(detail.selectedOption.value ?? '', { value: '' })}
          />
        </FormField>
      )}
      <ValueField label={t('parameters.default')} valueType={valueType} value={fallback} onChange={setFallback} />
      {groups.length > 0 && (
        <FormField label={t('parameters.group')}>
          <Select
            selectedOption={{ value: group, label: group || t('parameters.noGroup') }}
            options={['', ...groups].map(value => ({ value, label: value || t('parameters.noGroup') }))}
            onChange={({ detail }) => setGroup(detail.selectedOption.value ?? '')}
          />
        </FormField>
      )}
      <FormField label={t('parameters.description')}>
        <Input
          value={description}
          onChange={({ detail }) => setDescription(detail.value.slice(0, limits.descriptionLength))}
        />
      </FormField>
      <SchemaField text={schema} onChange={setSchema} />
      {parameter && (
        <Can call={api.deleteParameter}>
          <Button
            formAction="none"
            data-action="deleteParameter"
            onClick={() => void remove.run({ params: { key: parameter.key }, query: where })}
          >
            {t('parameters.delete')}
          </Button>
        </Can>
      )}
    </DialogBox>
  )
}
