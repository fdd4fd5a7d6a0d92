/** One line on stderr that is written over on a terminal, and now and then anew elsewhere. */
export function progressOf(what: string, total: () => number): (done: number) => void {
  const { isTTY } = process.stderr
  return done => {
    const isLast = done === total()
    if (isTTY) process.stderr.write(`\r${what} ${done}/${total()}${isLast ? '\n' : ''}`)
    else if (done % 100 === 0 || isLast) process.stderr.write(`${what} ${done}/${total()}\n`)
  }
}
