/** The simulated process is gone. Never caught by product code: whatever it tries next throws again. */
export class ProcessDeath extends Error {
  constructor(where: string) {
    super(`the process died at ${where}`)
    this.name = 'ProcessDeath'
  }
}
