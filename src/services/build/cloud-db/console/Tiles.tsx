import Box from '@cloudscape-design/components/box'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Numbers that people compare, side by side. */
export function Tiles({ tiles }: { tiles: readonly { id: string; label: string; value: number | ReactNode }[] }) {
  const { i18n } = useTranslation()
  return (
    <ColumnLayout columns={4} variant="text-grid">
      {tiles.map(({ id, label, value }) => (
        <div key={id}>
          <Box variant="awsui-key-label">{label}</Box>
          <Box variant="h2" tagOverride="div">
            {typeof value === 'number' ? value.toLocaleString(i18n.resolvedLanguage) : value}
          </Box>
        </div>
      ))}
    </ColumnLayout>
  )
}
