/**
 * Hands over from the prerendered sign-in form (drawSignIn.tsx) to the app's: typed text, focus, caret and presses. It
 * all happens in one task, so that no key press is lost between the two.
 */
import { removeDrawing } from './removeDrawing.ts';

/** The element around the prerendered form, with the notes of public/earlySignIn.js. */
export interface Drawing extends HTMLElement {
  /** The buttons that were pressed. */
  pressed?: HTMLElement[];
  /** A press or a text composition is in progress and would be interrupted. The event `released` reports its end. */
  isHeld?: boolean;
}

type Fill = (name: 'email' | 'password', value: string) => void;

/**
 * Takes over from the prerendered form, at once or as soon as nothing is pressed. The app's form has to be in `#root`,
 * hidden. Takes a function that fills a field. Returns a function that stops waiting.
 */
export function takeOverDrawing(fill: Fill): () => void {
  const drawing = document.getElementById('drawn') as Drawing | null;
  if (!drawing) return () => {};
  const take = () => handOver(drawing, fill);
  if (drawing.isHeld) drawing.addEventListener('released', take, { once: true });
  else take();
  return () => drawing.removeEventListener('released', take);
}

function handOver(drawing: Drawing, fill: Fill): void {
  const controls = controlsOf(document.getElementById('root'));
  const sameAs = (drawn: Element | null) => {
    const key = drawn && drawing.contains(drawn) ? keyOf(drawn) : null;
    return controls.find((control) => keyOf(control) === key);
  };
  for (const name of ['email', 'password'] as const) {
    const { value } = drawing.querySelector<HTMLInputElement>(`[name="${name}"]`) ?? {};
    // The app has already filled an empty field, or there is nothing to fill in.
    if (value) fill(name, value);
  }
  const focused = document.activeElement;
  const target = sameAs(focused);
  const selected = selectionIn(focused);
  // Shows the app. The focus moves directly from one form to the other, so that a phone's keyboard stays open.
  document.documentElement.removeAttribute('data-drawn');
  target?.focus({ preventScroll: true });
  if (selected && target instanceof HTMLInputElement) select(target, selected);
  removeDrawing();
  const pressed = (drawing.pressed ?? []).map(sameAs);
  // Outside of React's own work. The form is sent last, and once.
  const isSubmit = (button: HTMLElement | undefined) => button?.getAttribute('type') === 'submit';
  setTimeout(() => {
    for (const button of pressed) if (button && !isSubmit(button)) press(button);
    pressed.find(isSubmit)?.click();
  });
}

const controlsOf = (part: Element | null) => [...(part?.querySelectorAll<HTMLElement>('a, button, input') ?? [])];

/** The key by which a control is known in both forms: the app may have more controls. */
const keyOf = (control: Element) =>
  [control.tagName, ...['name', 'href', 'aria-label'].map((name) => control.getAttribute(name))]
    .concat(control.textContent)
    .join(' ');

/** Presses a button; some of Mantine's buttons react before the click. */
function press(button: HTMLElement): void {
  button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
  button.click();
}

type Selected = readonly [start: number, end: number];

/** The selection in a field; null if the browser does not report it, which leaves the caret at the end. */
function selectionIn(field: Element | null): Selected | null {
  if (!(field instanceof HTMLInputElement)) return null;
  if (field.selectionStart !== null) return [field.selectionStart, field.selectionEnd ?? field.selectionStart];
  // Fields for addresses do not report it. In most browsers the document's selection includes them.
  const selection = document.getSelection();
  if (!selection || !('modify' in selection)) return null;
  const text = selection.toString();
  const lengthTo = (direction: 'backward' | 'forward') => {
    selection.modify('extend', direction, 'lineboundary');
    return selection.toString().length;
  };
  // Both reach from the start of the selection.
  const start = lengthTo('backward');
  if (start + lengthTo('forward') !== field.value.length) return null;
  return field.value.startsWith(text, start) ? [start, start + text.length] : [start - text.length, start];
}

/** Selects a range in a field. A field for addresses allows it only while its type is changed to text. */
function select(field: HTMLInputElement, [start, end]: Selected): void {
  const { type } = field;
  field.type = 'text';
  field.setSelectionRange(start, end);
  field.type = type;
}
