import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { ZoneName } from '../../../../../console/kit/ZoneName.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { devProjects } from '../../members/contract.ts'
import { type DevProjectView, peopleApi, serviceApi } from '../project-calls.ts'
import { DefaultProject } from './DefaultProject.tsx'

export function GeneralTab({ project }: { project: DevProjectView }) {
  const { t } = useTranslation('ground/projects')
  const { projectId } = project
  const counted = useCall(serviceApi.getAggregateInfo, { query: { projectId } })
  const numbers = counted.data
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">{t('general.numbers')}</Header>}>
        <KeyValuePairs
          columns={4}
          minColumnWidth={150}
          items={[
            { label: t('projects.zone'), value: <ZoneName zone={project.zone} /> },
            { label: t('projects.apps'), value: project.appCount },
            { label: t('people.title'), value: project.memberCount },
            { label: t('general.services'), value: numbers?.services.enabled ?? '–' },
            { label: t('settings.tabs.keys'), value: numbers?.apiKeys ?? '–' },
            { label: t('settings.tabs.files'), value: numbers?.configFiles ?? '–' },
            { label: t('general.id'), value: projectId },
            { label: t('projects.updated'), value: <When at={project.updatedAt} show="relative" /> },
          ]}
        />
      </Container>
      <DefaultProject projectId={projectId} />
      <Can call={peopleApi.updateDevProject}>
        <EditGeneral key={project.revision} project={project} />
      </Can>
    </SpaceBetween>
  )
}

function EditGeneral({ project }: { project: DevProjectView }) {
  const { t } = useTranslation('ground/projects')
  const { projectId, name, description, revision } = project
  const form = useContractForm(devProjects.calls.updateDevProject.body, { projectId, name, description, revision })
  const act = useAction(peopleApi.updateDevProject, {
    errors: 'form',
    onDone: () => notify({ tone: 'success', text: t('general.saved') }),
  })
  return (
    <Container header={<Header variant="h2">{t('general.edit')}</Header>}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body: { ...body, description: body.description ?? '' } })}
        submitLabel={t('action.save')}
      >
        <TextField of={form} name="name" label={t('projects.name')} hint={t('new.nameHint')} />
        <TextAreaField of={form} name="description" label={t('general.description')} rows={3} />
      </ContractFormBox>
    </Container>
  )
}
