import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import {
  certStates,
  invalidReasons,
  limits,
  permissions,
  profileActions,
  profileStates,
  profileTypeNumbers,
} from '../rules.ts'

const ProfileType = Type.Integer({ enum: profileTypeNumbers })
const Name = Type.String({
  minLength: 1,
  maxLength: limits.profileNameLength,
  pattern: '^(?=.*\\S)[^\\p{Cc}]+$',
  examples: ['Release'],
})
const DeviceIds = Type.Array(Id, { maxItems: limits.devicesOfProfile, uniqueItems: true })

const profile = {
  id: Id,
  provisionName: text(limits.profileNameLength),
  provisionType: ProfileType,
  appId: Id,
  appName: text(64),
  /** The bundle name that it holds for. */
  packageName: text(255),
  certId: Id,
  certName: text(limits.certNameLength),
  certState: oneOf(certStates),
  deviceCount: integer(0, limits.devicesOfProfile),
  state: oneOf(profileStates),
  invalidReason: nullable(oneOf(invalidReasons)),
  /** Another one with each issue. */
  uuid: text(36),
  createTime: Instant,
  issueTime: Instant,
  expireTime: Instant,
  revision: Revision,
  allowedActions: list(oneOf(profileActions)),
}
const Profile = shape(profile)
const ProfileWithDevices = shape({ ...profile, deviceIdList: list(Id) })
const LocalWords = shape({ zh: text(200), en: text(200), ru: text(200) })

export const profilesContract = service({
  name: 'distribute/harmony',
  prefix: '/cps/provision-manage/v1',
  zone: 'current',
  permissions,
  errors: {
    devicesMissing: [204144760, 422, 'The team has no such devices in use: {ids}. Read the list of devices anew.'],
    profileName: [
      204144761,
      409,
      'The team has a profile called {provisionName} already; choose another provisionName.',
    ],
    profileLimit: [204144762, 422, 'The app has {limit} profiles already; delete one that is no longer needed.'],
    typesDiffer: [
      204144763,
      422,
      'A certificate of type {certType} does not go with a profile of type {provisionType}: debug goes with debug, release with release, in-house with in-house.',
    ],
    certMissing: [204144775, 404, 'The team has no valid certificate {certId}; choose another, or issue one.'],
    devicesNeeded: [
      204144776,
      422,
      'A profile of type {provisionType} names the devices it holds on; add at least one.',
    ],
    devicesNotTaken: [
      202150004,
      422,
      'A profile of type {provisionType} holds on every device; leave deviceIdList out.',
    ],
    notHarmony: [
      202150005,
      422,
      'Profiles are for HarmonyOS apps with a package name; {name} is of type {packageType} and has {packageName}.',
    ],
  },
  calls: {
    listProfiles: {
      method: 'GET',
      path: '/provisions',
      who: 'cp',
      may: 'harmony.read',
      summary: 'Profiles of the team or of one app, the newest first',
      query: shape({
        appId: optional(Id),
        provisionType: optional(ProfileType),
        state: optional(oneOf(profileStates)),
        search: optional(text(limits.profileNameLength)),
        ...PageQuery,
      }),
      answer: pageOf(Profile),
    },
    createProfile: {
      method: 'POST',
      path: '/provisions',
      who: 'cp',
      may: 'harmony.edit',
      summary: 'Issues a signed profile: which app may run with which certificate, and where',
      body: shape({
        provisionName: Name,
        provisionType: ProfileType,
        appId: Id,
        certId: Id,
        deviceIdList: optional(DeviceIds),
      }),
      answer: ProfileWithDevices,
    },
    updateProfile: {
      method: 'PUT',
      path: '/provisions',
      who: 'cp',
      may: 'harmony.edit',
      summary: 'Changes name, certificate or devices of a profile and issues it anew',
      body: shape({
        id: Id,
        provisionName: optional(Name),
        certId: optional(Id),
        deviceIdList: optional(DeviceIds),
        revision: Revision,
      }),
      answer: ProfileWithDevices,
    },
    deleteProfile: {
      method: 'DELETE',
      path: '/provisions',
      who: 'cp',
      may: 'harmony.edit',
      summary: 'Deletes a profile; what was downloaded holds on devices until it ends',
      query: shape({ id: Id }),
    },
    getProfile: {
      method: 'GET',
      path: '/provisions/:id',
      who: 'cp',
      may: 'harmony.read',
      summary: 'A profile with its devices',
      params: shape({ id: Id }),
      answer: ProfileWithDevices,
    },
    downloadProfile: {
      method: 'GET',
      path: '/provisions/:id/download',
      who: 'cp',
      may: 'harmony.read',
      kind: 'download',
      summary: 'The .p7b as it was issued last: signed data in DER with the certificates up to the root',
      params: shape({ id: Id }),
    },
    refreshProfile: {
      method: 'POST',
      path: '/provision/refresh',
      who: 'cp',
      may: 'harmony.edit',
      summary: 'Issues a profile anew, without devices that were deleted since; the id stays, the uuid is another',
      body: shape({ id: Id, revision: optional(Revision) }),
      answer: ProfileWithDevices,
    },
    listPermissions: {
      method: 'GET',
      path: '/provision/permission/list',
      who: 'cp',
      may: 'harmony.read',
      summary: 'The restricted permissions that an app has only where its profile names them',
      answer: shape({ list: list(shape({ permission: text(100), words: LocalWords })) }),
    },
  },
})

export type ProfileView = Static<typeof Profile>
export type ProfileDetail = Static<typeof ProfileWithDevices>
