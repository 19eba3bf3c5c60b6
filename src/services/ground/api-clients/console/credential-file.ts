import type { ClientView } from './client-calls.ts'

/** What a program reads to come in the name of a client. */
export function credentialFile(client: Pick<ClientView, 'clientId' | 'name'>, clientSecret: string) {
  const { clientId } = client
  const content = { clientId, clientSecret, issuer: location.origin, tokenUri: `${location.origin}/oauth2/v1/token` }
  return { name: `client-${clientId}.json`, content }
}
