import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { api, inboxZone } from './notice-calls.ts'
import { SettingsForm } from './SettingsForm.tsx'

export default function SettingsPage() {
  const settings = useCall(api.getSettings, {}, { ...inboxZone(), refetchOnWindowFocus: false })
  if (settings.error) return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
  if (!settings.data) return <PendingPage />
  return <SettingsForm key={settings.data.revision} settings={settings.data} />
}
