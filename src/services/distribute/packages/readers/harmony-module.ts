import { type Finding, finding } from '../apk/findings.ts'
import type { ZipArchive } from '../apk/zip.ts'
import type { PackageComponent, PackagePermission } from '../tables.ts'
import { type JsonObject, numberAt, objectAt, objectsAt, readJson, textAt, textsAt, versionCodeAt } from './json.ts'

/** One HAP or HSP, as its module.json (stage model) or config.json (FA model) tells. */
export interface HarmonyModule {
  bundleName: string | null
  versionCode: string | null
  versionName: string | null
  minApi: number | null
  targetApi: number | null
  apiReleaseType: string
  bundleType: string
  buildVersion: string
  isDebug: boolean
  name: string
  type: string
  deviceTypes: string[]
  delivery: string
  permissions: PackagePermission[]
  components: PackageComponent[]
  icon: string | null
  label: string | null
}

/** Reads what a HAP says of itself; null and a finding where it says nothing that can be read. */
export async function readModule(archive: ZipArchive, findings: Finding[]): Promise<HarmonyModule | null> {
  const isFa = !archive.byName.has('module.json') && archive.byName.has('config.json')
  const json = await readJson(archive, isFa ? 'config.json' : 'module.json', findings)
  if (!json) return null
  const module = isFa ? ofConfig(json) : ofModule(json)
  if (module.bundleName === null) {
    findings.push(finding(996, { file: isFa ? 'config.json' : 'module.json', reason: 'it names no bundle' }))
  }
  return module
}

function ofModule(json: JsonObject): HarmonyModule {
  const app = objectAt(json, 'app')
  const module = objectAt(json, 'module')
  const abilities = objectsAt(module, 'abilities')
  const main = abilities.find(one => textAt(one, 'name') === textAt(module, 'mainElement')) ?? abilities[0] ?? {}
  return {
    bundleName: textAt(app, 'bundleName'),
    versionCode: versionCodeAt(app, 'versionCode'),
    versionName: textAt(app, 'versionName'),
    minApi: numberAt(app, 'minAPIVersion'),
    targetApi: numberAt(app, 'targetAPIVersion'),
    apiReleaseType: textAt(app, 'apiReleaseType') ?? '',
    bundleType: textAt(app, 'bundleType') ?? 'app',
    buildVersion: textAt(app, 'buildVersion') ?? '',
    isDebug: app['debug'] === true,
    name: textAt(module, 'name') ?? '',
    type: textAt(module, 'type') ?? '',
    deviceTypes: textsAt(module, 'deviceTypes'),
    delivery: module['deliveryWithInstall'] === false ? 'on-demand' : 'install-time',
    permissions: permissionsOf(objectsAt(module, 'requestPermissions')),
    components: componentsOf([...abilities, ...objectsAt(module, 'extensionAbilities')], 'exported'),
    icon: textAt(app, 'icon') ?? textAt(main, 'icon'),
    label: plainText(textAt(app, 'label') ?? textAt(main, 'label')),
  }
}

function ofConfig(json: JsonObject): HarmonyModule {
  const app = objectAt(json, 'app')
  const version = objectAt(app, 'version')
  const api = objectAt(app, 'apiVersion')
  const module = objectAt(json, 'module')
  const distro = objectAt(module, 'distro')
  const abilities = objectsAt(module, 'abilities')
  return {
    bundleName: textAt(app, 'bundleName'),
    versionCode: versionCodeAt(version, 'code'),
    versionName: textAt(version, 'name'),
    minApi: numberAt(api, 'compatible'),
    targetApi: numberAt(api, 'target'),
    apiReleaseType: textAt(api, 'releaseType') ?? '',
    bundleType: distro['installationFree'] === true ? 'atomicService' : 'app',
    buildVersion: '',
    isDebug: objectAt(objectAt(json, 'deviceConfig'), 'default')['debug'] === true,
    name: textAt(distro, 'moduleName') ?? '',
    type: textAt(distro, 'moduleType') ?? '',
    deviceTypes: textsAt(module, 'deviceType'),
    delivery: distro['deliveryWithInstall'] === false ? 'on-demand' : 'install-time',
    permissions: permissionsOf(objectsAt(module, 'reqPermissions')),
    components: componentsOf(abilities, 'visible'),
    icon: textAt(abilities[0] ?? {}, 'icon'),
    label: plainText(textAt(abilities[0] ?? {}, 'label')),
  }
}

/** A text by name stands in resources.index, which only a device reads. */
const plainText = (label: string | null) => (label?.startsWith('$') ? null : label)

function permissionsOf(list: readonly JsonObject[]): PackagePermission[] {
  return list.flatMap(one => textAt(one, 'name') ?? []).map(name => ({ name }))
}

function componentsOf(list: readonly JsonObject[], exported: 'exported' | 'visible'): PackageComponent[] {
  return list.flatMap(one => {
    const name = textAt(one, 'name')
    return name === null ? [] : [{ kind: 'ability' as const, name, isExported: one[exported] === true }]
  })
}

/** Path of an icon that is named as `$media:name`. */
export function iconPathOf(archive: ZipArchive, icon: string | null): string | null {
  const name = /^\$media:([A-Za-z0-9_]{1,100})$/.exec(icon ?? '')?.[1]
  if (name === undefined) return null
  const paths = ['png', 'webp'].map(ending => `resources/base/media/${name}.${ending}`)
  return paths.find(path => archive.byName.has(path)) ?? null
}
