/*
 * undici parses with a small WebAssembly module. On Node 20 one answer already has
 * V8 optimise its one large function in the background, and a process waits for that
 * at its exit: 100 ms for a run of 200. The budget before it starts is read when the
 * module is made, so it is raised for that moment only, and as late as possible:
 * while flags differ, Node's own modules load without their code cache. Newer lines
 * do not wait, and an unknown flag would end the process, hence the exact version.
 */
const waitsAtExit = process.versions.node.startsWith('20.')
const budgetByDefault = 1_800_000
const budgetNeverUsed = 2_000_000_000

let isDone = !waitsAtExit

/** Called before the first connection of a process; the result restores the flag. */
export async function holdTierUp(): Promise<() => void> {
  if (isDone) return () => {}
  isDone = true
  const v8 = await import('node:v8')
  v8.setFlagsFromString(`--wasm-tiering-budget=${budgetNeverUsed}`)
  return () => v8.setFlagsFromString(`--wasm-tiering-budget=${budgetByDefault}`)
}
