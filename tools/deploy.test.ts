import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from './steps.ts'

const read = (file: string) => readFileSync(root + file, 'utf8')
const chart = 'deploy/helm/loggia'
const values = { Values: parse(read(`${chart}/values.yaml`)), Release: { Name: 'loggia-cn' } }
const templates = globSync(`${chart}/templates/*.yaml`, { cwd: root }).sort()

/** The chart keeps to plain substitutions, so that what Helm would make of it can be seen without Helm. */
function rendered(template: string): string {
  return template.replaceAll(/\{\{ ([\w.]+) \}\}/g, (_whole, path: string) => {
    const value = path
      .split('.')
      .filter(Boolean)
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], values)
    if (value === undefined || typeof value === 'object') throw new Error(`values.yaml has no ${path}`)
    return String(value)
  })
}

describe('what stands in deploy/', () => {
  it.each(templates)('%s becomes an object of Kubernetes with every value named', file => {
    const object = parse(rendered(read(file)))
    expect(object).toMatchObject({ apiVersion: expect.any(String), metadata: { name: 'loggia-cn' } })
  })

  it('selects with the service what the deployment runs, on the port the image opens', () => {
    const deployment = parse(rendered(read(`${chart}/templates/deployment.yaml`)))
    const service = parse(rendered(read(`${chart}/templates/service.yaml`)))
    const pod = deployment.spec.template
    expect(pod.metadata.labels).toMatchObject(service.spec.selector)
    expect(pod.spec.containers[0].ports[0].name).toBe(service.spec.ports[0].targetPort)
    expect(read('deploy/Dockerfile')).toContain(`EXPOSE ${pod.spec.containers[0].ports[0].containerPort}`)
  })

  it('keeps root, capabilities and a writable root away from the containers', () => {
    const { spec } = parse(rendered(read(`${chart}/templates/deployment.yaml`))).spec.template
    expect(spec.securityContext.runAsNonRoot).toBe(true)
    expect(spec.containers[0].securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(parse(read('deploy/compose.yaml')).services.loggia).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    expect(read('deploy/Dockerfile')).toMatch(/^USER node$/m)
  })

  it('names no setting that the server does not read', () => {
    const files = globSync('deploy/**/*', { cwd: root }).filter(file =>
      /\.(yaml|service|example)$|Dockerfile$/.test(file),
    )
    const named = new Set(files.flatMap(file => read(file).match(/\b(?:LOGGIA|DATABASE)_[A-Z_]+/g) ?? []))
    const source = ['config', 'main'].map(name => read(`src/server/${name}.ts`)).join()
    const isRead = (name: string) =>
      source.includes(`'${name}'`) || /^DATABASE_(OWNER_)?URL_(HOME|[A-Z]{2})?$/.test(name)
    expect([...named].filter(name => !isRead(name))).toEqual([])
  })
})
