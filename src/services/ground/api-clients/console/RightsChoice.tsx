import Checkbox from '@cloudscape-design/components/checkbox'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import { useTranslation } from 'react-i18next'
import { useRightWords } from './right-words.ts'

interface RightsChoiceProps {
  /** What may be chosen. */
  offered: readonly { permission: string; group: string }[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  /** All there is to see at once: what was asked for. */
  isOpen?: boolean
}

/** Rights by service; only those that the reader could grant are there. */
export function RightsChoice({ offered, chosen, onChange, isOpen = false }: RightsChoiceProps) {
  const { t } = useTranslation('ground/api-clients')
  const words = useRightWords()
  const has = new Set(chosen)
  const set = (permissions: readonly string[], isOn: boolean) => {
    const rest = chosen.filter(one => !permissions.includes(one))
    onChange(isOn ? [...rest, ...permissions] : rest)
  }
  return (
    <div>
      {[...Map.groupBy(offered, one => one.group)].map(([group, inGroup]) => {
        const all = inGroup.map(one => one.permission)
        const count = all.filter(one => has.has(one)).length
        return (
          <ExpandableSection
            key={group}
            defaultExpanded={isOpen}
            headingTagOverride="h3"
            headerText={`${words.group(group)} (${count}/${all.length})`}
          >
            <Checkbox
              checked={count === all.length}
              indeterminate={count > 0 && count < all.length}
              onChange={({ detail }) => set(all, detail.checked)}
            >
              {t('rights.all')}
            </Checkbox>
            {all.map(permission => (
              <Checkbox
                key={permission}
                checked={has.has(permission)}
                onChange={({ detail }) => set([permission], detail.checked)}
              >
                {words.right(permission)}
              </Checkbox>
            ))}
          </ExpandableSection>
        )
      })}
    </div>
  )
}
