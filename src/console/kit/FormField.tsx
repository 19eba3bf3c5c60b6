import './kit.css'
import CloudscapeFormField from '@cloudscape-design/components/form-field'
import type { ReactElement, ReactNode } from 'react'
import { type ControllerRenderProps, type FieldValues, type Path, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ContractForm } from './contract-form.ts'
import { limitsOf, rulesOf } from './form-rules.ts'

export interface FieldProps<V extends FieldValues> {
  of: ContractForm<V>
  name: Path<V>
  label: string
  description?: ReactNode
  hint?: ReactNode
}

interface FormFieldProps<V extends FieldValues> extends FieldProps<V> {
  children: (field: ControllerRenderProps<V, Path<V>>, isRequired: boolean) => ReactElement
}

/** Label, limits and errors around any control: `{field => <Input value={field.value} onChange={...} />}`. */
export function FormField<V extends FieldValues>({ of, name, label, description, hint, children }: FormFieldProps<V>) {
  const { t } = useTranslation()
  const limits = limitsOf(of.schema, name)
  const isRequired = limits?.isRequired ?? false
  const { field, fieldState } = useController({ control: of.form.control, name, rules: rulesOf(of.schema, name) })
  const used = typeof field.value === 'string' ? [...field.value].length : 0
  const isNearLimit = limits?.maxLength !== undefined && used > limits.maxLength * 0.8
  return (
    <CloudscapeFormField
      label={
        isRequired ? (
          label
        ) : (
          <>
            {label} <span className="lg-optional">{t('form.optional')}</span>
          </>
        )
      }
      description={description}
      constraintText={isNearLimit ? t('form.used', { used, max: limits?.maxLength }) : hint}
      errorText={fieldState.error?.message}
    >
      {children(field, isRequired)}
    </CloudscapeFormField>
  )
}
