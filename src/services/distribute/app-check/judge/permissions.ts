const android = 'android.permission.'

/** What reaches people's data, money or other apps. */
export const sensitive: readonly string[] = [
  ...['ACCESS_FINE_LOCATION', 'ACCESS_COARSE_LOCATION', 'ACCESS_BACKGROUND_LOCATION', 'CAMERA', 'RECORD_AUDIO'],
  ...['READ_CONTACTS', 'WRITE_CONTACTS', 'GET_ACCOUNTS', 'READ_CALENDAR', 'WRITE_CALENDAR', 'READ_CALL_LOG'],
  ...['WRITE_CALL_LOG', 'PROCESS_OUTGOING_CALLS', 'READ_PHONE_STATE', 'READ_PHONE_NUMBERS', 'CALL_PHONE'],
  ...['READ_SMS', 'SEND_SMS', 'RECEIVE_SMS', 'RECEIVE_MMS', 'BODY_SENSORS', 'ACTIVITY_RECOGNITION'],
  ...['READ_MEDIA_IMAGES', 'READ_MEDIA_VIDEO', 'READ_MEDIA_AUDIO', 'READ_EXTERNAL_STORAGE', 'WRITE_EXTERNAL_STORAGE'],
].map(name => android + name)

/** What few apps need, and a reviewer asks about. */
export const restricted: readonly string[] = [
  ...['MANAGE_EXTERNAL_STORAGE', 'QUERY_ALL_PACKAGES', 'SYSTEM_ALERT_WINDOW', 'REQUEST_INSTALL_PACKAGES'],
  ...['READ_SMS', 'SEND_SMS', 'RECEIVE_SMS', 'READ_CALL_LOG', 'WRITE_CALL_LOG', 'PROCESS_OUTGOING_CALLS'],
  ...['ACCESS_BACKGROUND_LOCATION', 'BIND_ACCESSIBILITY_SERVICE', 'BIND_DEVICE_ADMIN', 'WRITE_SETTINGS'],
  ...['READ_PRIVILEGED_PHONE_STATE', 'INSTALL_PACKAGES', 'DELETE_PACKAGES', 'WRITE_SECURE_SETTINGS'],
].map(name => android + name)

export interface Asked {
  name: string
  maxSdk?: number
}

/** Permissions that do nothing, or not enough, on devices of the target level: each with the level from which that is so. */
export function unfit(permissions: readonly Asked[], targetSdk: number): string[] {
  const asked = new Map(permissions.map(one => [one.name, one]))
  const has = (name: string) => asked.has(android + name)
  const reaches = (name: string, from: number) => {
    const found = asked.get(android + name)
    return found !== undefined && targetSdk >= from && (found.maxSdk ?? targetSdk) >= from
  }
  const found: string[] = []
  if (reaches('WRITE_EXTERNAL_STORAGE', 30)) found.push('WRITE_EXTERNAL_STORAGE: API 30, maxSdkVersion 29')
  if (reaches('READ_EXTERNAL_STORAGE', 33)) found.push('READ_EXTERNAL_STORAGE: API 33, READ_MEDIA_*')
  for (const name of ['BLUETOOTH', 'BLUETOOTH_ADMIN']) {
    if (reaches(name, 31)) found.push(`${name}: API 31, BLUETOOTH_CONNECT / BLUETOOTH_SCAN`)
  }
  if (reaches('GET_ACCOUNTS', 26)) found.push('GET_ACCOUNTS: API 26')
  if (reaches('USE_FINGERPRINT', 28)) found.push('USE_FINGERPRINT: API 28, USE_BIOMETRIC')
  if (has('ACCESS_BACKGROUND_LOCATION') && !has('ACCESS_FINE_LOCATION') && !has('ACCESS_COARSE_LOCATION')) {
    found.push('ACCESS_BACKGROUND_LOCATION: ACCESS_COARSE_LOCATION')
  }
  if (targetSdk >= 31 && has('ACCESS_FINE_LOCATION') && !has('ACCESS_COARSE_LOCATION')) {
    found.push('ACCESS_FINE_LOCATION: API 31, ACCESS_COARSE_LOCATION')
  }
  return found
}
