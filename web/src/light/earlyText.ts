/**
 * What people typed into a form that the server drew, before the page's script could hear it. Where the script draws
 * the form again instead of taking it over, text and focus go along.
 */
const typed = new Map<string, string>();
let focused: string | null = null;

/** Takes the root element, before it is drawn again. */
export function keepEarlyText(root: HTMLElement): void {
  for (const { name, value } of root.querySelectorAll('input')) if (value !== '') typed.set(name, value);
  if (document.activeElement instanceof HTMLInputElement) focused = document.activeElement.name;
}

/**
 * Takes an input as it was first drawn, and the value that the page knows. Returns what stands or stood in it instead;
 * null if it is the same. Gives it the focus that it had.
 */
export function takeEarlyText(input: HTMLInputElement, value: string): string | null {
  const text = input.value === value ? (typed.get(input.name) ?? value) : input.value;
  typed.delete(input.name);
  if (focused === input.name) {
    focused = null;
    input.focus();
  }
  return text === value ? null : text;
}
