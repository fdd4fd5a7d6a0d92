/**
 * The same pure function of one text or number, which remembers its answers: at most
 * so many, then it begins anew. An answer is shared by all who ask, so that nobody
 * may change it.
 */
export function remembered<K extends string | number, V>(find: (key: K) => V, most: number): (key: K) => V {
  const answers = new Map<K, V>()
  return key => {
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = find(key)
    if (answers.size >= most) answers.clear()
    answers.set(key, answer)
    return answer
  }
}

/** Nothing in it can be changed any more: whoever tries gets an error. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
