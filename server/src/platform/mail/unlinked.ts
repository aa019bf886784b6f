/**
 * Words that mail and calendar programs make no link of. Programs turn `www.example.com`, `example.com/x` and
 * `a@example.com` into links by themselves, also in plain text, so whoever may type a name or a place into an email
 * could send people anywhere. What looks like an address is parted: `www. example. com`. Other words stay as they are.
 */

/** Dots as addresses know them: the full stop and those that browsers read as one (UTS 46). */
const DOTS = '.\u3002\uFF0E\uFF61';
const SEPARATORS = `${DOTS}:/@\\`;
const isLetter = (character: string | undefined) => character !== undefined && /^[\p{L}\p{M}]$/u.test(character);
const isWordPart = (character: string | undefined) =>
  character !== undefined && /^[\p{L}\p{M}\p{N}_-]$/u.test(character);

/** Whether a word holds what programs look for: `@`, a scheme, or a dot before an email within the word. */
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

/** Takes a text of any number of lines, returns it with what looks like an address parted; white space stays. */
export function unlinked(text: string): string {
  return text
    .split(/(\s+)/u)
    .map((part, index) => (index % 2 === 0 ? parted(part) : part))
    .join('');
}
