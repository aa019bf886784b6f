/**
 * Mouse, finger, pen and wheel on the field: from pointer events through the pure gestures of gesture.ts to the
 * renderer and the caller. Nothing here draws; React is told only of picked-up and dropped figures.
 */
import { HOLD_MS, SCALE_MAX, SCALE_MIN } from '@fieldroom/contract/field';
import type { MouseEvent as ReactMouseEvent, PointerEvent as ReactPointerEvent } from 'react';
import {
  FIELD_HEIGHT,
  FIELD_WIDTH,
  clamp,
  directionOf,
  nearest,
  round1,
  screenRadius,
  shortestTurn,
  toField,
  toScreen,
} from '../geometry.ts';
import { allowedPlace } from '../figures/reach.ts';
import { pinchCamera, zoomAt } from '../camera/zoomAndPan.ts';
import type { Place, Point } from '../geometry.ts';
import { idIn } from '../figures/figureElement.ts';
import { IDLE, hand as handStep } from './gesture.ts';
import type { Action, Hand, HandEvent, Hit } from './gesture.ts';
import { radiusOf, reachOn } from '../figures/figureExtent.ts';
import type { FieldCamera } from '../camera/fieldCamera.ts';
import type { FieldRenderer } from '../fieldRenderer.ts';
import { createThrottle } from './throttle.ts';
import type { FieldViewProps, FigureOnField } from '../fieldViewTypes.ts';

const SEND_MS = 34;
/** A finger this near (px) to a figure means it. */
const FINGER_REACH = 18;
/** A size given by the wheel is stored when the wheel has rested this long. */
const WHEEL_REST_MS = 250;
/** A resting pointer is sent again this often: others remove it after HOLD_MS without a message. */
const POINT_AGAIN_MS = HOLD_MS / 3;

interface Options {
  renderer: FieldRenderer;
  camera: FieldCamera;
  root: () => HTMLElement | null;
  /** What the field was last drawn with. */
  props: () => FieldViewProps;
  /** This person picked up a figure, or (null) dropped it. */
  onHold: (figureId: number | null) => void;
  onPanning: (panning: boolean) => void;
  /** The mark at the edge that begins with this figure was tapped. */
  onMark: (figureId: number) => void;
  /** This person has finished with a pressed figure: it was tapped, or dragged. */
  onDone: (figureId: number, carried: boolean) => void;
}

export type FieldHands = ReturnType<typeof createFieldHands>;

/**
 * Makes the pointer handling of one field. Returns the handlers of its pointer and wheel events. Places are sent at
 * most 30 times a second; the drop is reported once, with whether it was interrupted (docs/product.md#5.6, 5.10).
 */
