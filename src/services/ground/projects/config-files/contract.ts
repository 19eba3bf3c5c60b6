import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, integer, list, nullable, optional, pattern, shape, Type, text } from '../../../../kernel/shape.ts'
import { packageNamePattern } from '../api/rules.ts'

const PackageName = pattern(packageNamePattern, 128, 'com.example.app')
const ConfigFile = shape({
  configFileId: Id,
  projectId: Id,
  appId: Id,
  appName: text(200),
  packageName: text(128),
  fileName: text(100),
  clientId: Id,
  keyPrefix: text(20),
  zone: text(2),
  /** The project’s zone is another one by now: make the file anew and ship it with the next version of the app. */
  isStale: Type.Boolean(),
  createdBy: Id,
  createdAt: Instant,
  downloadedAt: nullable(Instant),
})

/** What an app’s SDK reads to find this project: `agconnect-services.json`, as the public AppGallery Connect SDKs take it. */
export const projectConfigFiles = service({
  name: 'ground/projects',
  prefix: '/cpms/project-management-service/v1',
  zone: 'home',
  permissions: ['projects.read', 'projects.edit'],
  errors: {
    appElsewhere: [201030060, 404, 'The project has no app {appId}; choose one of its apps.'],
    packageNameNeeded: [201030061, 400, 'The app {appId} needs its package name in the file; send packageName.'],
  },
  calls: {
    listConfigFiles: {
      method: 'GET',
      path: '/config-files',
      who: 'cp',
      may: 'projects.read',
      summary: 'The configuration files of a project’s apps',
      query: shape({ projectId: Id }),
      answer: shape({
        total: integer(0, 100_000),
        list: list(ConfigFile),
        /** Apps of the project that have no file yet; the newest hundred. */
        without: list(shape({ appId: Id, appName: text(200) })),
      }),
    },
    makeConfigFile: {
      method: 'POST',
      path: '/config-files',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Makes the configuration file of an app; made again it follows the project’s zone and keeps its keys',
      body: shape({ projectId: Id, appId: Id, packageName: optional(PackageName) }),
      answer: ConfigFile,
    },
    downloadConfigFile: {
      method: 'GET',
      path: '/config-files/download',
      who: 'cp',
      may: 'projects.edit',
      kind: 'download',
      summary: 'The file, with its client secret and key',
      query: shape({ projectId: Id, configFileId: Id }),
    },
    deleteConfigFile: {
      method: 'DELETE',
      path: '/config-files',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Deletes a configuration file; its key stops working at once',
      query: shape({ projectId: Id, configFileId: Id }),
    },
  },
})
