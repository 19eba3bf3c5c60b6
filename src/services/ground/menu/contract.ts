import { service } from '../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { zoneIds } from '../../../kernel/zones.ts'
import { categoryNames, limits, linkPattern, supportActions, supportStates, tagColours } from './rules.ts'

const Category = oneOf(categoryNames)
/** As the specification numbers and names it; several groups of ours never share one. */
const Numbered = { categoryId: integer(1, 11), labelKey: text(40) }

export const menuPermissions = ['menu.read', 'menu.edit', 'menu.announce', 'menu.operate'] as const
export const menuPrefix = '/sfs'

export const menuErrors = {
  tooManyFavorites: [201060001, 422, 'At most {limit} favourites; take one away first.'],
  datesWrong: [201060002, 422, 'It needs {missing}; change its times.'],
  nameTaken: [201060003, 409, 'There is one called {name} already; choose another name.'],
  tooManyTagSets: [201060004, 422, 'A team has at most {limit} tag sets; delete one first.'],
  alreadyApplied: [201060005, 409, 'An application for {serviceId} waits already; its answer comes here.'],
  tooManyConfigKeys: [201060006, 422, 'At most {limit} configuration keys are kept for a person.'],
  archived: [201060007, 422, 'An ended announcement is the archive; write a new one.'],
  groupInUse: [201060008, 422, 'The switch {feature} names the group {groupCode}; take it out there first.'],
  groupsUnread: [201060009, 422, '{feature} says where groups are read, so it cannot name groups; leave them out.'],
  forAllOnly: [201060010, 422, '{feature} is on or off for all; send percent 100, no zones and no groups.'],
  noWayIn: [
    201060011,
    422,
    'Nobody but staff could sign in then: add a sign-in provider first (#/manage/sign-in-providers).',
  ],
} as const

export const ServiceId = pattern('^[a-z][a-z0-9-]{0,39}$', 40, 'apps')
const inThree = (most: number, least = 0) =>
  shape({ zh: text(most, least), en: text(most, least), ru: text(most, least) })
const LocalTitle = inThree(64, 1)
const LocalWords = inThree(400)
export const Zones = Type.Array(oneOf(zoneIds as ['CN', ...typeof zoneIds]), { maxItems: 5, uniqueItems: true })
export const Link = Type.String({ maxLength: 500, pattern: linkPattern, examples: ['#/services'] })

/** What the operator tells people, an announcement as well as a slot: words in three languages, where and when. */
export const told = (sizes: { title: number; text: number; leastText?: number }) => ({
  title: inThree(sizes.title, 1),
  text: inThree(sizes.text, sizes.leastText),
  zones: Zones,
  startAt: nullable(Instant),
  endAt: nullable(Instant),
})

const Entry = shape({
  serviceId: ServiceId,
  category: Category,
  ...Numbered,
  path: text(200),
  title: LocalTitle,
  text: LocalWords,
  keywords: text(200),
  isFavorite: flag(),
  /** Why it cannot be opened; null where it can. */
  closedBy: nullable(oneOf(['permission', 'zone', 'switch'])),
  permission: nullable(text(60)),
})
const MenuItem = shape({
  serviceId: ServiceId,
  menuId: ServiceId,
  path: text(200),
  title: LocalTitle,
  order: integer(0, 999),
})
const Favorite = shape({
  serviceId: ServiceId,
  path: text(200),
  title: LocalTitle,
  orderKey: text(200),
  isOpen: flag(),
  revision: Revision,
})
const Favorites = shape({ total: integer(0, limits.favorites), list: list(Favorite) })
const ConfigKey = pattern('^[A-Za-z][\\w.-]{0,63}$', 64, 'guide.firstRelease')
export const GroupCode = pattern('^[A-Za-z][\\w-]{0,39}$', 40, 'early-access')
const ConfigUse = shape({
  configKey: ConfigKey,
  value: text(1000),
  uses: integer(0, 2_147_483_647),
  lastUsedAt: Instant,
})
const InfoCenter = shape({
  showsBanners: flag(),
  panels: Type.Array(oneOf(['billboard', 'favorites', 'recent']), { maxItems: 3, uniqueItems: true }),
  revision: integer(0, 2_147_483_647),
})
const Tag = shape({ name: text(32, 1), colour: oneOf(tagColours) })
export const TagSet = shape({
  tagSetId: Id,
  name: text(64, 1),
  tags: list(Tag),
  updatedAt: Instant,
  revision: Revision,
})
const Tags = Type.Array(Tag, { maxItems: limits.tags })
export const SupportApplication = shape({
  applyId: Id,
  serviceId: ServiceId,
  /** What the service is called; null where it is there no more. */
  title: nullable(LocalTitle),
  contact: text(254),
  description: text(1000),
  state: oneOf(supportStates),
  answer: nullable(text(1000)),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf(supportActions)),
})

