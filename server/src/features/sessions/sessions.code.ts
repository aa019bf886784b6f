/** Codes for entering a room: short, without look-alikes, unpredictable. */
import { randomInt } from 'node:crypto';
import { CODE_ALPHABET, CODE_LENGTH } from '@fieldroom/contract/clients';

/** Makes a new code. Takes the number of characters, at least the contract's five. Source: docs/product.md#4.3. */
export function newCode(length: number = CODE_LENGTH): string {
  return Array.from(
    { length: Math.max(length, CODE_LENGTH) },
    () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)],
  ).join('');
}
