import { ClawError } from '../../core/claw-error.ts'
import { isObject } from '../../core/json-schema.ts'
import { type YamlDoc, type YamlSource, readYaml } from '../yaml.ts'

export interface Front {
  value: Record<string, unknown>
  locate: YamlDoc['locate']
}

/** No line of YAML can be this: dashes inside a value cannot end the frontmatter. */
const closer = '---\u0000'

/**
 * gray-matter, contained: YAML is read by the yaml package alone, its script
 * engines throw (they would execute what stands in a note), and it always gets
 * options, without which it shares one cached result between all readers.
 */
export async function readFront(source: YamlSource, language: string): Promise<Front> {
  const [yaml, { default: matter }] = await Promise.all([import('yaml'), import('gray-matter')])
  const read: YamlDoc[] = []
  const engines = {
    // Its own cut of the text begins a line too early.
    yaml: () => {
      const doc = readYaml(yaml, source)
      read.push(doc)
      return asMapping(doc.value, source)
    },
    json: refuse(source, 'json'),
    js: refuse(source, 'js'),
    javascript: refuse(source, 'javascript'),
    coffee: refuse(source, 'coffee'),
  }
  if (!['', 'yaml', 'yml'].includes(language)) refuse(source, language)()
  const { data } = matter(`---\n${source.text}\n${closer}\n`, {
    engines,
    language: 'yaml',
    delimiters: ['---', closer],
  })
  const locate = read[0]?.locate ?? (() => ({ line: source.firstLine ?? 1, column: 1 }))
  return { value: asMapping(data, source), locate }
}

function refuse({ file }: YamlSource, language: string): () => never {
  return () => {
    throw new ClawError('config-invalid', `${file}:1:1: frontmatter is read as YAML only, not as ${language}`)
  }
}

function asMapping(value: unknown, { file, firstLine = 1 }: YamlSource): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  if (isObject(value)) return value
  throw new ClawError('config-invalid', `${file}:${firstLine}:1: the frontmatter must be a mapping of keys`)
}
