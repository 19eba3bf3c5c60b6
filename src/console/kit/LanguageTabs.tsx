import Tabs from '@cloudscape-design/components/tabs'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

export interface LanguageTab {
  /** `zhCN`, `enUS`, `ruRU`, ... */
  key: string
  name: string
  isDefault?: boolean
  isFilled?: boolean
  hasError?: boolean
}

interface LanguageTabsProps {
  label: string
  languages: readonly LanguageTab[]
  /** Given together where the page keeps the choice, in its address for instance. */
  chosen?: string
  onChoose?: (language: string) => void
  children: (language: string) => ReactNode
}

/** One set of fields for each language of a thing, saying which are empty or wrong in words. */
export function LanguageTabs({ label, languages, chosen: given, onChoose, children }: LanguageTabsProps) {
  const { t } = useTranslation()
  const [own, setOwn] = useState(languages.find(one => one.isDefault)?.key ?? languages[0]?.key ?? '')
  const chosen = given ?? own
  const wordOf = (tab: LanguageTab) => {
    if (tab.hasError) return t('languages.wrong')
    if (tab.isDefault) return t('languages.default')
    return tab.isFilled ? '' : t('languages.empty')
  }
  const titleOf = (tab: LanguageTab) => (wordOf(tab) ? `${tab.name} · ${wordOf(tab)}` : tab.name)
  return (
    <Tabs
      ariaLabel={label}
      activeTabId={chosen}
      onChange={({ detail }) => {
        setOwn(detail.activeTabId)
        onChoose?.(detail.activeTabId)
      }}
      tabs={languages.map(tab => ({
        id: tab.key,
        label: titleOf(tab),
        content: tab.key === chosen ? children(tab.key) : null,
      }))}
    />
  )
}
