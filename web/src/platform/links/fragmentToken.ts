/**
 * Email links carry their token in the fragment, which never reaches a server's log (docs/product.md#3.9). The token is
 * read once and taken out of the address bar, so that no screenshot and no history keeps it.
 */
export function takeFragmentToken(
  place: Pick<Location, 'hash' | 'pathname' | 'search'> = window.location,
): string | null {
  const raw = place.hash.replace(/^#/, '');
  const token = new URLSearchParams(raw).get('token') ?? (/^[\w-]{20,200}$/.test(raw) ? raw : null);
  if (raw !== '') window.history.replaceState(window.history.state, '', place.pathname + place.search);
  return token;
}
