import { ZoneChoice } from '../../../../../console/kit/ZoneChoice.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useDeskZone } from './use-desk-zone.ts'

const readNothing = () => ({
  zone: undefined as string | undefined,
  page: undefined as string | undefined,
  cursor: undefined as string | undefined,
})

/** Which zone the desk looks at; another one begins at its first page. */
export function DeskZoneChoice() {
  const [, change] = usePageSearch(readNothing)
  const { zone } = useDeskZone()
  return <ZoneChoice zone={zone} onChoose={chosen => change({ page: undefined, cursor: undefined, zone: chosen })} />
}
