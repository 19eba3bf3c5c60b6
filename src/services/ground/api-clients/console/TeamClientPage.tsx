import { ClientPage } from './ClientPage.tsx'

export default function TeamClientPage() {
  return <ClientPage whose="team" />
}
