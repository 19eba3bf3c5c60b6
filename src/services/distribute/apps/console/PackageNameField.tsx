import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useEffectEvent, useState } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ContractForm } from '../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../console/kit/FormField.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { dateTimeText } from '../../../../console/kit/When.tsx'
import type { Language } from '../../../../console/language.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { isPackageName, type PackageType } from '../rules.ts'
import { api } from './app-calls.ts'

interface PackageNameFieldProps<V extends FieldValues> {
  of: ContractForm<V>
  name: Path<V>
  packageType: PackageType
  zone?: ZoneId
  appId?: string
  onChecked: (isFree: boolean) => void
}

const typingPauseMs = 400

/** The package name, judged while it is typed: its form by the rules here, whether it is free by the store. */
export function PackageNameField<V extends FieldValues>(props: PackageNameFieldProps<V>) {
  const { of, name, packageType, zone, appId, onChecked } = props
  const { t, i18n } = useTranslation('distribute/apps')
  const typed = String(of.form.watch(name) ?? '').trim()
  const [asked, setAsked] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const isFormed = isPackageName(packageType, typed)
  const check = useCall(
    api.checkPackageName,
    { body: { packageType, packageName: asked, ...(appId && { appId }) } },
    { enabled: isFormed && asked === typed, ...(zone && { zone }) },
  )
  const isKnown = isFormed && asked === typed && check.data !== undefined
  const isFree = check.data?.available ?? false
  const tell = useEffectEvent(onChecked)
  useEffect(() => {
    tell(typed === '' || (isKnown && isFree))
  }, [typed, isKnown, isFree])

  const verdict = () => {
    if (typed === '') return null
    if (!isFormed) return <StatusBadge tone="bad" text={t('nameCheck.INVALID')} />
    if (check.error) return <StatusBadge tone="caution" text={t('nameCheck.unknown')} />
    if (!isKnown) return <StatusBadge tone="running" text={t('nameCheck.checking')} />
    if (isFree) return <StatusBadge tone="good" text={t('nameCheck.free')} />
    const { reason, reservedUntil } = check.data
    const until = reservedUntil === null ? '' : dateTimeText(reservedUntil, i18n.resolvedLanguage as Language)
    return <StatusBadge tone="bad" text={t(`nameCheck.${reason ?? 'TAKEN'}`, { until })} />
  }
  return (
    <SpaceBetween size="xs">
      <FormField of={of} name={name} label={t('app.packageName')} hint={t(`nameRules.${packageType}`)}>
        {field => (
          <Input
            ref={field.ref}
            value={String(field.value ?? '')}
            placeholder="com.example.app"
            autoComplete={false}
            spellcheck={false}
            onBlur={field.onBlur}
            onChange={({ detail }) => field.onChange(detail.value)}
          />
        )}
      </FormField>
      <div aria-live="polite">{verdict()}</div>
    </SpaceBetween>
  )
}
