import Box from '@cloudscape-design/components/box'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageTabs } from '../../../../../console/kit/LanguageTabs.tsx'
import { AgreementText } from '../AgreementText.tsx'
import type { DocumentView } from '../agreement-calls.ts'
import { useWords } from '../words.ts'
import { TextEditor } from './TextEditor.tsx'

/** The texts of a version, one language beside the other; those of a draft can be written. */
export function Texts({ document }: { document: DocumentView }) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const isDraft = document.state === 'draft'
  const first = document.languages.includes(words.languageKey) ? words.languageKey : document.languages[0]
  const [chosen, setChosen] = useState<string>(first ?? words.languageKey)
  const [added, setAdded] = useState<string[]>(isDraft && document.languages.length === 0 ? [words.languageKey] : [])
  const languages = [...new Set([...document.languages, ...added])]
  const others = words.tongues().filter(one => !languages.includes(one.value))
  const shown = languages.includes(chosen) ? chosen : (languages[0] ?? '')
  return (
    <SpaceBetween size="m">
      {isDraft && (
        <Select
          selectedOption={null}
          options={others}
          filteringType="auto"
          placeholder={t('document.addLanguage')}
          ariaLabel={t('document.addLanguage')}
          onChange={({ detail }) => {
            const language = detail.selectedOption.value ?? ''
            setAdded([...added, language])
            setChosen(language)
          }}
        />
      )}
      <LanguageTabs
        key={languages.join(' ')}
        label={t('document.languages')}
        chosen={shown}
        onChoose={setChosen}
        languages={languages.map(key => ({
          key,
          name: words.tongue(key),
          isFilled: document.languages.includes(key),
        }))}
      >
        {language => {
          const text = document.texts.find(one => one.language === language)
          if (isDraft) return <TextEditor key={language} document={document} language={language} text={text ?? null} />
          return (
            text && (
              <SpaceBetween size="s">
                <Box variant="h3" padding="n">
                  <span translate="no">{text.title}</span>
                </Box>
                <AgreementText {...text} />
              </SpaceBetween>
            )
          )
        }}
      </LanguageTabs>
    </SpaceBetween>
  )
}
