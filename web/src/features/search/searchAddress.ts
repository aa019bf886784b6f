/** The key in the query of the results page, in its searchable form. The router reads digits as a number. */
export function keyIn(query: object): string {
  const { key } = query as { key?: unknown };
  return typeof key === 'string' || typeof key === 'number' ? String(key).trim().toLowerCase() : '';
}
