/** BLOCK keeps a package from being released, WARN is shown and lets it pass. */
export type Severity = 'BLOCK' | 'WARN'
/** FORMAL findings do not matter for a package whose usage is TEST_ONLY; the caller knows the usage. */
export type AppliesTo = 'ANY' | 'FORMAL'

type FindingRow = { severity: Severity; appliesTo: AppliesTo; sentence: string }

/**
 * What the bytes of a package alone can be blamed for. Numbers 991-996 are AppGallery Connect's sub-codes of 204144720,
 * 11xx are ours. Words in braces are filled from `params`.
 */
export const findingRows = {
  991: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence: 'The file is not a valid package: {reason}. Build it again and upload the new file.',
  },
  994: { severity: 'BLOCK', appliesTo: 'ANY', sentence: 'The package has no {file}.' },
  995: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence: 'The file is {kind}, not an APK. Upload it as the package type it is.',
  },
  996: { severity: 'BLOCK', appliesTo: 'ANY', sentence: '{file} cannot be parsed: {reason}.' },
  1101: { severity: 'BLOCK', appliesTo: 'ANY', sentence: 'The package is not signed. Sign it with your release key.' },
  1102: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence: 'The {scheme} signature does not verify: {reason}. Sign the package again as its last build step.',
  },
  1104: {
    severity: 'BLOCK',
    appliesTo: 'FORMAL',
    sentence: 'The package is debuggable. Build the release variant, or upload it for testing only.',
  },
  1105: {
    severity: 'BLOCK',
    appliesTo: 'FORMAL',
    sentence: 'The package is signed with a public test key ({subject}). Sign it with a key that only you hold.',
  },
  1106: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence: 'The version code is {versionCode}. Set android:versionCode to a whole number above 0.',
  },
  1109: {
    severity: 'WARN',
    appliesTo: 'ANY',
    sentence: 'The package targets API level {targetSdk}; the store asks for {floor} or above.',
  },
  1110: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence: 'Native libraries for {abis} have no 64-bit counterpart ({missing}). Add the 64-bit libraries.',
  },
  1112: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence: 'The package has android:testOnly set, so devices refuse to install it. Build without it.',
  },
  1113: { severity: 'BLOCK', appliesTo: 'ANY', sentence: 'The archive cannot be trusted: {reason} ({entry}).' },
  1114: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence: 'The package cannot be installed alone: {reason}. Upload the bundle or a universal APK.',
  },
  1115: {
    severity: 'WARN',
    appliesTo: 'ANY',
    sentence: '{count} native libraries are not aligned to 16 KB pages, first {library} ({reason}).',
  },
  1116: {
    severity: 'WARN',
    appliesTo: 'ANY',
    sentence: 'The resource table cannot be read ({reason}); label and icon are shown as resource ids.',
  },
} as const satisfies Record<number, FindingRow>

export type FindingCode = keyof typeof findingRows
export type FindingParams = Record<string, string | number>

/** One thing found; `detail` is the English sentence, `code` and `params` are for other languages. */
export type Finding = {
  code: FindingCode
  severity: Severity
  appliesTo: AppliesTo
  detail: string
  params: FindingParams
}

/** Builds a finding of the table; words in braces without a param stay as they are. */
export function finding(code: FindingCode, params: FindingParams = {}): Finding {
  const row = findingRows[code]
  const detail = row.sentence.replace(/\{(\w+)\}/g, (word, name: string) => String(params[name] ?? word))
  return { code, severity: row.severity, appliesTo: row.appliesTo, detail, params }
}
