import { useTranslation } from 'react-i18next'
import { fileSize } from '../../kernel/text.ts'
import { type Language, localeOf } from '../language.ts'

const units: Record<Language, Record<'KB' | 'MB' | 'GB', string>> = {
  zh: { KB: 'KB', MB: 'MB', GB: 'GB' },
  en: { KB: 'KB', MB: 'MB', GB: 'GB' },
  ru: { KB: 'КБ', MB: 'МБ', GB: 'ГБ' },
}

export function sizeText(sizeBytes: number, language: Language): string {
  const { value, unit } = fileSize(sizeBytes)
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return `${value.toLocaleString(localeOf[language], digits)} ${units[language][unit]}`
}

/** A size in KB, MB or GB with two decimals (specification, section 9); the exact bytes on hover. */
export function ByteSize({ value }: { value: number }) {
  const { i18n } = useTranslation()
  const language = i18n.resolvedLanguage as Language
  return <span title={`${value.toLocaleString(localeOf[language])} B`}>{sizeText(value, language)}</span>
}
