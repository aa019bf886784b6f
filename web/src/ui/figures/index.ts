export { Beam, BeamGradient, BEAM_PATH, FigureIcon, FigureShape } from './FigureShape.tsx';
export { Logo, Rings, ringRadius } from './Brand.tsx';
export { boundingRadius } from './shapes.ts';
export type { DrawnKind, FigureKind } from './shapes.ts';
export { type Scheme, toneOf } from './tones.ts';
