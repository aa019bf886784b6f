/** The parts of a drawn figure: beam, body, name, the shadow of a lifted figure, the ring of the selection. */
import { memo, useCallback } from 'react';
import type { ReactNode } from 'react';
import { BEAM_PATH, FigureShape } from '../../../../ui/figures/index.ts';
import type { FigureKind, Scheme } from '../../../../ui/figures/index.ts';
import { HOLDER, holderWidth, KNOB } from './worn.ts';
import { shortName } from '../../names/nameText.ts';
import type { PartName } from './figureSlot.ts';
import type { FieldRenderer } from '../fieldRenderer.ts';
import styles from './FigureParts.module.css';

// Created once, because figures are drawn many times a second.
const OWN_NAME = `${styles.name} ${styles.nameOwn}`;
const MOVABLE_FIGURE = `${styles.figure} ${styles.movable}`;

interface FollowerProps {
  renderer: FieldRenderer;
  id: number;
  part: PartName;
  children: ReactNode;
  className?: string | undefined;
}

/** A group that the renderer keeps with its figure; only the renderer writes its transform, never React. */
export function Follower({ renderer, id, part, children, className }: FollowerProps) {
  const ref = useCallback(
    (element: SVGGElement | null) => {
      renderer.attach(id, part, element);
      return () => renderer.attach(id, part, null);
    },
    [renderer, id, part],
  );
  return (
    <g ref={ref} className={className} data-part={part}>
      {children}
    </g>
  );
}

/** The gaze of a figure. `light` is the id of its colour's gradient. */
export const FigureBeam = memo(function FigureBeam({
  renderer,
  id,
  light,
}: {
  renderer: FieldRenderer;
  id: number;
  light: string;
}) {
  return (
    <Follower renderer={renderer} id={id} part="beam">
      <path d={BEAM_PATH} fill={`url(#${light})`} />
    </Follower>
  );
});

/** The name of a figure, as long as there is space around the figure. The renderer writes it, never React. */
export const FigureName = memo(function FigureName(props: { renderer: FieldRenderer; id: number; own: boolean }) {
  return (
    <Follower renderer={props.renderer} id={props.id} part="name" className={props.own ? OWN_NAME : styles.name}>
      <text />
    </Follower>
  );
});

/** The shadow below a lifted figure. `light` is the id of the shadow's gradient. */
export const HeldShadow = memo(function HeldShadow({
  renderer,
  id,
  light,
}: {
  renderer: FieldRenderer;
  id: number;
  light: string;
}) {
  return (
    <Follower renderer={renderer} id={id} part="shadow">
      <circle cx={0.09} cy={0.16} r={1.12} fill={`url(#${light})`} />
    </Follower>
  );
});

interface FigureBodyProps {
  renderer: FieldRenderer;
  id: number;
  kind: FigureKind;
  color: string;
  scheme: Scheme;
  iconUrl: string | null | undefined;
  iconWidth: number | undefined;
  iconHeight: number | undefined;
  label: string;
  selected: boolean;
  movable: boolean;
  lifted: boolean;
  describedBy: string | undefined;
}

/** The figure itself: it is visible, hit, focused and announced. */
export const FigureBody = memo(function FigureBody(props: FigureBodyProps) {
  const { renderer, id, label, selected, movable, lifted, describedBy, kind, color, ...look } = props;
  const ref = useCallback(
    (element: SVGGElement | null) => {
      renderer.attach(id, 'figure', element);
      return () => renderer.attach(id, 'figure', null);
    },
    [renderer, id],
  );
  return (
    <g
      ref={ref}
      role="button"
      tabIndex={0}
      aria-label={label}
      aria-pressed={selected}
      aria-describedby={movable ? describedBy : undefined}
      data-figure={id}
      className={movable ? MOVABLE_FIGURE : styles.figure}
    >
      <g className={lifted ? styles.lifted : undefined} data-mark={lifted ? 'lifted' : undefined}>
        <FigureShape kind={kind} tone={color} {...look} />
      </g>
    </g>
  );
});

/** Ring of the selected figure; with the rotation handle at its front if it may be moved. */
export const SelectionRing = memo(function SelectionRing({
  renderer,
  id,
  handle,
}: {
  renderer: FieldRenderer;
  id: number;
  handle: boolean;
}) {
  return (
    <Follower renderer={renderer} id={id} part="ring">
      <circle className={styles.ring} />
      <g>
        {handle && (
          <g data-turn={id} className={styles.handle}>
            <line y1={0} y2={KNOB.radius - KNOB.rise} />
            {/* A finger needs 44 px; only 16 of them are visible. */}
            <circle cy={-KNOB.rise} r={22} className={styles.handleReach} />
            <circle cy={-KNOB.rise} r={KNOB.radius} className={styles.handleKnob} />
          </g>
        )}
      </g>
    </Follower>
  );
});

/** The ring of the figure that has the keyboard's focus. */
export const FocusRing = memo(function FocusRing({ renderer, id }: { renderer: FieldRenderer; id: number }) {
  return (
    <Follower renderer={renderer} id={id} part="focus">
      <circle className={styles.focusRing} />
    </Follower>
  );
});

/** Dotted ring and the name of the holder. */
export const HeldRing = memo(function HeldRing({
  renderer,
  id,
  by,
}: {
  renderer: FieldRenderer;
  id: number;
  by: string;
}) {
  const width = holderWidth(by);
  return (
    <Follower renderer={renderer} id={id} part="held">
      <circle className={styles.heldRing} data-mark="held" />
      <g>
        {by !== '' && (
          <>
            <rect
              className={styles.pill}
              x={-width / 2}
              y={-HOLDER.height / 2}
              width={width}
              height={HOLDER.height}
              rx={HOLDER.height / 2}
            />
            <text className={styles.pillText} y={5}>
              {shortName(by)}
            </text>
          </>
        )}
      </g>
    </Follower>
  );
});
