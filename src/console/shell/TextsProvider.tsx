import { I18nProvider, type I18nProviderProps } from '@cloudscape-design/components/i18n'
import { type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'
import { type Language, localeOf } from '../language.ts'

type Messages = readonly I18nProviderProps.Messages[]

const loaders: Record<Language, () => Promise<Messages>> = {
  zh: () => import('@cloudscape-design/components/i18n/messages/all.zh-CN').then(found => [found.default]),
  en: () => import('@cloudscape-design/components/i18n/messages/all.en').then(found => [found.default]),
  ru: () =>
    import('../i18n/cloudscape.ru.json').then(found => [{ 'cloudscape-design-components': { ru: found.default } }]),
}
const loading = new Map<Language, Promise<Messages>>()

function messagesOf(language: Language): Promise<Messages> {
  const found = loading.get(language) ?? loaders[language]()
  loading.set(language, found)
  return found
}

/** Cloudscape's own words in the language on screen; Russian is ours. */
export function TextsProvider({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation()
  const language = (i18n.resolvedLanguage ?? 'zh') as Language
  return (
    <I18nProvider locale={localeOf[language]} messages={use(messagesOf(language))}>
      {children}
    </I18nProvider>
  )
}
