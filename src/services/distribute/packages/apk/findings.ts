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
    sentence: 'The file is {kind}. Upload it as the package type it is.',
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
    sentence: 'The version code is {versionCode}. Set it to a whole number above 0.',
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
  993: { severity: 'BLOCK', appliesTo: 'ANY', sentence: 'The profile in the package is not valid: {reason}.' },
  997: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence:
      'The profile in the package is for {found}, the package is {expected}. Sign it with the profile of its app.',
  },
  999: {
    severity: 'BLOCK',
    appliesTo: 'FORMAL',
    sentence: 'The package holds a debug profile. Sign it with a release profile, or upload it for testing only.',
  },
  1001: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence:
      'The package is signed with another certificate than its profile names. Sign it with the one of the profile.',
  },
  1002: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence:
      'The chain of the signing certificate does not hold: {reason}. Export the certificate with its whole chain.',
  },
  1118: {
    severity: 'WARN',
    appliesTo: 'ANY',
    sentence: 'The APK made of the bundle holds the base module; left out: {modules}.',
  },
  1121: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence: 'The web package holds a program ({entry}). Take it out; pages, scripts, styles and media may stay.',
  },
  1122: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence:
      'The web package has {files} files of {bytes} bytes; at most {maxFiles} files of {maxBytes} bytes are taken.',
  },
  1123: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence:
      'The file is called {fileName}. Call an expansion file main.CODE.PACKAGE.obb or patch.CODE.PACKAGE.obb, with version code and package name of its APK.',
  },
  1126: {
    severity: 'BLOCK',
    appliesTo: 'ANY',
    sentence: 'The parts of the package disagree: {part} has {field} {found}, the others have {expected}.',
  },
  1127: {
    severity: 'BLOCK',
    appliesTo: 'FORMAL',
    sentence: 'The package is built with an SDK of API release type {found}. Build it with a Release SDK.',
  },
  1128: { severity: 'BLOCK', appliesTo: 'ANY', sentence: 'The file is {kind}, not a Windows program.' },
  1129: {
    severity: 'WARN',
    appliesTo: 'ANY',
    sentence: 'The program is not signed, so computers will warn before they start it.',
  },
  1130: { severity: 'WARN', appliesTo: 'ANY', sentence: '{file} has {field} {found}; {expected} is expected.' },
  80210101: {
    severity: 'BLOCK',
    appliesTo: 'FORMAL',
    sentence:
      'The bundle has the asset packs {modules}, which cannot be delivered here. Put the assets into the base module.',
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
