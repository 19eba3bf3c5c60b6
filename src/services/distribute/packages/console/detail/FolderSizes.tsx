import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ByteSize, sizeText } from '../../../../../console/kit/ByteSize.tsx'
import { type Language, localeOf } from '../../../../../console/language.ts'
import type { PackageView } from '../package-calls.ts'

const first = 8

/** Where the bytes of a download are: one bar a folder, longest on top, each with its size and share in figures. */
export function FolderSizes({ folders }: { folders: PackageView['folders'] }) {
  const { t, i18n } = useTranslation('distribute/packages')
  const [isOpen, setOpen] = useState(false)
  const language = i18n.resolvedLanguage as Language
  const sorted = folders.toSorted((one, other) => other.compressedBytes - one.compressedBytes)
  const total = folders.reduce((sum, one) => sum + one.compressedBytes, 0)
  const expanded = folders.reduce((sum, one) => sum + one.expandedBytes, 0)
  const longest = sorted[0]?.compressedBytes ?? 0
  const share = (bytes: number) =>
    (total > 0 ? bytes / total : 0).toLocaleString(localeOf[language], { style: 'percent', maximumFractionDigits: 1 })
  const nameOf = (folder: string) =>
    folder === '/' ? t('folders.root') : folder === '...' ? t('folders.rest') : `${folder}/`
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('folders.text', { total: sizeText(total, language), expanded: sizeText(expanded, language) })}
        >
          {t('folders.title')}
        </Header>
      }
    >
      <ul className="packages-bars">
        {sorted.slice(0, isOpen ? undefined : first).map(({ folder, files, compressedBytes }) => (
          <li key={folder}>
            <span className="packages-bar-name">
              <span>{nameOf(folder)}</span>
              <span className="lg-soft">{t('folders.files', { count: files })}</span>
            </span>
            <span className="packages-bar" aria-hidden="true">
              <span style={{ width: `${longest > 0 ? (compressedBytes / longest) * 100 : 0}%` }} />
            </span>
            <span className="packages-bar-size">
              <ByteSize value={compressedBytes} /> <span className="lg-soft">{share(compressedBytes)}</span>
            </span>
          </li>
        ))}
      </ul>
      {sorted.length > first && (
        <Button variant="inline-link" ariaExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('folders.fewer') : t('folders.more', { count: sorted.length - first })}
        </Button>
      )}
    </Container>
  )
}
