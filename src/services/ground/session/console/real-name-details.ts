import { useTranslation } from 'react-i18next'
import type { RealNameView } from './profile/profile-calls.ts'

type Details = Pick<RealNameView, 'individual' | 'enterprise'>

/** Labels and values of what was handed in, for the person and for who decides. */
export function useDetails(): (of: Details) => { label: string; value: string }[] {
  const { t, i18n } = useTranslation('ground/session')
  const country = (code: string) => {
    try {
      return new Intl.DisplayNames([i18n.language], { type: 'region' }).of(code) ?? code
    } catch {
      return code
    }
  }
  return ({ individual, enterprise }) => [
    ...(individual
      ? [
          { label: t('realName.fields.fullName'), value: individual.fullName },
          { label: t('realName.fields.country'), value: country(individual.country) },
          { label: t('realName.fields.documentType'), value: t(`realName.documents.${individual.documentType}`) },
          { label: t('realName.fields.documentNumber'), value: individual.documentNumber },
        ]
      : []),
    ...(enterprise
      ? [
          { label: t('realName.fields.companyName'), value: enterprise.companyName },
          { label: t('realName.fields.country'), value: country(enterprise.country) },
          { label: t('realName.fields.registrationNumber'), value: enterprise.registrationNumber },
          { label: t('realName.fields.representative'), value: enterprise.representative },
          { label: t('realName.fields.address'), value: enterprise.address },
        ]
      : []),
  ]
}
