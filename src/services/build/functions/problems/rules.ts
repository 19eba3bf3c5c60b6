import { fillSentence } from '../../../../kernel/errors.ts'

/** Why what a developer sent cannot be, for whoever calls; the console has each as `errors.why.<name>` in its languages. */
export const problemSentences = {
  longName: '{name} has more than {limit} characters',
  longPart: '{name} has a part of more than {limit} bytes',
  noPath: '{name} is no path below the package',
  leadsOut: '{name} leads out of the package',
  twice: '{name} is there twice',
  noFile: '{name} is a link or a device',
  encrypted: '{name} is encrypted',
  bomb: '{name} grows more than {limit} times',
  manyFiles: 'more than {limit} files',
  unpackedLarge: 'more than {limit} bytes when unpacked',
  noZip: 'the file is no zip archive: {said}',
  notUnpacked: 'it cannot be unpacked: {said}',

  handlerLeadsOut: 'leads out of the package',
  notExported: 'it is not exported',

  keyForm: 'letters, digits and _ only, no digit first',
  reserved: 'reserved',
  manyKeys: 'more than {limit} keys',
  envLarge: 'more than {limit} bytes in all',

  longImage: 'it has more than {limit} characters',
  noRegistry: 'it must begin with its registry, as registry.example.com/team/resize:1.2 or localhost/resize:1',
  imageName: 'its name has lower case letters, digits, and . _ - between them only',
  imageTag: 'its tag has letters, digits, and . _ - only',
  imageDigest: 'its digest is sha256: and 64 digits from 0 to f',
  leadsElsewhere: 'it leads to {found} now',
  notOnEngine:
    'it is not on the container engine of this server, and may be fetched from {registries} (LOGGIA_IMAGE_REGISTRIES)',
  onEngineOnly:
    'it is not on the container engine of this server, and may be fetched from no registry (LOGGIA_IMAGE_REGISTRIES)',
  notFetched: 'it could not be fetched: {said}',
  otherRegistry: 'images may be fetched from {registries} (LOGGIA_IMAGE_REGISTRIES)',
  noRegistryAllowed: 'images may be fetched from no registry (LOGGIA_IMAGE_REGISTRIES)',
  digestNeeded: 'functions run in a cluster here: name it by its digest, as {repository}@sha256:...',

  manyFunctions: 'a project has at most {limit} functions',
  manyVersions: 'a function has at most {limit} published versions',
  manyAliases: 'the function {name} has {limit} aliases, and may have no more',
  manyTriggers: 'a version or an alias has at most {limit} triggers',
  manyScalingRules: 'a function has at most {limit} scaling rules',
  manyTestEvents: 'a function has at most {limit} test events',
  manyLayers: 'a project has at most {limit} layers',
  manyLayerVersions: 'a layer has at most {limit} versions',
  manyGroups: 'a project has at most {limit} groups of functions',
} as const

/** The detail of a refusal: `why` for the console, `problem` for whoever reads the answer itself, and what both name. */
export interface Problem {
  why: keyof typeof problemSentences
  problem: string
  [value: string]: unknown
}

export const problemOf = (why: Problem['why'], values: Readonly<Record<string, unknown>> = {}): Problem => ({
  ...values,
  why,
  problem: fillSentence(problemSentences[why], values),
})

/** Thrown where there is nobody to answer a refusal to yet. */
export class HasProblem extends Error {
  readonly problem: Problem

  constructor(...problem: Parameters<typeof problemOf>) {
    const found = problemOf(...problem)
    super(found.problem)
    this.problem = found
  }
}
