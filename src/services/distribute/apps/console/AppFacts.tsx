import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { OutsideLink } from '../../../../console/kit/OutsideLink.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { ZoneName } from '../../../../console/kit/ZoneName.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { zoneOfSite } from '../../../../kernel/zones.ts'
import { deviceTypes } from '../rules.ts'
import { type AppView, api, projectCalls } from './app-calls.ts'
import { kindPath, languageName } from './app-words.ts'
import { EditPackageName } from './EditPackageName.tsx'

export function AppFacts({ app }: { app: AppView }) {
  const { t } = useTranslation('distribute/apps')
  const [isNaming, setNaming] = useState(false)
  const project = useCall(projectCalls.getProject, { query: { projectId: app.projectId } })
  const kinds = useCall(api.listKinds, {}, { staleTime: 3_600_000 })
  const devices = Object.entries(deviceTypes).filter(([, number]) => app.deviceTypes.includes(number))
  const copied = (text: string) => (
    <CopyToClipboard
      variant="inline"
      textToCopy={text}
      copyButtonAriaLabel={t('facts.copy', { text })}
      copySuccessText={t('facts.copied')}
      copyErrorText={t('facts.copyFailed')}
    />
  )
  const rename = app.canChangePackageName && app.allowedActions.includes('edit')

  return (
    <Container header={<Header variant="h2">{t('facts.title')}</Header>}>
      <KeyValuePairs
        columns={3}
        minColumnWidth={220}
        items={[
          { label: t('app.id'), value: copied(app.appId) },
          {
            label: t('app.packageName'),
            value: (
              <>
                {app.packageName ? copied(app.packageName) : '–'}
                {rename && (
                  <>
                    {' '}
                    <Button variant="inline-link" onClick={() => setNaming(true)}>
                      {app.packageName ? t('facts.changeName') : t('facts.setName')}
                    </Button>
                  </>
                )}
              </>
            ),
          },
          { label: t('app.type'), value: t(`types.${app.packageType}`) },
          {
            label: t('app.project'),
            value: (
              <Link href={hrefOf('/projects/$projectId', { projectId: app.projectId })}>
                {project.data?.name ?? app.projectId}
              </Link>
            ),
          },
          { label: t('app.zone'), value: <ZoneName zone={zoneOfSite(app.siteId)} /> },
          { label: t('app.defaultLang'), value: languageName(app.defaultLang) },
          { label: t('app.kind'), value: kindPath(kinds.data?.list ?? [], app.kindMainTag) },
          { label: t('app.devices'), value: devices.map(([device]) => t(`devices.${device}`)).join(', ') },
          {
            label: t('app.website'),
            value: app.developerWebsite ? <OutsideLink href={app.developerWebsite} /> : '–',
          },
          {
            label: t('app.developer'),
            value: [app.developerNameCn, app.developerNameEn].filter(Boolean).join(' · ') || '–',
          },
          { label: t('app.contact'), value: [app.contact.email, app.contact.phone].filter(Boolean).join(' · ') || '–' },
          { label: t('app.created'), value: <When at={app.createdAt} /> },
        ]}
      />
      {isNaming && <EditPackageName app={app} onClose={() => setNaming(false)} />}
    </Container>
  )
}
