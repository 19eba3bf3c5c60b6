import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { ZoneName } from '../../../../../console/kit/ZoneName.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { deviceTypes, hasPackageName } from '../../rules.ts'
import { api, type ProjectView } from '../app-calls.ts'
import { kindPath, languageName } from '../app-words.ts'
import type { NewApp } from './new-app.ts'

interface ConfirmStepProps {
  values: NewApp
  project: ProjectView | undefined
  onEdit: (step: number) => void
}

export function ConfirmStep({ values, project, onEdit }: ConfirmStepProps) {
  const { t } = useTranslation('distribute/apps')
  const kinds = useCall(api.listKinds, {}, { staleTime: 3_600_000, ...(project && { zone: project.zone }) })
  const edit = (step: number, what: string) => (
    <Button ariaLabel={t('new.editOf', { what })} onClick={() => onEdit(step)}>
      {t('action.edit')}
    </Button>
  )
  const devices = Object.entries(deviceTypes).filter(([, number]) => values.deviceTypes.includes(number))
  const packageName = hasPackageName(values.packageType)
    ? values.packageName?.trim() || t('new.nameLater')
    : t('new.nameNone')

  return (
    <SpaceBetween size="l">
      <Container
        header={
          <Header variant="h2" actions={edit(0, t('new.project'))}>
            {t('new.project')}
          </Header>
        }
      >
        <KeyValuePairs
          columns={2}
          minColumnWidth={220}
          items={[
            { label: t('app.project'), value: project?.name ?? '–' },
            { label: t('app.zone'), value: project ? <ZoneName zone={project.zone} /> : '–' },
          ]}
        />
      </Container>
      <Container
        header={
          <Header variant="h2" actions={edit(1, t('new.facts'))}>
            {t('new.facts')}
          </Header>
        }
      >
        <KeyValuePairs
          columns={2}
          minColumnWidth={220}
          items={[
            { label: t('app.name'), value: values.name },
            { label: t('app.defaultLang'), value: languageName(values.defaultLang) },
            { label: t('app.type'), value: t(`types.${values.packageType}`) },
            { label: t('app.kind'), value: kindPath(kinds.data?.list ?? [], values.kindMainTag ?? null) },
            { label: t('app.devices'), value: devices.map(([device]) => t(`devices.${device}`)).join(', ') },
          ]}
        />
      </Container>
      <Container
        header={
          <Header variant="h2" actions={edit(2, t('new.packageName'))}>
            {t('new.packageName')}
          </Header>
        }
      >
        {packageName}
      </Container>
    </SpaceBetween>
  )
}
