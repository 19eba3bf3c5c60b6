import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { ThingIcon } from '../../../../console/kit/ThingIcon.tsx'
import { teamZone } from '../../../../console/session.ts'
import { zoneOfSite } from '../../../../kernel/zones.ts'
import type { AppView } from './app-calls.ts'

interface AppNameProps {
  app: Pick<AppView, 'appId' | 'name' | 'packageName' | 'siteId'>
  picture: string | undefined
  hasZone?: boolean
}

export function hrefOfApp(app: Pick<AppView, 'appId' | 'siteId'>, path = '/apps/$appId'): string {
  const zone = zoneOfSite(app.siteId)
  return hrefOf(path, { appId: app.appId }, zone === teamZone() ? {} : { zone })
}

/** An app in a list: its picture, its name, and the package name that tells two of one name apart. */
export function AppName({ app, picture, hasZone = false }: AppNameProps) {
  const { t } = useTranslation()
  const below = [app.packageName, hasZone && t(`zones.${zoneOfSite(app.siteId)}`)].filter(Boolean).join(' · ')
  return (
    <span className="lg-thing-line">
      <ThingIcon name={app.name} url={picture} />
      <span>
        <Link href={hrefOfApp(app)}>{app.name}</Link>
        {below && (
          <>
            <br />
            <span className="lg-soft">{below}</span>
          </>
        )}
      </span>
    </span>
  )
}
