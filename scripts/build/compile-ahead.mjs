// Commands that are run once, for what they load and for the code that V8 makes of it.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What is run most: by a person, by the host's scheduler, with a model on the network and without. */
const commands = {
  status: ['status'],
  job: ['run', 'zoe', 'daily-backup'],
  turn: ['run', 'zoe', '-m', 'ready?'],
}

/**
 * Runs each command in a workspace of its own, twice: the second time it keeps beside each file of
 * `dist` that it loaded the code that was compiled. Calls `after(name)` when one is done.
 */
export async function compileAhead(dist, after) {
  const folder = mkdtempSync(join(tmpdir(), 'claw-build-'))
  const server = createServer(answer)
  try {
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
    const claw = (argv, env) => run([join(dist, 'main.js'), ...argv], env)
    await claw(['init', folder, '--template', 'solo'])
    const provider = `{api: openai-chat, baseUrl: "http://127.0.0.1:${server.address().port}/v1"}`
    const models = `{providers: {build: ${provider}}, chains: {main: [build/build]}}`
    writeFileSync(join(folder, 'claw.yaml'), `team: build\ntimezone: UTC\nmodels: ${models}\n`)
    for (const [name, argv] of Object.entries(commands)) {
      await claw(['-C', folder, ...argv])
      await claw(['-C', folder, ...argv], { CLAW_CODE_CACHE: 'write' })
      after(name)
    }
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A model that says one word. */
function answer(request, response) {
  request.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const piece = (delta, finish) => ({ choices: [{ index: 0, delta, finish_reason: finish }] })
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  for (const event of [piece({ content: 'ready' }, null), piece({}, 'stop'), { choices: [], usage }]) {
    response.write(`data: ${JSON.stringify(event)}\n\n`)
  }
  response.end('data: [DONE]\n\n')
}

function run(argv, env = {}) {
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  })
  let said = ''
  child.stderr.on('data', chunk => (said += chunk))
  return new Promise((resolve, reject) => {
    child.on('close', code =>
      code === 0 ? resolve() : reject(new Error(`claw ${argv.slice(1).join(' ')}: exit ${code}\n${said}`)),
    )
  })
}
