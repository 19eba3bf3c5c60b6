/** Why an archive is refused or distrusted. The first group means that there is no readable archive at all. */
export type ZipReason =
  | 'empty'
  | 'truncated'
  | 'not-a-zip'
  | 'trailing-bytes'
  | 'entry-count'
  | 'directory-too-large'
  | 'too-many-entries'
  | 'ambiguous-end'
  | 'gap-before-end'
  | 'encrypted'
  | 'duplicate-name'
  | 'unsafe-name'
  | 'overlap'
  | 'ratio'
  | 'expanded-size'
  | 'size-mismatch'
  | 'corrupt-entry'
  | 'local-header'
  | 'method'
  | 'symlink'

/** What was found, with the values to name in a message. */
export type ZipAnomaly = { reason: ZipReason; params: Record<string, string | number> }

/** Thrown when the bytes cannot be read as an archive; what can be read but not trusted is a `ZipAnomaly` instead. */
export class ZipRefusal extends Error {
  readonly anomaly: ZipAnomaly

  constructor(reason: ZipReason, params: ZipAnomaly['params'] = {}) {
    super(`zip archive refused: ${reason}`)
    this.name = 'ZipRefusal'
    this.anomaly = { reason, params }
  }
}

/** English half sentences that fill `{reason}` of a finding. */
export const zipReasonTexts: Record<ZipReason, string> = {
  empty: 'the file has no bytes',
  truncated: 'the file ends before the archive does',
  'not-a-zip': 'the file is not a zip archive',
  'trailing-bytes': 'bytes follow the end of the archive',
  'entry-count': 'the archive claims another number of entries than it holds',
  'directory-too-large': 'the list of entries is larger than allowed',
  'too-many-entries': 'more than 65,535 entries without zip64',
  'ambiguous-end': 'two end records fit, so two readers may see two archives',
  'gap-before-end': 'unknown bytes lie between the list of entries and the end record',
  encrypted: 'an entry is encrypted',
  'duplicate-name': 'two entries have one name',
  'unsafe-name': 'an entry name leaves the archive or has control characters',
  overlap: 'two entries share bytes',
  ratio: 'an entry expands more than 100 times',
  'expanded-size': 'the entries expand to more than 8 GiB',
  'size-mismatch': 'an entry expands to another size than the archive says',
  'corrupt-entry': 'an entry cannot be expanded',
  'local-header': 'an entry is described differently in its own header',
  method: 'an entry is compressed by a method other than stored or deflated',
  symlink: 'an entry is a symbolic link',
}
