import type { ImageReference } from '../images/rules.ts'
import { HasProblem } from '../problems/rules.ts'
import type { EngineLack, RuntimeId } from '../rules.ts'
import type { Caller, Circumstances, Fault, LogLevel, Result } from './frames.ts'

export type { Caller, Circumstances, Fault, LogLevel, Result } from './frames.ts'

/** One version of one function, ready to be run: its code lies unpacked in `folder`, or is an image. */
export interface InstanceSpec {
  projectId: string
  functionId: string
  functionName: string
  version: string
  /** Unpacked package; never written to. */
  folder: string
  /** Unpacked layers, in order; a later one wins. */
  layers: readonly string[]
  /** In place of code; what would be named of code is the image's own then. */
  image?: ImageChoice
  /** What an engine that scales by itself goes by. */
  scale?: Scale
  /** `file.export`. */
  handler: string
  initialiser: string | null
  initTimeoutMs: number
  /** The export is a class whose methods are called by name. */
  isObject: boolean
  memoryMb: number
  env: Record<string, string>
  /** Whether the copy before died of its calls, and none has been answered since. */
  diedBefore?: boolean
  /** Null where nothing may leave; throws `NotReachable` for what may not be reached. */
  connect: ((host: string, port: number) => Promise<NodeJS.ReadWriteStream & { destroy(): void }>) | null
}

export interface Scale {
  zone: string
  /** Of code, configuration and secrets: the same is the same, whichever process starts it. */
  digest: string
  /** Calls that one copy takes at once. */
  concurrency: number
  timeoutMs: number
  /** Now; it may change while the version runs. */
  size(): { minInstances: number; maxInstances: number }
}

/** An image as it was named, and what that meant when it was chosen. */
export interface ImageChoice {
  reference: string
  /** `sha256:` and what its bytes come to. */
  digest: string
}

export interface CallOrder extends Circumstances {
  /** Of the request, as logs and answers name it. */
  id: string
  /** As JSON. */
  event: string
  caller: Caller | null
  timeoutMs: number
  /** What the function sends along with all that it asks. */
  mark?: string
}

export type Outcome =
  | { kind: 'answered'; result: Result; memPeakMb: number; cpuMs: number }
  | { kind: 'threw'; error: Fault; memPeakMb: number; cpuMs: number }
  /** The instance is gone; what was called may have happened or not, where it was sent at all. */
  | { kind: 'ended'; reason: EndReason; error: Fault | null; wasSent: boolean; memPeakMb: number; cpuMs: number }

export type EndReason = 'stopped' | 'timeout' | 'outOfMemory' | 'uncaught' | 'killed' | 'protocol' | 'tooMuchOutput'

/** One running copy of a version: ready when its initialiser has answered, and gone when `ended` resolves. */
export interface Instance {
  readonly id: string
  readonly bootMs: number
  readonly initMs: number
  call(order: CallOrder): Promise<Outcome>
  /** Now, megabytes and milliseconds of processor time since it was started. */
  usage(): { memMb: number; memPeakMb: number; cpuMs: number }
  /** Lets nothing in flight end. Resolves when no process is left. */
  stop(): Promise<void>
  readonly ended: Promise<EndReason>
}

export interface InstanceEvents {
  log(line: { requestId: string | null; level: LogLevel; line: string }): void
}

/** Thrown by `start`: the code cannot run as it is. */
export class CannotStart extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

/** Thrown by `start` where it is not for the code: what would run it is not there, or failed. */
export class EngineFailed extends CannotStart {}

/** Thrown by a `connect` for an address that functions may not reach. */
export class NotReachable extends Error {}

/** Thrown for an image that cannot be had; its problem says why. */
export class BadImage extends HasProblem {}

/** Thrown where there is nothing to run images on; the message says what to do. */
export class NoEngine extends Error {}

/** Something that an engine has or lacks. Without `start` nothing of its runtime runs here. */
export interface EngineCapability {
  name: string
  isThere: boolean
  /** What is missing, for whoever reads another language. */
  lack?: EngineLack
  /** What stands in its place. */
  why?: string
  /** The line that installs it, where one does. */
  install?: string
}

/** What no engine has, though code written for Node may look for it. */
export const neverThere: readonly EngineCapability[] = [
  { name: 'programs', isThere: false, why: 'a function begins no processes and no threads' },
  { name: 'addons', isThere: false, why: 'a function loads JavaScript and WebAssembly, no native addons' },
]

/** Runs copies of functions, each engine those of one runtime. */
export interface FunctionEngine {
  readonly runtime: RuntimeId
  /** It starts and ends copies by what it is told of their number: one instance is all of them. */
  readonly scalesItself?: true
  capabilities(): Promise<readonly EngineCapability[]>
  /** Resolves when the initialiser has answered. Throws `CannotStart`. */
  start(spec: InstanceSpec, events: InstanceEvents): Promise<Instance>
  /** Ends every process. */
  close(): Promise<void>
}

/** Runs images. Two stand behind it: a container engine of this machine, and Knative. */
export interface ImageEngine extends FunctionEngine {
  readonly runtime: 'image'
  /** The digest that a reference leads to now. Throws `NoEngine` and `BadImage`. */
  resolve(reference: ImageReference): Promise<string>
  /** Takes away what servers left that were killed. */
  removeLeftovers?(): Promise<void>
  /** Takes away what no version names any more; `named` answers which digests still are. */
  removeUnnamed?(
    zone: string,
    now: number,
    named: (digests: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<void>
}
