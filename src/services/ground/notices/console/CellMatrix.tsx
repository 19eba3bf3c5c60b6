import Icon from '@cloudscape-design/components/icon'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../../../../console/shell/use-is-narrow.ts'
import { categories, channels } from '../rules.ts'
import type { SettingsView } from './notice-calls.ts'

type Cells = SettingsView['settings']

interface CellMatrixProps {
  cells: Cells
  channels: SettingsView['channels']
  onChange: (cells: Cells) => void
}

/** A row a category, a column a way; what is not here stands below with its reason, on a small screen only there. */
export function CellMatrix({ cells, channels: ways, onChange }: CellMatrixProps) {
  const { t } = useTranslation('ground/notices')
  const isNarrow = useIsNarrow()
  const set = (changed: Cells[number], enabled: boolean) =>
    onChange(cells.map(cell => (cell === changed ? { ...cell, enabled } : cell)))
  const missing = ways.filter(way => way.reason === 'noProvider')
  const isMissing = (channel: string) => missing.some(way => way.channel === channel)
  const shown = channels.filter(channel => !isNarrow || !isMissing(channel))
  const cellOf = (category: string, channel: string) =>
    cells.find(cell => cell.category === category && cell.channel === channel)
  return (
    <>
      <table className="notices-matrix">
        <thead>
          <tr>
            <td />
            {shown.map(channel => (
              <th key={channel} scope="col">
                {t(`channels.${channel}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {categories.map(category => (
            <tr key={category}>
              <th scope="row">
                {t(`categories.${category}`)}
                <div className="lg-soft">{t(`categoryTexts.${category}`)}</div>
              </th>
              {shown.map(channel => {
                const cell = cellOf(category, channel)
                if (!cell || isMissing(channel)) {
                  return (
                    <td key={channel} className="lg-soft">
                      {t('settings.missing')}
                    </td>
                  )
                }
                const label = t('settings.cell', {
                  category: t(`categories.${category}`),
                  channel: t(`channels.${channel}`),
                })
                return (
                  <td key={channel}>
                    <Toggle
                      checked={cell.enabled}
                      disabled={cell.locked}
                      ariaLabel={cell.locked ? `${label}: ${t('settings.locked')}` : label}
                      onChange={({ detail }) => set(cell, detail.checked)}
                    />
                    {cell.locked && (
                      <span className="lg-soft notices-locked">
                        <Icon name="lock-private" size="small" /> {t('settings.locked')}
                      </span>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="notices-ways lg-soft">
        {ways
          .filter(way => way.reason !== null || way.address !== null)
          .map(way => (
            <li key={way.channel}>
              {t(`channels.${way.channel}`)}: {way.reason === null ? way.address : t(`reasons.${way.reason}`)}
            </li>
          ))}
      </ul>
    </>
  )
}
