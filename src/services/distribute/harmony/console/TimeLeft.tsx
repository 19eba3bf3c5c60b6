import { useTranslation } from 'react-i18next'
import { relativeText, When } from '../../../../console/kit/When.tsx'
import type { Language } from '../../../../console/language.ts'

/** When something ends, and how far away that is as long as it counts. */
export function TimeLeft({ at, isOver }: { at: number; isOver: boolean }) {
  const { i18n } = useTranslation()
  return (
    <>
      <When at={at} />
      {!isOver && <div className="lg-soft">{relativeText(at, i18n.resolvedLanguage as Language)}</div>}
    </>
  )
}