export function createFieldHands({ renderer, camera, root, props, onHold, onPanning, onMark, onDone }: Options) {
  let hand: Hand = IDLE;
  let grip: { id: number; dx: number; dy: number; start: Place; place: Place } | null = null;
  /** Size and rotation of a two-finger stretch before rounding. */
  let stretched: { scale: number; rotation: number } | null = null;
  let scaling: { id: number; place: Place; timer: ReturnType<typeof setTimeout> } | null = null;
  /** The mark at the edge on which the pointer was pressed: a tap activates it, a drag pans as anywhere else. */
  let pressedMark: number | null = null;
  let spaceDown = false;
  let spacePanned = false;
  let pansNow = false;
  let lastPointer = 'mouse';

  const sendDrag = createThrottle<{ kind: 'drag' | 'turn' | 'stretch'; id: number; place: Place }>(
    SEND_MS,
    ({ kind, id, place }) => {
      if (kind === 'drag') props().onDragMove?.(id, { x: place.x, y: place.y });
      else if (kind === 'turn') props().onTurnMove?.(id, place.rotation);
      else props().onScaleMove?.(id, place);
    },
  );
  let pointAgain: ReturnType<typeof setTimeout> | undefined;
  const sendPoint = createThrottle<Point>(SEND_MS, (at) => {
    props().onPointerMove?.(at);
    clearTimeout(pointAgain);
    pointAgain = setTimeout(() => sendPoint.push(at), POINT_AGAIN_MS);
  });

  const figureOf = (id: number) => props().figures.find((figure) => figure.id === id);
  const movable = (figure: FigureOnField | undefined) => figure !== undefined && figure.movable && !props().readOnly;

  function hitAt(target: EventTarget | null, at: Point, pointer: string): Hit {
    const turn = idIn(target, 'turn');
    if (turn !== null) return { on: 'turn', figureId: turn };
    let id = idIn(target, 'figure');
    if (id === null && pointer === 'touch') {
      const seen = renderer.camera();
      const circles = props().figures.flatMap((figure) => {
        const place = renderer.drawnAt(figure.id);
        if (!place) return [];
        return [
          {
            id: figure.id,
            ...toScreen(seen, place),
            radius: screenRadius(radiusOf(figure), place.scale, seen.k) * 0.8,
          },
        ];
      });
      id = nearest(circles, at, FINGER_REACH)?.id ?? null;
    }
    if (id === null) return { on: 'ground' };
    return { on: 'figure', figureId: id, movable: movable(figureOf(id)), selected: props().selectedId === id };
  }

  function take(id: number, at: Point | null) {
    const start = renderer.take(id);
    if (!start) return;
    const from = at ? toField(renderer.camera(), at) : start;
    grip = { id, dx: start.x - from.x, dy: start.y - from.y, start, place: allowedPlace(start) };
    onHold(id);
    props().onGrab?.(id);
  }

  function carry(kind: 'drag' | 'turn' | 'stretch', id: number, place: Place) {
    const figure = figureOf(id);
    if (grip?.id !== id || !figure) return;
    // Rotating moves nothing, wherever the figure is.
    grip.place = allowedPlace(place, kind === 'turn' ? undefined : reachOn(figure, place.scale));
    renderer.put(id, grip.place);
    sendDrag.push({ kind, id, place: grip.place });
  }

  function drop(id: number, how: 'released' | 'interrupted' | 'givenUp', report: FieldViewProps['onDrop']) {
    sendDrag.drop();
    const held = grip;
    grip = null;
    onHold(null);
    onDone(id, true);
    if (held?.id !== id) return;
    const place = how === 'givenUp' ? allowedPlace(held.start) : held.place;
    renderer.releaseOwn(id, place);
    if (figureOf(id)) report?.(id, place, { interrupted: how === 'interrupted' });
  }

  function perform(action: Action) {
    const given = props();
    switch (action.do) {
      case 'tapFigure':
        given.onSelect(action.figureId);
        onDone(action.figureId, false);
        break;
      case 'tapGround':
        if (pressedMark === null) given.onBackgroundTap?.();
        else onMark(pressedMark);
        break;
      case 'fit':
        camera.fit('figures', true);
        break;
      case 'grab':
        take(action.figureId, action.at);
        break;
      case 'drag': {
        if (!grip) break;
        const at = toField(renderer.camera(), action.at);
        carry('drag', action.figureId, { ...grip.place, x: at.x + grip.dx, y: at.y + grip.dy });
        break;
      }
      case 'drop':
        drop(action.figureId, action.how, given.onDrop);
        break;
      case 'turnStart':
      case 'stretchStart':
        take(action.figureId, null);
        break;
      case 'turn': {
        if (!grip) break;
        const middle = toScreen(renderer.camera(), grip.place);
        const rotation = directionOf(action.at.x - middle.x, action.at.y - middle.y);
        carry('turn', action.figureId, { ...grip.place, rotation: Math.round(rotation) });
        break;
      }
      case 'turnDrop':
        drop(action.figureId, action.how, given.onTurnDrop);
        break;
      case 'stretch': {
        if (!grip) break;
        const [a, b] = action.from;
        const [c, d] = action.to;
        const apart = Math.max(1, Math.hypot(b.x - a.x, b.y - a.y));
        const turned = shortestTurn(directionOf(b.x - a.x, b.y - a.y), directionOf(d.x - c.x, d.y - c.y));
        // Unrounded sums: many small steps must not be lost by rounding one by one.
        const next = { ...grip.place, ...stretched };
        next.scale = clamp(next.scale * (Math.hypot(d.x - c.x, d.y - c.y) / apart), SCALE_MIN, SCALE_MAX);
        next.rotation += turned;
        stretched = { scale: next.scale, rotation: next.rotation };
        carry('stretch', action.figureId, next);
        break;
      }
      case 'stretchDrop':
        stretched = null;
        drop(action.figureId, action.how, given.onScaleDrop);
        break;
      case 'pan': {
        const seen = renderer.camera();
        spacePanned = true;
        camera.look({ ...seen, tx: seen.tx + action.dx, ty: seen.ty + action.dy }, 'free');
        break;
      }
      case 'pinch':
        camera.look(pinchCamera(renderer.camera(), camera.size(), action.from, action.to), 'free');
        break;
      case 'pointEnd':
        pointEnd();
        break;
    }
  }

  function act(event: HandEvent) {
    const wasClosed = hand.state.in !== 'idle';
    const [next, actions] = handStep(hand, event);
    hand = next;
    for (const action of actions) perform(action);
    if (wasClosed && next.state.in === 'idle') camera.handOpened();
    const pans = next.state.in === 'pan' || next.state.in === 'pinch';
    if (pans === pansNow) return;
    pansNow = pans;
    onPanning(pans);
  }

  /** Takes the named pointer from the others' screens. */
  function pointEnd() {
    sendPoint.drop();
    clearTimeout(pointAgain);
    props().onPointerMove?.(null);
  }

  return {
    act,
    movable,
    pointEnd,
    holds: (figureId: number) => grip?.id === figureId,
    isIdle: () => hand.state.in === 'idle',
    lastPointer: () => lastPointer,

    /** The space bar is pressed or released; `pannedWithSpace` reports whether it was used to pan in between. */
    space(down: boolean) {
      if (down && !spaceDown) spacePanned = false;
      spaceDown = down;
    },
    pannedWithSpace: () => spacePanned,

    /**
     * Ends the drag without a drop and glides back to the stored place. Takes the figure, if it matters which one is
     * held.
     */
    release(only?: number) {
      if (grip === null || (only !== undefined && grip.id !== only)) return;
      const figureId = grip.id;
      grip = null;
      stretched = null;
      sendDrag.drop();
      renderer.settle(figureId);
      onHold(null);
      onDone(figureId, true);
      act({ type: 'taken', figureId });
    },

    pointerDown(event: ReactPointerEvent<HTMLElement>) {
      lastPointer = event.pointerType;
      if (event.button !== 0 && event.button !== 1) return;
      const at = camera.local(event.clientX, event.clientY);
      const pointer = event.pointerType === 'touch' || event.pointerType === 'pen' ? event.pointerType : 'mouse';
      pressedMark = idIn(event.target, 'outside');
      const hit: Hit = pressedMark === null ? hitAt(event.target, at, pointer) : { on: 'ground' };
      // The middle button must pan instead of starting the browser's own scrolling.
      if (event.button === 1) event.preventDefault();
      root()?.setPointerCapture(event.pointerId);
      act({
        type: 'down',
        id: event.pointerId,
        pointer,
        at,
        time: event.timeStamp,
        hit,
        panning: spaceDown || event.button === 1,
        pointing: props().pointing === true && pointer === 'touch',
      });
    },

    /**
     * A figure that a mouse presses gets the focus only after the press or drag. Its element is replaced at the grab
     * and at the drop; with the focus, each of these frames would lay out the page again.
     */
    mouseDown(event: ReactMouseEvent<HTMLElement>) {
      const id = idIn(event.target, 'figure');
      if (lastPointer !== 'mouse' || event.button !== 0 || id === null || !movable(figureOf(id))) return;
      event.preventDefault();
      // The present focus ends as with any press: typed text is stored.
      if (document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement)
        document.activeElement.blur();
    },

    pointerMove(event: ReactPointerEvent<HTMLElement>) {
      const { pointing } = props();
      if (hand.state.in === 'idle' && !pointing) return;
      const at = camera.local(event.clientX, event.clientY);
      const before = hand.state.in;
      if (before !== 'idle') act({ type: 'move', id: event.pointerId, at });
      if (pointing && before !== 'pinch' && before !== 'stretch') {
        const point = toField(renderer.camera(), at);
        sendPoint.push({ x: round1(clamp(point.x, 0, FIELD_WIDTH)), y: round1(clamp(point.y, 0, FIELD_HEIGHT)) });
      }
    },

    pointerUp(event: ReactPointerEvent<HTMLElement>) {
      act({ type: 'up', id: event.pointerId, at: camera.local(event.clientX, event.clientY), time: event.timeStamp });
    },

    pointerLost(event: ReactPointerEvent<HTMLElement>) {
      act({ type: 'cancel', id: event.pointerId });
    },

    /** Zooms or pans; with Alt it resizes the selected figure. */
    wheel(event: WheelEvent) {
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? camera.size().height : 1;
      const { selectedId } = props();
      const figure = selectedId === null ? undefined : figureOf(selectedId);
      if (event.altKey && selectedId !== null && figure && movable(figure)) {
        const base = scaling?.id === selectedId ? scaling.place : renderer.placeOf(selectedId);
        if (!base) return;
        clearTimeout(scaling?.timer);
        const scale = clamp(base.scale * Math.exp(-event.deltaY * unit * 0.0015), SCALE_MIN, SCALE_MAX);
        const place = allowedPlace({ ...base, scale }, reachOn(figure, scale));
        renderer.step(selectedId, place);
        // Stored once the wheel rests, not at each of its clicks.
        const timer = setTimeout(() => {
          scaling = null;
          props().onScaleDrop?.(selectedId, place, { interrupted: false });
        }, WHEEL_REST_MS);
        scaling = { id: selectedId, place, timer };
        return;
      }
      const seen = renderer.camera();
      // A mouse's wheel has large whole steps and zooms; a trackpad's fine steps pan, its pinch has ctrl.
      const wheelOfMouse = event.deltaX === 0 && Math.abs(event.deltaY * unit) >= 100 && Number.isInteger(event.deltaY);
      if (event.ctrlKey || event.metaKey || wheelOfMouse) {
        const strength = event.ctrlKey && !wheelOfMouse ? 0.01 : 0.0016;
        const factor = Math.exp(-clamp(event.deltaY * unit, -240, 240) * strength);
        camera.look(zoomAt(seen, camera.size(), camera.local(event.clientX, event.clientY), factor), 'free');
      } else {
        const sideways = event.shiftKey && event.deltaX === 0;
        const dx = (sideways ? event.deltaY : event.deltaX) * unit;
        const dy = (sideways ? 0 : event.deltaY) * unit;
        camera.look({ ...seen, tx: seen.tx - dx, ty: seen.ty - dy }, 'free');
      }
    },

    stop() {
      sendDrag.drop();
      sendPoint.drop();
      clearTimeout(pointAgain);
      clearTimeout(scaling?.timer);
    },
  };
}
