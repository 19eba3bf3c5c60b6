import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dgsProjectApis } from '../src/services/ground/projects/api/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { remoteConfigReleases } from '../src/services/grow/remote-config/releases/contract.ts'
import { hasBrowser, type Look, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'

const root = new URL('..', import.meta.url).pathname

/** What a bundler makes of the published packages, as one module. */
async function openFeature(): Promise<string> {
  // Where the packages are found from.
  const entry = `${root}node_modules/.cache/open-feature.js`
  mkdirSync(path.dirname(entry), { recursive: true })
  writeFileSync(
    entry,
    `export { OpenFeature } from '@openfeature/web-sdk'
    export { OFREPWebProvider } from '@openfeature/ofrep-web-provider'`,
  )
  const lib = { entry, formats: ['es' as const], fileName: 'open-feature' }
  const built = await build({ configFile: false, root, logLevel: 'silent', build: { write: false, lib } })
  return (built as { output: { code: string }[] }[])[0]?.output[0]?.code ?? ''
}

describe.skipIf(!hasBrowser)(
  hasBrowser ? 'a page of somebody else' : 'a page of somebody else (skipped: apt-get install chromium)',
  () => {
    let loggia: Loggia
    let developer: Visitor
    let projectId: string
    let apiKey: string
    let site: Server
    let look: Look

    const publish = (greeting: string) => {
      const own = { schema: null, conditional: {}, group: null, description: '', owner: null, expiresAt: null }
      const parameters = { greeting: { ...own, valueType: 'STRING', default: { value: greeting } } }
      return developer.ok(remoteConfigReleases, 'publishTemplate', {
        params: { projectId },
        query: { kind: 'client' },
        body: { conditions: [], parameters, groups: {} } as never,
        headers: { 'if-match': '*' },
      })
    }

    beforeAll(async () => {
      loggia = await Loggia.start()
      developer = await loggia.signIn('administrator')
      projectId = (await developer.ok(projects, 'createProject', { body: { name: 'Shop' } })).projectId
      await developer.ok(dgsProjectApis, 'openProjectApis', { body: { projectId, apiIds: ['remote-config'] } } as never)
      apiKey = (await developer.ok(dgsProjectApis, 'createApiKey', { body: { projectId, name: 'Web' } })).apiKey ?? ''
      await publish('one')
      const folder = mkdtempSync(path.join(tmpdir(), 'loggia-client-'))
      execFileSync(process.execPath, ['tools/build-client.ts', folder], { cwd: root, stdio: 'pipe' })
      const files: Record<string, string> = {
        '/client.js': readFileSync(path.join(folder, 'index.js'), 'utf8'),
        '/open-feature.js': await openFeature(),
      }
      rmSync(folder, { recursive: true })
      site = createServer((request, response) => {
        const script = files[request.url ?? '']
        response.setHeader('content-type', script ? 'text/javascript' : 'text/html')
        response.end(script ?? '<!doctype html><title>Shop</title>')
      })
      await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
      look = await startLook({ origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}` })
      await look.page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    })
    afterAll(async () => {
      await look?.close()
      await new Promise(resolve => site?.close(resolve) ?? resolve(null))
      await loggia?.close()
    })

    const told = (what: string) => look.page.evaluate<unknown>(what)

    it('reads the config with our client, hears of a new version, and has it without a network at the next start', async () => {
      const options = JSON.stringify({ url: loggia.url, apiKey, context: { targetingKey: 'ann' } })
      const first = await told(`(async () => {
        const { RemoteConfig } = await import('/client.js')
        window.config = new RemoteConfig(${options})
        const { status } = await config.fetchAndActivate()
        window.stop = config.listen(() => config.activate())
        return [status, config.value('greeting', 'none')]
      })()`)
      expect(first).toEqual(['fetched', 'one'])
      await publish('two')
      await expect.poll(() => told(`config.value('greeting', 'none')`), { timeout: 20_000 }).toBe('two')
      await told('stop()')
      await look.page.reload()
      await look.page.route(`${loggia.url}/**`, route => route.abort())
      const second = await told(`(async () => {
        const { RemoteConfig } = await import('/client.js')
        const config = new RemoteConfig({ ...${options}, isDebug: true })
        await config.ready()
        return [config.value('greeting', 'none'), (await config.fetch()).status]
      })()`)
      expect(second).toEqual(['two', 'failed'])
      await look.page.unroute(`${loggia.url}/**`)
    })

    it('reads it with the web client of OpenFeature as it is published, and is told of a change', async () => {
      await publish('three')
      const first = await told(`(async () => {
        const { OpenFeature, OFREPWebProvider } = await import('/open-feature.js')
        const headers = [['Authorization', 'Bearer ${apiKey}']]
        await OpenFeature.setContext({ targetingKey: 'ann' })
        await OpenFeature.setProviderAndWait(new OFREPWebProvider({ baseUrl: '${loggia.url}', headers, pollInterval: 0 }))
        window.flags = OpenFeature.getClient()
        return flags.getStringValue('greeting', 'code')
      })()`)
      expect(first).toBe('three')
      await publish('four')
      await expect.poll(() => told(`flags.getStringValue('greeting', 'code')`), { timeout: 20_000 }).toBe('four')
    })
  },
)
