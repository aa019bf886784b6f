/**
 * The keyboard on the field (docs/product.md#5.14): a focused figure moves, turns, resizes, opens and is removed; M
 * points; space pans.
 */
import type { KeyboardEvent as ReactKeyboardEvent } from 'react';
import { isTypedIn } from '../../../../ui/isTypedIn.ts';
import { allowedPlace } from '../figures/reach.ts';
import { samePlace } from '../geometry.ts';
import type { Place } from '../geometry.ts';
import { idIn } from '../figures/figureElement.ts';
import type { FieldCamera } from '../camera/fieldCamera.ts';
import { reachOn } from '../figures/figureExtent.ts';
import type { FieldHands } from './fieldHands.ts';
import type { FieldRenderer } from '../fieldRenderer.ts';
import type { FieldViewProps, KeyAct } from '../fieldViewTypes.ts';

const STEP = 10;
const STEP_FAR = 50;
const TURN_DEGREES = 15;
const TURN_FAR_DEGREES = 45;
const SCALE_STEP = 0.1;

/** The place to which a key leads, and its action; null for any other key. */
function stepOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>,
  place: Place,
): { kind: KeyAct; place: Place } | null {
  const far = event.shiftKey ? STEP_FAR : STEP;
  switch (event.key) {
    case 'ArrowLeft':
      return { kind: 'move', place: { ...place, x: place.x - far } };
    case 'ArrowRight':
      return { kind: 'move', place: { ...place, x: place.x + far } };
    case 'ArrowUp':
      return { kind: 'move', place: { ...place, y: place.y - far } };
    case 'ArrowDown':
      return { kind: 'move', place: { ...place, y: place.y + far } };
  }
  // The keys left and right of the brackets differ between layouts: the physical key counts too.
  const bracket =
    event.key === '[' || event.code === 'BracketLeft' ? -1 : event.key === ']' || event.code === 'BracketRight' ? 1 : 0;
  if (bracket !== 0)
    return {
      kind: 'turn',
      place: { ...place, rotation: place.rotation + bracket * (event.shiftKey ? TURN_FAR_DEGREES : TURN_DEGREES) },
    };
  const size = event.key === '+' || event.key === '=' ? 1 : event.key === '-' || event.key === '_' ? -1 : 0;
  // Whole tenths, so that ten steps up and ten down end where they began.
  if (size !== 0)
    return { kind: 'scale', place: { ...place, scale: Math.round((place.scale + size * SCALE_STEP) * 100) / 100 } };
  return null;
}

interface Options {
  renderer: FieldRenderer;
  camera: FieldCamera;
  hands: FieldHands;
  root: () => HTMLElement | null;
  /** What the field was last drawn with. */
  props: () => FieldViewProps;
}

/**
 * Makes the keyboard of one field. `listen` handles the keys of the whole document, `keyDown` and `keyUp` those of the
 * field. Steps are in field units: 10, with Shift 50; turns in degrees: 15, with Shift 45.
 */
export function createFieldKeys({ renderer, camera, hands, root, props }: Options) {
  let hovered = false;
  /** Where the last key was pressed, ignoring its repeats; null on the background. */
  let pressedOn: number | null = null;
  const figureOf = (id: number) => props().figures.find((figure) => figure.id === id);
  const near = () => hovered || root()?.contains(document.activeElement) === true;

  return {
    /** Takes whether the mouse is over the field. Its keys then work wherever the focus is. */
    hover(over: boolean) {
      hovered = over;
    },

    /** Keys of the whole document. Returns a function that stops listening. */
    listen() {
      const down = (event: KeyboardEvent) => {
        if (event.key === 'Escape' && !hands.isIdle()) hands.act({ type: 'giveUp' });
        if (event.defaultPrevented || !near() || isTypedIn(event.target)) return;
        if (event.key === ' ') hands.space(true);
        const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
        if (event.key.toLowerCase() === 'm' && plain && !event.repeat) {
          event.preventDefault();
          props().onPointingChange?.(!props().pointing);
        }
      };
      const up = (event: KeyboardEvent) => {
        if (event.key === ' ') hands.space(false);
      };
      const blur = () => hands.space(false);
      document.addEventListener('keydown', down);
      document.addEventListener('keyup', up);
      window.addEventListener('blur', blur);
      return () => {
        document.removeEventListener('keydown', down);
        document.removeEventListener('keyup', up);
        window.removeEventListener('blur', blur);
      };
    },

    /** A key on the field or one of its figures. */
    keyDown(event: ReactKeyboardEvent) {
      if (isTypedIn(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      // Marks at the edge are plain buttons.
      if (idIn(event.target, 'outside') !== null) return;
      const id = idIn(event.target, 'figure');
      if (!event.repeat) pressedOn = id;
      // On the background the space bar pans and must not scroll the page.
      if (event.key === ' ') event.preventDefault();
      if (id === null) return;
      const figure = figureOf(id);
      const place = renderer.placeOf(id);
      if (!figure || !place) return;
      const { onKeyAct: report, onSelect, readOnly, selectedId } = props();
      if (event.key === 'Enter') {
        event.preventDefault();
        onSelect(id);
        report?.(id, 'open', place);
        return;
      }
      if (event.key === 'Escape') {
        // During a hold it cancels the hold (see the document's listener) and does nothing else.
        if (hands.isIdle() && selectedId !== null) onSelect(null);
        return;
      }
      if (event.key === 'Delete') {
        event.preventDefault();
        // The focus moves on to another figure: a held key removes only one.
        if (!readOnly && !event.repeat) report?.(id, 'remove', place);
        return;
      }
      if (!hands.movable(figure) || hands.holds(id)) return;
      const step = stepOf(event, place);
      if (!step) return;
      event.preventDefault();
      // The figure under a held key was removed, and the focus moved to the nearest one.
      if (id !== pressedOn) return;
      // Rotating moves nothing, wherever the figure is; a figure that grows at an edge moves away from it.
      const inField = allowedPlace(step.place);
      const allowed = step.kind === 'turn' ? inField : allowedPlace(inField, reachOn(figure, inField.scale));
      if (samePlace(allowed, place)) return;
      renderer.step(id, allowed);
      report?.(id, step.kind, allowed);
      camera.bringIntoView(figure, allowed);
    },

    keyUp(event: ReactKeyboardEvent) {
      const id = idIn(event.target, 'figure');
      if (event.key === ' ' && id !== null && !hands.pannedWithSpace()) props().onSelect(id);
    },
  };
}
