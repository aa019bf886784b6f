/** The key in the query of that page, in the form in which it is searched for. The router reads digits as a number. */
export function keyIn(query: object): string {
  const { key } = query as { key?: unknown };
  return typeof key === 'string' || typeof key === 'number' ? String(key).trim().toLowerCase() : '';
}
