import { type Beside, parametersOf, type RunningRollout, type Template } from './rules.ts'
import { type Problem, parameterProblems } from './validation.ts'

/** What keeps texts from being values of parameters: a key that is not there, another type, a schema. */
export function payloadProblems(
  parameters: Template['parameters'],
  payload: Readonly<Record<string, string>>,
): Problem[] {
  return Object.entries(payload).flatMap(([key, value]): Problem[] => {
    const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined
    const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!parameter) return [{ pointer, fault: 'key', message: `there is no parameter ${key} in force` }]
    return parameterProblems(key, { ...parameter, default: { value }, conditional: {} }, null).map(one => ({
      ...one,
      pointer,
    }))
  })
}

/** What keeps a template from being published under what runs: the parameters that it is about stay, and take its values. */
export function runningProblems({ parameters }: Template, { running, rollouts }: Beside): Problem[] {
  const ofExperiments = running.flatMap(one => {
    const gone = parametersOf(one).filter(key => !Object.hasOwn(parameters, key))
    const missing = gone.map((key): Problem => {
      const message = `${key}: the experiment ${one.name} is about it; stop that first`
      return { pointer: `/parameters/${key}`, fault: 'condition', message }
    })
    const wrong = one.variants.flatMap(({ key: variant, payload }) => {
      const there = Object.fromEntries(Object.entries(payload).filter(([key]) => !gone.includes(key)))
      return payloadProblems(parameters, there).map(
        (problem): Problem => ({
          ...problem,
          pointer: `/parameters${problem.pointer}`,
          message: `${problem.message}, as the variant ${variant} of the experiment ${one.name} has it`,
        }),
      )
    })
    return [...missing, ...wrong]
  })
  return [...ofExperiments, ...rollouts.flatMap(one => rolloutProblems(parameters, one))]
}

function rolloutProblems(
  parameters: Template['parameters'],
  { name, parameter: key, condition, value }: RunningRollout,
): Problem[] {
  const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined
  const pointer = `/parameters/${key}`
  if (!parameter || (condition !== null && !Object.hasOwn(parameter.conditional, condition))) {
    const what = parameter ? `${key} under ${condition}` : key
    return [{ pointer, fault: 'condition', message: `${what}: the rollout ${name} is about it; end that first` }]
  }
  return payloadProblems(parameters, { [key]: value }).map(problem => ({
    ...problem,
    ...{ pointer, message: `${problem.message}, as the rollout ${name} has it` },
  }))
}
