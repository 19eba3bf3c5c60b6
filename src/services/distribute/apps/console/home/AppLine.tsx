import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { AppName, hrefOfApp } from '../AppName.tsx'
import type { AppView } from '../app-calls.ts'
import { nextStepOf, steps } from '../next-step.ts'
import { fieldCalls } from '../overview/overview-calls.ts'

interface AppLineProps {
  app: AppView
  picture: string | undefined
  /** The team works in more than one zone, so it says which. */
  hasZone: boolean
}

/** One app and the one thing to do with it. */
export function AppLine({ app, picture, hasZone }: AppLineProps) {
  const { t } = useTranslation('distribute/apps')
  const step = nextStepOf(app)
  const { tone, to } = steps[step]
  return (
    <li>
      <AppName app={app} picture={picture} hasZone={hasZone} />
      <span className="apps-line-next">
        <StatusBadge tone={tone} text={t(`next.${step}.title`)} />
        <span className="apps-line-links">
          <Link href={hrefOfApp(app, to)} ariaLabel={`${t(`next.${step}.go`)}: ${app.name}`}>
            {t(`next.${step}.go`)}
          </Link>
          {app.everOnShelf && (
            <Can call={fieldCalls.listFieldVersions}>
              <Link href={hrefOfApp(app, '/apps/$appId/field')} ariaLabel={`${t('app.installs')}: ${app.name}`}>
                {t('app.installs')}
              </Link>
            </Can>
          )}
        </span>
      </span>
    </li>
  )
}
