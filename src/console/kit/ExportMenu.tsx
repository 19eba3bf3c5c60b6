import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SheetFormat } from '../../kernel/cells.ts'
import type { Language } from '../language.ts'
import { saveFile } from '../save-file.ts'

interface ExportMenuProps {
  /** Asks for the file: `ask={wish => api.exportApps.raw({ query: { ...filters, ...wish } })}`. */
  ask: (wish: { format: SheetFormat; language: Language }) => Promise<Response>
  isDisabled?: boolean
}

const formats = [
  { id: 'csv', text: 'CSV' },
  { id: 'xlsx', text: 'Excel (XLSX)' },
] as const

/** The list on screen as a file, in the language of the page. */
export function ExportMenu({ ask, isDisabled = false }: ExportMenuProps) {
  const { t, i18n } = useTranslation('console')
  const [isRunning, setRunning] = useState(false)
  const take = async (format: SheetFormat) => {
    setRunning(true)
    await saveFile(ask({ format, language: i18n.resolvedLanguage as Language }), `export.${format}`)
    setRunning(false)
  }
  return (
    <ButtonDropdown
      data-action="export"
      items={formats}
      loading={isRunning}
      disabled={isDisabled}
      expandToViewport
      onItemClick={({ detail }) => void take(detail.id as SheetFormat)}
    >
      {t('action.export')}
    </ButtonDropdown>
  )
}
