/**
 * Hands over from the sign-in form that the build has drawn (drawSignIn.tsx) to the app's: what was typed, where the
 * focus and the caret are, and what was pressed. It all happens in one task, so that no key falls between the two.
 */
import { removeDrawing } from './removeDrawing.ts';

/** The element around the drawing, with what public/earlySignIn.js notes on it. */
export interface Drawing extends HTMLElement {
  /** The buttons that were pressed. */
  pressed?: HTMLElement[];
  /** A press or a composed letter has begun and would break off. The event `released` tells that it is over. */
  isHeld?: boolean;
}

type Fill = (name: 'email' | 'password', value: string) => void;

/**
 * Takes over from the drawing, at once or as soon as nothing is held. The app's form has to stand in `#root`, hidden.
 * Takes how to fill a field. Returns how to wait no longer.
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
    // The app has put something into an empty one, or there is nothing to put.
    if (value) fill(name, value);
  }
  const focused = document.activeElement;
  const target = sameAs(focused);
  const selected = selectionIn(focused);
  // Shows the app. The focus goes from one form to the other without a stop, so that a phone's keyboard stays.
  document.documentElement.removeAttribute('data-drawn');
  target?.focus({ preventScroll: true });
  if (selected && target instanceof HTMLInputElement) select(target, selected);
  removeDrawing();
  const pressed = (drawing.pressed ?? []).map(sameAs);
  // Not within React's own work. The form is sent last, and once.
  const isSubmit = (button: HTMLElement | undefined) => button?.getAttribute('type') === 'submit';
  setTimeout(() => {
    for (const button of pressed) if (button && !isSubmit(button)) press(button);
    pressed.find(isSubmit)?.click();
  });
}

const controlsOf = (part: Element | null) => [...(part?.querySelectorAll<HTMLElement>('a, button, input') ?? [])];

/** By what a control is known in both: the app may have more of them by now. */
const keyOf = (control: Element) =>
  [control.tagName, ...['name', 'href', 'aria-label'].map((name) => control.getAttribute(name))]
    .concat(control.textContent)
    .join(' ');

/** Presses a button; some of Mantine's answer before the click. */
function press(button: HTMLElement): void {
  button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
  button.click();
}

type Selected = readonly [start: number, end: number];

/** What is selected in a field; null where the browser does not tell, which leaves the caret at the end. */
function selectionIn(field: Element | null): Selected | null {
  if (!(field instanceof HTMLInputElement)) return null;
  if (field.selectionStart !== null) return [field.selectionStart, field.selectionEnd ?? field.selectionStart];
  // Fields for addresses do not tell. In most browsers the document's selection goes on inside them.
  const selection = document.getSelection();
  if (!selection || !('modify' in selection)) return null;
  const text = selection.toString();
  const lengthTo = (direction: 'backward' | 'forward') => {
    selection.modify('extend', direction, 'lineboundary');
    return selection.toString().length;
  };
  // Both reach from where the selection began.
  const start = lengthTo('backward');
  if (start + lengthTo('forward') !== field.value.length) return null;
  return field.value.startsWith(text, start) ? [start, start + text.length] : [start - text.length, start];
}

/** Selects a part of a field, also in one for addresses, which allows it only while it is one for any text. */
function select(field: HTMLInputElement, [start, end]: Selected): void {
  const { type } = field;
  field.type = 'text';
  field.setSelectionRange(start, end);
  field.type = type;
}
