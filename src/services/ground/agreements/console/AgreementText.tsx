import './agreements.css'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { tagOf, useWords } from './words.ts'

interface AgreementTextProps {
  title: string
  body: string
  bodyHash: string
  language: string
  /** The languages there are, where one can be chosen. */
  languages?: readonly string[]
  onLanguage?: (language: string) => void
  /** Does not scroll by itself. */
  isWhole?: boolean
}

/** The text of an agreement as it is kept: plain, whatever stands in it, with its digest. */
export function AgreementText({ title, body, bodyHash, language, languages, onLanguage, isWhole }: AgreementTextProps) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const isOwn = (key: string) => key.slice(0, 2) === words.languageKey.slice(0, 2)
  return (
    <SpaceBetween size="s">
      {languages && languages.length > 1 && onLanguage && (
        <Select
          ariaLabel={t('text.language')}
          selectedOption={{ value: language, label: words.tongue(language) }}
          options={languages.map(value => ({ value, label: words.tongue(value) }))}
          onChange={({ detail }) => onLanguage(detail.selectedOption.value ?? language)}
        />
      )}
      {languages && !languages.some(isOwn) && (
        <span className="lg-soft">{t('text.otherLanguage', { language: words.tongue(language) })}</span>
      )}
      <section
        className={isWhole ? 'agr-text agr-whole' : 'agr-text'}
        lang={tagOf(language)}
        aria-label={title}
        tabIndex={isWhole ? -1 : 0}
      >
        <div translate="no" dir="auto">
          {body}
        </div>
      </section>
      <span className="lg-soft">
        SHA-256 <span className="agr-digest">{bodyHash}</span>
      </span>
    </SpaceBetween>
  )
}
