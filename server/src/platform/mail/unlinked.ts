/**
 * Writes words so that mail and calendar programs make no link of them. Programs turn `www.example.com`,
 * `example.com/x` and `a@example.com` into links by themselves, also in plain text, so anybody who may type a name or a
 * place into an email could send people anywhere. Spaces separate what looks like an address: `www. example. com`.
 * Other words stay as they are.
 */

/** Dots in addresses: the full stop and those that browsers treat as one (UTS 46). */
const DOTS = '.\u3002\uFF0E\uFF61';
const SEPARATORS = `${DOTS}:/@\\`;
const isLetter = (character: string | undefined) => character !== undefined && /^[\p{L}\p{M}]$/u.test(character);
const isWordPart = (character: string | undefined) =>
  character !== undefined && /^[\p{L}\p{M}\p{N}_-]$/u.test(character);

/** Whether a word contains what programs look for: `@`, a scheme, or a dot before a letter within the word. */
function looksLikeAddress(characters: readonly string[]): boolean {
  return characters.some((character, index) => {
    if (character === '@') return true;
    if (character === '/' || character === '\\') return characters[index + 1] === '/' || characters[index + 1] === '\\';
    return DOTS.includes(character) && isWordPart(characters[index - 1]) && isLetter(characters[index + 1]);
  });
}

function parted(word: string): string {
  const characters = [...word];
  if (!looksLikeAddress(characters)) return word;
  return characters
    .map((character, index) => {
      const next = characters[index + 1];
      return SEPARATORS.includes(character) && next !== undefined && !SEPARATORS.includes(next)
        ? `${character} `
        : character;
    })
    .join('');
}

/**
 * Takes a text of any number of lines. Returns it with spaces in what looks like an address; other white space stays.
 */
export function unlinked(text: string): string {
  return text
    .split(/(\s+)/u)
    .map((part, index) => (index % 2 === 0 ? parted(part) : part))
    .join('');
}
