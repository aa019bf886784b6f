import { memo, useId } from 'react';
import type { ReactNode } from 'react';
import { BEAM_HALF_ANGLE, BEAM_LENGTH, HALO_LINE, LINE, customBox, shapeOf } from './shapes.ts';
import type { FigureKind, Paint } from './shapes.ts';
import { contrast, mix, toneOf } from './tones.ts';
import type { Scheme, Tone } from './tones.ts';

export interface FigureShapeProps {
  kind: FigureKind;
  /** Fill as `#RRGGBB`; the other tones follow from it. */
  tone: string;
  scheme: Scheme;
  /** Address of the therapist's own icon, for `CUSTOM` only. */
  iconUrl?: string | null | undefined;
  /** Stored size of that icon in px. */
  iconWidth?: number | undefined;
  iconHeight?: number | undefined;
}

// Chalk's face is as light as Chalk: there the back half takes the shade, or the direction of the gaze would be lost.
const backOf = (tone: Tone) => (contrast(tone.fill, tone.face) < 1.15 ? tone.shade : tone.fill);

function paintOf(paint: Paint, tone: Tone): string {
  if (paint === 'none') return 'none';
  return paint === 'back' ? backOf(tone) : tone[paint];
}

/**
 * One figure as SVG content around 0,0 in a 100×100 box, front up. It belongs in an `<svg>` that places, turns and
 * sizes it. A custom icon is shown as an image and never as markup, so that nothing inside it can run.
 */
export const FigureShape = memo(function FigureShape(props: FigureShapeProps): ReactNode {
  const { kind, scheme, iconUrl } = props;
  if (kind === 'CUSTOM') {
    const { width, height } = customBox(props.iconWidth, props.iconHeight);
    return iconUrl ? (
      <image href={iconUrl} x={-width / 2} y={-height / 2} width={width} height={height} />
    ) : (
      // While the address is missing, the square stays visible and can be dragged.
      <rect x={-width / 2} y={-height / 2} width={width} height={height} rx={12} fill={props.tone} fillOpacity={0.35} />
    );
  }
  const tone = toneOf(props.tone, scheme);
  const shape = shapeOf(kind);
  return (
    <g strokeLinejoin="round" strokeLinecap="round" strokeWidth={LINE}>
      <path d={shape.halo} fill={tone.halo} stroke={tone.halo} strokeWidth={HALO_LINE} />
      {shape.parts.map((part, index) => (
        <path key={index} d={part.d} fill={paintOf(part.paint, tone)} stroke={part.line ? tone[part.line] : 'none'} />
      ))}
      {shape.eyes.map(([x, y, r]) => (
        <circle key={x} cx={x} cy={y} r={r} fill={tone.eye} />
      ))}
    </g>
  );
});

export interface FigureIconProps extends FigureShapeProps {
  /** Width and height in px. */
  size: number;
  /** Degrees clockwise, 0 = looking up. */
  rotation?: number;
  /** Its name for screen readers; without one the icon is decoration. */
  title?: string;
  className?: string;
}

/** A figure on its own, for rails, lists and buttons. */
export const FigureIcon = memo(function FigureIcon({ size, rotation, title, className, ...shape }: FigureIconProps) {
  const { width, height } = customBox(shape.iconWidth, shape.iconHeight);
  // A large custom icon still fits into its square.
  const half = shape.kind === 'CUSTOM' ? Math.max(52, width / 2, height / 2) : 52;
  return (
    <svg
      width={size}
      height={size}
      viewBox={`${-half} ${-half} ${2 * half} ${2 * half}`}
      className={className}
      focusable="false"
      style={{ display: 'block', flex: 'none', overflow: 'visible' }}
      {...(title ? { role: 'img', 'aria-label': title } : { 'aria-hidden': true })}
    >
      <g transform={rotation ? `rotate(${rotation})` : undefined}>
        <FigureShape {...shape} />
      </g>
    </svg>
  );
});

const edge = (degrees: number) => {
  const a = (degrees * Math.PI) / 180;
  return `${(BEAM_LENGTH * Math.sin(a)).toFixed(2)} ${(-BEAM_LENGTH * Math.cos(a)).toFixed(2)}`;
};

/** The sector in which a figure looks, from 0,0 upwards, in box units. */
export const BEAM_PATH = `M0 0L${edge(-BEAM_HALF_ANGLE)}A${BEAM_LENGTH} ${BEAM_LENGTH} 0 0 1 ${edge(BEAM_HALF_ANGLE)}Z`;

/** The light of one colour, full at the body and fading to nothing at the end of the beam. Many beams may share one. */
export const BeamGradient = memo(function BeamGradient({
  id,
  tone,
  scheme,
}: {
  id: string;
  tone: string;
  scheme: Scheme;
}) {
  const { fill, face } = toneOf(tone, scheme);
  const dark = scheme === 'dark';
  // On the dark background a dark fill would swallow light instead of giving it.
  const colour = dark ? mix(fill, face, 0.5) : fill;
  const full = dark ? 0.34 : 0.36;
  return (
    <radialGradient id={id} gradientUnits="userSpaceOnUse" cx={0} cy={0} r={BEAM_LENGTH}>
      <stop offset={0.2} stopColor={colour} stopOpacity={full} />
      <stop offset={0.6} stopColor={colour} stopOpacity={full * 0.47} />
      <stop offset={1} stopColor={colour} stopOpacity={0} />
    </radialGradient>
  );
});

/** A beam with its own light, for pictures outside the field. */
export const Beam = memo(function Beam({ tone, scheme }: { tone: string; scheme: Scheme }) {
  const id = useId();
  return (
    <>
      <BeamGradient id={id} tone={tone} scheme={scheme} />
      <path d={BEAM_PATH} fill={`url(#${id})`} />
    </>
  );
});
