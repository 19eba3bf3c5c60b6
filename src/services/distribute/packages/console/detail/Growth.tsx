import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../../../../../console/kit/ByteSize.tsx'
import type { Language } from '../../../../../console/language.ts'

interface GrowthProps {
  rows: readonly { name: string; fromBytes: number; toBytes: number }[]
}

const first = 10

/** Sizes before and after, one pair of bars a row: what both have in one tone, what came in another, what went hatched. */
export function Growth({ rows }: GrowthProps) {
  const { t, i18n } = useTranslation('distribute/packages')
  const [isOpen, setOpen] = useState(false)
  const language = i18n.resolvedLanguage as Language
  const size = (bytes: number) => sizeText(bytes, language)
  const longest = Math.max(1, ...rows.map(row => Math.max(row.fromBytes, row.toBytes)))
  const width = (bytes: number) => `${(bytes / longest) * 100}%`
  return (
    <>
      <ul className="packages-bars">
        {rows.slice(0, isOpen ? undefined : first).map(({ name, fromBytes, toBytes }) => {
          const grown = toBytes - fromBytes
          return (
            <li key={name}>
              <span className="packages-bar-name">{name}</span>
              <span className="packages-bar packages-growth" aria-hidden="true">
                <span style={{ width: width(Math.min(fromBytes, toBytes)) }} />
                {grown !== 0 && (
                  <span
                    className={grown > 0 ? 'packages-grown' : 'packages-shrunk'}
                    style={{ width: width(Math.abs(grown)) }}
                  />
                )}
              </span>
              <span className="packages-bar-size">
                {grown === 0 ? t('compare.same') : `${grown < 0 ? '−' : '+'}${size(Math.abs(grown))}`}{' '}
                <span className="lg-soft">
                  {size(fromBytes)} → {size(toBytes)}
                </span>
              </span>
            </li>
          )
        })}
      </ul>
      {rows.length > first && (
        <Button variant="inline-link" ariaExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('folders.fewer') : t('folders.more', { count: rows.length - first })}
        </Button>
      )}
    </>
  )
}
