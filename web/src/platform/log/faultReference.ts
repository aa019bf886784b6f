/**
 * The reference of a fault: a broken page shows it and this browser's log contains it (docs/product.md#12.1, 12.10), so
 * that the operator can find what a person reports.
 */
const given = new WeakMap<object, string>();

/** Without letters and digits that look similar. */
const SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

/** Takes what was thrown. Returns the server's reference if there is one, otherwise our own, which stays the same. */
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
