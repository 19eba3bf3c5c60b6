import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { listingApi, type VersionView } from '../version-calls.ts'
import { languageName } from '../version-words.ts'

interface RemoveLanguageProps {
  lang: string
  version: VersionView
  /** Not saved yet: nothing is lost but what was typed. */
  isSaved: boolean
  onRemoved: () => void
}

/** Takes a language with its texts and pictures out of the listing. */
export function RemoveLanguage({ lang, version, isSaved, onRemoved }: RemoveLanguageProps) {
  const { t } = useTranslation('distribute/versions')
  const [isAsking, setAsking] = useState(false)
  const { versionId } = version
  const act = useAction(listingApi.deleteListing, {
    onDone: () => {
      setAsking(false)
      onRemoved()
    },
  })
  const name = languageName(lang)
  return (
    <>
      <Button formAction="none" iconName="remove" onClick={() => (isSaved ? setAsking(true) : onRemoved())}>
        {t('languages.remove', { name })}
      </Button>
      {isAsking && (
        <ConfirmByName
          title={t('languages.remove', { name })}
          name={name}
          verb={t('languages.removeVerb')}
          isRunning={act.isRunning}
          onConfirm={() => void act.run({ query: { versionId, lang } })}
          onCancel={() => setAsking(false)}
        >
          {t('languages.removeText', { name })}
        </ConfirmByName>
      )}
    </>
  )
}
