import { Command as Parser, CommanderError } from 'commander'
import { ClawError, exitCodes } from '../core/claw-error.ts'
import { actionable } from '../flows/actionable.ts'
import { findWorkspace } from '../flows/find-workspace.ts'
import type { RunPorts } from '../flows/ports.ts'
import type { Simulate } from '../flows/simulate.ts'
import type { World } from '../world/world.ts'
import type { Command, CommandContext, Globals, Options } from './command.ts'
import { Out } from './out.ts'
import { commands } from './table.ts'

export interface DispatchInput {
  world: World
  ports: RunPorts
  simulate?: Simulate
  version: string
  /** Without interpreter and script. */
  argv: readonly string[]
}

/** Runs one command line; resolves to its exit code and never rejects for what a person can cause. */
export async function dispatch({ world, ports, simulate, version, argv }: DispatchInput): Promise<number> {
  let exitCode: number = exitCodes.ok
  const program = rootParser(world, version)
  const groups = new Map<string, Parser>()
  for (const command of meant(argv)) {
    const parser = parserOf(program, groups, command)
    parser.action(async (...given: unknown[]) => {
      const args = given.slice(0, -2) as (string | undefined)[]
      exitCode = await act({
        world,
        ports,
        simulate,
        command,
        args,
        options: parser.opts(),
        globals: globalsOf(program),
      })
    })
  }
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return exitCodes.ok
    if (argv.includes('--json')) {
      const message = error.message.replace(/^error: /, '').split('\n')[0] ?? ''
      errorDocument(new Out(world.terminal, { json: true, quiet: false }), new ClawError('usage', message))
    }
    return exitCodes.usage
  }
}

/** With `--json` an error is a document as well. */
function errorDocument(out: Out, { code, message, hint, exitCode }: ClawError): void {
  out.result({ error: { code, message, hint: hint ?? null, exitCode } }, '')
}

function rootParser(world: World, version: string): Parser {
  const { terminal } = world
  const program = new Parser('claw')
    .description('A team of LLM agents that lives in a folder and is driven by the host scheduler.')
    .version(version, '-V, --version')
    .option('-C <dir>', 'the workspace; else CLAW_WORKSPACE, else the nearest parent with a claw.yaml')
    .option('--json', 'one JSON document on stdout')
    .option('--now <ISO>', 'the clock of this process; also CLAW_NOW')
    .option('--quiet', 'no progress on stderr')
  configure(program, world)
  program.helpCommand('help [command]', 'help for a command')
  program.addHelpText(
    'after',
    [
      '\nExit status: 0 ok, silent or skipped; 1 failed; 2 usage or configuration;',
      '3 timed out; 4 rejected; 5 waiting; 6 busy; 74 not known whether recorded;',
      '75 not recorded. See docs/exit-codes.md.',
    ].join('\n'),
  )
  program.configureOutput({
    getOutHelpWidth: () => terminal.columns,
    getErrHelpWidth: () => terminal.columns,
  })
  return program
}

function configure(parser: Parser, { terminal }: World): void {
  parser.exitOverride()
  parser.showSuggestionAfterError(true)
  parser.configureOutput({
    writeOut: text => terminal.out(text),
    writeErr: text => terminal.err(text.replace(/^error: /, 'claw: ')),
    outputError: (text, write) => write(text),
  })
}

function parserOf(program: Parser, groups: Map<string, Parser>, command: Command): Parser {
  const words = command.name.split(' ')
  let parent = program
  if (words.length > 1) {
    const group = words[0]!
    parent = groups.get(group) ?? groupParser(program, group)
    groups.set(group, parent)
    parent.exitOverride().copyInheritedSettings(program)
  }
  const parser = parent.command(`${words.at(-1)}${command.args ? ` ${command.args}` : ''}`)
  parser.summary(command.summary).description([command.summary, command.detail].filter(Boolean).join('\n\n'))
  for (const { flags, summary } of command.options ?? []) parser.option(flags, summary)
  parser.addHelpText('after', examplesText(command.examples))
  return parser
}

function groupParser(program: Parser, group: string): Parser {
  const members = commands.filter(command => command.name.startsWith(`${group} `))
  const verbs = members.map(command => command.name.slice(group.length + 1)).join(', ')
  const parser = program.command(group).description(`${group}: ${verbs}`)
  return parser.addHelpText('after', examplesText(members.flatMap(command => command.examples.slice(0, 1))))
}

function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map(line => `  ${line}`).join('\n')}\n\nOptions of every command: claw --help`
}

const takesValue = new Set(['-C', '--now'])

/** The commands that this line can mean: making the parser of one costs a start less than that of all. */
function meant(argv: readonly string[]): readonly Command[] {
  let at = 0
  while (argv[at]?.startsWith('-')) at += takesValue.has(argv[at]!) ? 2 : 1
  const found = commands.filter(command => command.name.split(' ')[0] === argv[at])
  return found.length > 0 ? found : commands
}

function globalsOf(program: Parser): Globals {
  const options = program.opts<{ C?: string; json?: boolean; quiet?: boolean }>()
  return { json: options.json ?? false, quiet: options.quiet ?? false, root: options.C }
}

interface ActInput {
  world: World
  ports: RunPorts
  simulate: Simulate | undefined
  command: Command
  args: (string | undefined)[]
  options: Options
  globals: Globals
}

async function act({ world, ports, simulate, command, args, options, globals }: ActInput): Promise<number> {
  const out = new Out(world.terminal, globals)
  const context: CommandContext = {
    world,
    out,
    globals,
    ports,
    simulate,
    root: () => findWorkspace(world, globals.root),
  }
  try {
    const action = await command.load()
    return (await action(context, args, options)) ?? exitCodes.ok
  } catch (error) {
    const problem = actionable(error)
    if (globals.json) errorDocument(out, problem)
    out.error(problem.message, problem.hint)
    return problem.exitCode
  }
}