/** The way into the services: what there is, what is open to whom, what people keep at hand. */
export const menu = service({
  name: 'ground/menu',
  prefix: menuPrefix,
  zone: 'current',
  permissions: menuPermissions,
  errors: menuErrors,
  calls: {
    getServiceCatalog: {
      method: 'GET',
      path: '/service/catalog',
      who: 'cp',
      may: 'none',
      summary: 'Every service of the console, whether it is open here, and why not',
      query: shape({ ...PageQuery, search: optional(text(64)), category: optional(Category) }),
      answer: pageOf(Entry),
    },
    getMenu: {
      method: 'GET',
      path: '/menu',
      who: 'cp',
      may: 'none',
      summary: 'The menu: the catalogue where permission, region and switch allow it',
      answer: shape({ list: list(shape({ category: Category, ...Numbered, items: list(MenuItem) })) }),
    },
    listFavorites: {
      method: 'GET',
      path: '/favorites',
      who: 'cp',
      may: 'none',
      summary: 'Favourites of the person in their order',
      answer: Favorites,
    },
    addFavorite: {
      method: 'POST',
      path: '/favorites',
      who: 'cp',
      may: 'none',
      summary: 'Puts a service behind the last favourite; one that is there stays where it is',
      body: shape({ serviceId: ServiceId }),
      answer: Favorites,
    },
    removeFavorite: {
      method: 'DELETE',
      path: '/favorites',
      who: 'cp',
      may: 'none',
      summary: 'Takes a service out of the favourites',
      query: shape({ serviceId: ServiceId }),
      answer: Favorites,
    },
    orderFavorites: {
      method: 'PUT',
      path: '/favorites/order',
      who: 'cp',
      may: 'none',
      summary: 'Puts a favourite behind another, or first; only its own key changes',
      body: shape({ serviceId: ServiceId, after: nullable(ServiceId) }),
      answer: Favorites,
    },
    listServiceUsage: {
      method: 'GET',
      path: '/service/usage',
      who: 'cp',
      may: 'none',
      summary: 'What the person used in this team, the latest first',
      answer: shape({
        list: list(
          shape({
            serviceId: ServiceId,
            path: text(200),
            title: LocalTitle,
            uses: integer(1, 2_147_483_647),
            lastUsedAt: Instant,
          }),
        ),
      }),
    },
    recordServiceUsage: {
      method: 'POST',
      path: '/service/usage',
      who: 'cp',
      may: 'none',
      beforeSigning: true,
      summary: 'Says that the person opened a service',
      body: shape({ serviceId: ServiceId }),
    },
    getConfigUsage: {
      method: 'GET',
      path: '/config/usage',
      who: 'cp',
      may: 'none',
      summary: 'What the person has set or seen, by configuration key',
      query: shape({ configKey: optional(ConfigKey) }),
      answer: shape({ zone: text(2), list: list(ConfigUse) }),
    },
    recordConfigUsage: {
      method: 'POST',
      path: '/config/usage',
      who: 'cp',
      may: 'none',
      summary: 'Keeps a value under a configuration key and counts its use',
      body: shape({ configKey: ConfigKey, value: text(1000) }),
      answer: ConfigUse,
    },
    checkGroup: {
      method: 'POST',
      path: '/group/check',
      who: 'cp',
      may: 'none',
      summary: 'Whether the team is in a group',
      body: shape({ groupCode: GroupCode }),
      answer: shape({ zone: text(2), groupCode: GroupCode, isMember: flag() }),
    },
    checkGroups: {
      method: 'POST',
      path: '/group/check/batch',
      who: 'cp',
      may: 'none',
      summary: 'The same for several groups',
      body: shape({ groups: Type.Array(GroupCode, { minItems: 1, maxItems: limits.groupsAtOnce, uniqueItems: true }) }),
      answer: shape({ zone: text(2), groups: Type.Record(Type.String(), Type.Boolean()) }),
    },
    checkGrayFlag: {
      method: 'GET',
      path: '/gray-flag/check',
      who: 'cp',
      may: 'none',
      summary:
        'Whether the team is within the rollout of a feature; without one, of the console itself, and sets x-hd-grey',
      query: shape({ feature: optional(text(64, 1)) }),
      answer: shape({ feature: text(64), isOn: flag(), greyFlag: integer(0, 1) }),
    },
    listSupportApplications: {
      method: 'GET',
      path: '/support/apply',
      who: 'cp',
      may: 'menu.read',
      summary: 'What the team asked support for',
      query: shape({ ...PageQuery, state: optional(oneOf(supportStates)) }),
      answer: pageOf(SupportApplication),
    },
    applyForSupport: {
      method: 'POST',
      path: '/support/apply',
      who: 'cp',
      may: 'menu.edit',
      summary: 'Asks for support with a service; one question a service waits at a time',
      body: shape({
        serviceId: ServiceId,
        contact: pattern('^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 254, 'mira@example.com'),
        description: text(1000, 10),
      }),
      answer: SupportApplication,
    },
    listSensitiveScenarios: {
      method: 'GET',
      path: '/sensitive-permission/scenarios',
      who: 'cp',
      may: 'none',
      summary: 'What a restricted permission may be asked for',
      query: shape({ permission: optional(text(128)) }),
      answer: shape({
        version: integer(1, 1_000_000),
        list: list(
          shape({
            permission: text(128),
            scenarios: list(shape({ scenarioId: text(60), name: LocalWords })),
          }),
        ),
      }),
    },
    getDemoUserRole: {
      method: 'GET',
      path: '/demo/user-role',
      who: 'cp',
      may: 'none',
      summary:
        'What one may do in the demo project of the team: read, and change its members where the operator allows it',
      answer: shape({
        userRoles: list(text(40)),
        userPermission: Type.Record(Type.String(), Type.Literal('Y')),
        isReadOnly: flag(),
      }),
    },
    listTagSets: {
      method: 'GET',
      path: '/tag-set',
      who: 'cp',
      may: 'menu.read',
      summary: 'Tag sets of the team, or one of them',
      query: shape({ ...PageQuery, tagSetId: optional(Id), search: optional(text(64)) }),
      answer: pageOf(TagSet),
    },
    createTagSet: {
      method: 'POST',
      path: '/tag-set',
      who: 'cp',
      may: 'menu.edit',
      summary: 'Makes a tag set',
      body: shape({ name: text(64, 1), tags: Tags }),
      answer: TagSet,
    },
    updateTagSet: {
      method: 'PUT',
      path: '/tag-set',
      who: 'cp',
      may: 'menu.edit',
      summary: 'Changes the name and the tags of a set',
      body: shape({ tagSetId: Id, name: text(64, 1), tags: Tags, revision: Revision }),
      answer: TagSet,
    },
    deleteTagSet: {
      method: 'DELETE',
      path: '/tag-set',
      who: 'cp',
      may: 'menu.edit',
      summary: 'Deletes a tag set',
      query: shape({ tagSetId: Id }),
    },
    getInfoCenterConfig: {
      method: 'GET',
      path: '/info-center/config',
      who: 'cp',
      may: 'none',
      summary: 'Whether banners are shown, and the panels of the home page in order',
      answer: InfoCenter,
    },
    updateInfoCenterConfig: {
      method: 'PUT',
      path: '/info-center/config',
      who: 'cp',
      may: 'none',
      summary: 'Changes it; revision 0 is that of somebody who never did',
      body: InfoCenter,
      answer: InfoCenter,
    },
  },
})
