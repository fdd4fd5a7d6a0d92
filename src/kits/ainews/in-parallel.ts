/** Applies `work` to every member, at most `workers` at a time; results in the order of the members. */
export async function inParallel<T, R>(
  members: readonly T[],
  workers: number,
  work: (member: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < members.length) {
      const index = next++
      results[index] = await work(members[index]!, index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, members.length) }, worker))
  return results
}
