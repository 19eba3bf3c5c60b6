import type { Handover } from '../../../server/handover.ts'

const ofProject = 'files are of projects, not of apps: they stay with the project that they were stored for'

/** Nothing of storage belongs to an app. */
export const storageHandover: Handover = {
  stays: {
    storage_services: ofProject,
    storage_buckets: ofProject,
    storage_objects: ofProject,
    storage_versions: ofProject,
    storage_uploads: ofProject,
    storage_parts: ofProject,
    storage_counters: ofProject,
    storage_days: ofProject,
    storage_sites: ofProject,
    storage_bucket_names: ofProject,
    storage_access_keys: ofProject,
  },
}
