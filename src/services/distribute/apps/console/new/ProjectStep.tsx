import Container from '@cloudscape-design/components/container'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import type { ProjectView } from '../app-calls.ts'
import type { NewAppForm } from './new-app.ts'

interface ProjectStepProps {
  of: NewAppForm
  projects: readonly ProjectView[]
}

export function ProjectStep({ of, projects }: ProjectStepProps) {
  const { t } = useTranslation('distribute/apps')
  const chosen = projects.find(one => one.projectId === of.form.watch('projectId'))
  return (
    <Container>
      <SpaceBetween size="m">
        <SelectField
          of={of}
          name="projectId"
          label={t('app.project')}
          hint={chosen && t('new.zoneOfProject', { zone: t(`zones.${chosen.zone}`) })}
          options={projects.map(({ projectId, name, zone }) => ({
            value: projectId,
            label: name,
            description: t('new.zoneOfProject', { zone: t(`zones.${zone}`) }),
          }))}
        />
        <Link href={hrefOf('/projects', {}, { new: '1' })}>{t('new.anotherProject')}</Link>
      </SpaceBetween>
    </Container>
  )
}
