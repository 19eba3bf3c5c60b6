import Link from '@cloudscape-design/components/link'
import { hrefOf } from '../../../../console/address.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'

interface AppNameProps {
  appId: string | null
  names: ReadonlyMap<string, string>
  zone: ZoneId
}

/** The app that a file is of, by its name where the caller may know it. */
export function AppName({ appId, names, zone }: AppNameProps) {
  if (appId === null) return '–'
  return (
    <Link href={hrefOf('/apps/$appId', { appId }, { zone })}>
      <span translate="no">{names.get(appId) ?? appId}</span>
    </Link>
  )
}
