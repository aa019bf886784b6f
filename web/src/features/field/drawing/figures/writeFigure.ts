/** Writes the place of a figure into the elements that follow it. Names are written by nameWriter.ts. */
import { type Camera, screenRadius, toScreen, UNITS_PER_BOX } from '../geometry.ts';
import { svgNumber } from '../svgNumber.ts';
import type { FigureSlot } from './figureSlot.ts';
import { HELD_LIFT, HOLD_GAP, HOLDER, knobSize, RING_GAP } from './worn.ts';

const RINGS = ['ring', 'held', 'focus'] as const;

/** Radius (px) of the circle around a figure as it is drawn, at a zoom of `k` px a unit. */
export const drawnRadius = ({ radius, drawn, lifted }: FigureSlot, k: number) =>
  screenRadius(radius, drawn.scale, k) * (lifted ? HELD_LIFT : 1);

/** Writes an attribute only if it changes: the browser lays out and paints again even for the same value. */
function setChanged(element: Element | null | undefined, name: string, value: string) {
  if (element && element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Moves all parts of a figure to where it is drawn now. */
export function writeFigure(slot: FigureSlot, camera: Camera) {
  const { drawn, parts } = slot;
  const inField = `translate(${svgNumber(drawn.x)} ${svgNumber(drawn.y)}) rotate(${svgNumber(drawn.rotation)})`;
  if (parts.figure || parts.beam) {
    const sized = `${inField} scale(${(drawn.scale * UNITS_PER_BOX).toFixed(4)})`;
    parts.figure?.setAttribute('transform', sized);
    parts.beam?.setAttribute('transform', sized);
  }
  // Sight does not grow with its figure.
  parts.sight?.setAttribute('transform', inField);
  const at = toScreen(camera, drawn);
  const around = drawnRadius(slot, camera.k);
  const onScreen = `translate(${svgNumber(at.x)} ${svgNumber(at.y)})`;
  if (parts.shadow) parts.shadow.setAttribute('transform', `${onScreen} scale(${svgNumber(around)})`);
  for (const name of RINGS) {
    const part = parts[name];
    if (!part) continue;
    part.setAttribute('transform', onScreen);
    const r = around + (name === 'focus' ? RING_GAP + 5 : name === 'held' ? HOLD_GAP : RING_GAP);
    setChanged(part.firstElementChild, 'r', svgNumber(r));
    const follower = part.children[1];
    if (name === 'ring')
      setChanged(
        follower,
        'transform',
        `rotate(${svgNumber(drawn.rotation)}) translate(0 ${svgNumber(-r)}) scale(${svgNumber(knobSize(around))})`,
      );
    if (name === 'held') setChanged(follower, 'transform', `translate(0 ${svgNumber(-r - HOLDER.rise)})`);
  }
}
