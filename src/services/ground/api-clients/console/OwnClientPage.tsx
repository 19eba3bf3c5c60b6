import { ClientPage } from './ClientPage.tsx'

export default function OwnClientPage() {
  return <ClientPage whose="own" />
}
