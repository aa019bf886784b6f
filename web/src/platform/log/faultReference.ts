/**
 * The reference of a fault: what a broken page shows and the log of this browser has (docs/product.md#12.1, 12.10), so
 * that the operator finds what a person tells of.
 */
const given = new WeakMap<object, string>();

/** Without letters and digits that look alike. */
const SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

/** Takes what was thrown. Returns the server's reference where there is one, else one of our own, always the same. */
export function faultReference(fault: unknown): string {
  const isObject = typeof fault === 'object' && fault !== null;
  if (isObject && 'reference' in fault && typeof fault.reference === 'string') return fault.reference;
  const known = isObject ? given.get(fault) : undefined;
  if (known !== undefined) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  const reference = Array.from(bytes, (byte) => SIGNS[byte % SIGNS.length]).join('');
  if (isObject) given.set(fault, reference);
  return reference;
}
