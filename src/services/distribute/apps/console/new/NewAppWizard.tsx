import Wizard from '@cloudscape-design/components/wizard'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import type { Language } from '../../../../../console/language.ts'
import { notify } from '../../../../../console/notify.ts'
import { useSwitches } from '../../../../../console/page-configuration.ts'
import { teamZone } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { apps } from '../../contract.ts'
import { hasPackageName, isPackageName, openPackageTypes } from '../../rules.ts'
import { api, type ProjectView } from '../app-calls.ts'
import { ConfirmStep } from './ConfirmStep.tsx'
import { FactsStep } from './FactsStep.tsx'
import { fieldsOfStep, newAppDefaults } from './new-app.ts'
import { PackageNameStep } from './PackageNameStep.tsx'
import { ProjectStep } from './ProjectStep.tsx'

interface NewAppWizardProps {
  projects: readonly ProjectView[]
  wantedProjectId: string
}

export function NewAppWizard({ projects, wantedProjectId }: NewAppWizardProps) {
  const { t, i18n } = useTranslation('distribute/apps')
  const go = useGo()
  const [step, setStep] = useState(0)
  const [isNameFree, setNameFree] = useState(true)
  const form = useContractForm(
    apps.calls.createApp.body,
    newAppDefaults(wantedProjectId, i18n.resolvedLanguage as Language),
  )
  const values = form.form.watch()
  const project = projects.find(one => one.projectId === values.projectId)
  const zone = project?.zone ?? 'CN'
  const openTypes = openPackageTypes(useSwitches(zone))
  const openType = openTypes.includes(values.packageType) ? values.packageType : (openTypes[0] ?? 'NO_PACKAGE')
  const { setValue } = form.form
  useEffect(() => setValue('packageType', openType), [openType, setValue])
  const act = useAction(api.createApp, {
    errors: 'form',
    onDone: app => {
      notify({ tone: 'success', text: t('new.done', { name: app.name }) })
      go('/apps/$appId', { appId: app.appId }, zone === teamZone() ? {} : { zone })
    },
  })
  const name = values.packageName?.trim() ?? ''
  const isNameRight = name === '' || (isPackageName(values.packageType, name) && isNameFree)

  const goTo = async (next: number) => {
    if (next > step && !(await form.form.trigger([...(fieldsOfStep[step] ?? [])]))) return
    if (step === 1 && next > step && values.deviceTypes.length === 0) {
      return form.form.setError('deviceTypes', { type: 'required', message: t('form.required') })
    }
    if (step === 2 && next > step && hasPackageName(values.packageType) && !isNameRight) return
    setStep(next)
  }
  const submit = () => {
    const { packageName: _typed, ...body } = form.tidy(values)
    const withName = hasPackageName(values.packageType) && name !== '' ? { packageName: name } : {}
    void act.run({ body: { ...body, ...withName, name: values.name.trim() } }, { zone })
  }

  return (
    <Wizard
      activeStepIndex={step}
      onNavigate={({ detail }) => void goTo(detail.requestedStepIndex)}
      onCancel={() => go('/apps')}
      onSubmit={submit}
      isLoadingNextStep={act.isRunning}
      i18nStrings={{
        submitButton: t('new.submit'),
        stepNumberLabel: number => t('new.stepOf', { number }),
        collapsedStepsLabel: (number, count) => t('new.stepOfCount', { number, count }),
      }}
      steps={[
        {
          title: t('new.project'),
          description: t('new.projectText'),
          content: <ProjectStep of={form} projects={projects} />,
        },
        { title: t('new.facts'), content: <FactsStep of={form} zone={zone} openTypes={openTypes} /> },
        {
          title: t('new.packageName'),
          description: t('new.packageNameText'),
          content: <PackageNameStep of={form} zone={zone} onChecked={setNameFree} />,
        },
        {
          title: t('new.confirm'),
          errorText: act.error ? errorText(act.error) : undefined,
          content: <ConfirmStep values={values} project={project} onEdit={setStep} />,
        },
      ]}
    />
  )
}
