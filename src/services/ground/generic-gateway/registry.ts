/** A name under which a call can be made without knowing its address. */
export interface NamedApi {
  apiName: string
  /** The call it stands for; its audience, rights and schemas are that call's. */
  call: { service: string; name: string }
  /** Calls a minute for one caller. */
  callsPerMinute?: number
  timeoutMs?: number
  /** What `params` holds, as an example that works; `{appId}` and the like stand for ids of the reader's own. */
  example: Readonly<Record<string, unknown>>
}

const api = (apiName: string, service: string, name: string, example: NamedApi['example'] = {}): NamedApi => ({
  apiName,
  call: { service, name },
  example,
})

export const namedApis: readonly NamedApi[] = [
  api('AppGallery.queryApp', 'distribute/apps', 'getApp', { appId: '{appId}' }),
  api('AppGallery.queryAppList', 'distribute/apps', 'listApps', { pageSize: 20, sort: 'name' }),
  api('AppGallery.queryAppNumbers', 'distribute/apps', 'getAppNumbers'),
  api('AppGallery.queryVersion', 'distribute/versions', 'getVersion', { appId: '{appId}' }),
  api('AppGallery.queryVersionList', 'distribute/versions', 'listVersions', { appId: '{appId}', pageSize: 20 }),
  api('AppGallery.queryPackageList', 'distribute/packages', 'listPackages', { appId: '{appId}', pageSize: 20 }),
  api('Store.queryApps', 'distribute/store', 'listApps', { search: 'Beacon', lang: 'enUS' }),
  api('Store.queryKinds', 'distribute/store', 'listKinds', { lang: 'enUS' }),
  api('Store.queryLogHead', 'distribute/store', 'getLogHead'),
  api('OpenPlatform.queryServiceCatalog', 'ground/menu', 'getServiceCatalog', { pageSize: 50 }),
  api('OpenPlatform.queryAnnouncements', 'ground/menu', 'listAnnouncements', { state: 'live' }),
  api('Gateway.queryRouteSite', 'ground/files', 'getRouteSite'),
  api('Common.queryUploadParam', 'ground/files', 'getUploadParam', { bizTag: 'app_img' }),
  api('Common.querySensitiveScenarios', 'ground/menu', 'listSensitiveScenarios'),
  api('Developer.queryMerchantInfo', 'ground/teams', 'getTeamInfo'),
  api('Developer.queryWhiteList', 'ground/menu', 'checkGroups', { groups: ['early-access'] }),
  api('User.queryInfo', 'ground/teams', 'getUserInfo'),
  api('User.queryPermission', 'ground/teams', 'getUserPermission'),
  api('Team.queryMembers', 'ground/teams', 'listMembers', { pageSize: 20 }),
  api('Team.queryRoles', 'ground/teams', 'listRoles'),
  api('Project.queryProjects', 'ground/projects', 'listProjects', { pageSize: 20 }),
  api('Project.queryProject', 'ground/projects', 'getProject', { projectId: '{projectId}' }),
  api('Menu.queryMenu', 'ground/menu', 'getMenu'),
  api('Menu.checkGroup', 'ground/menu', 'checkGroup', { groupCode: 'early-access' }),
  api('Notice.countUnread', 'ground/notices', 'countUnread'),
  api('Notice.queryNotices', 'ground/notices', 'listNotices', { unread: true }),
]
