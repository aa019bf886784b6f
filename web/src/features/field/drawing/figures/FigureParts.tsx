/** What a figure on the field is drawn of: beam, body, name, the shadow of a hand, the ring of the selection. */
import { memo, useCallback } from 'react';
import type { ReactNode } from 'react';
import { BEAM_PATH, FigureShape } from '../../../../ui/figures/index.ts';
import type { FigureKind, Scheme } from '../../../../ui/figures/index.ts';
import { HOLDER, holderWidth, KNOB } from './worn.ts';
import { shortName } from '../../names/nameText.ts';
import type { PartName } from './figureSlot.ts';
import type { FieldRenderer } from '../fieldRenderer.ts';
import styles from './FigureParts.module.css';

// Put together once, as figures are drawn many times a second.
const OWN_NAME = `${styles.name} ${styles.nameOwn}`;
const MOVABLE_FIGURE = `${styles.figure} ${styles.movable}`;

interface FollowerProps {
  renderer: FieldRenderer;
  id: number;
  part: PartName;
  children: ReactNode;
  className?: string | undefined;
}

/** A group that the renderer keeps with its figure; its transform belongs to the renderer, React never writes it. */
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

/** The name of a figure. The renderer writes it, as long as the room around the figure allows; React never does. */
export const FigureName = memo(function FigureName(props: { renderer: FieldRenderer; id: number; own: boolean }) {
  return (
    <Follower renderer={props.renderer} id={props.id} part="name" className={props.own ? OWN_NAME : styles.name}>
      <text />
    </Follower>
  );
});

/** The shadow below a figure that a hand has lifted. `light` is the id of the shadow's gradient. */
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

/** The figure itself: what is seen, hit, focused and announced. */
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

/** Ring of the selected figure; with the turning handle at its front where it may be moved. */
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
            {/* A finger needs 44 px; only 16 of them are seen. */}
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

/** Dotted ring and the name of who holds the figure. */
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
