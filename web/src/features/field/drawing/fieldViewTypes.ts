/** What the field view takes, what it tells, and what others can ask of it. */
import type { Relation } from '@fieldroom/contract/field';
import type { Ref } from 'react';
import type { FigureKind, Scheme } from '../../../ui/figures/index.ts';
import type { Place, Point } from './geometry.ts';
import type { FieldGround } from './ground.ts';

/** One figure as the field shows it; all words are prepared by the caller. */
export interface FigureOnField extends Place {
  id: number;
  name: string;
  iconType: FigureKind;
  iconUrl?: string | null;
  /** Stored size of a custom icon, px. */
  iconWidth?: number;
  iconHeight?: number;
  /** Fill as `#RRGGBB`. */
  color: string;
  /** Whether this figure's text is shown. */
  showText: boolean;
  order: number;
  /** Whether this person may move it now. */
  movable: boolean;
  /** The lines that start at it. */
  relations?: readonly Relation[];
  /** This person stands for it: the name is bold. */
  own?: boolean;
  /** Sentence for screen readers: name, kind, place, gaze. */
  label: string;
  /** Text under the figure. */
  caption: string;
}

export type KeyAct = 'move' | 'turn' | 'scale' | 'remove' | 'open';

/** `interrupted`: the right to move it was taken away during the hold; the figure stands where it was then. */
interface DropNote {
  interrupted: boolean;
}

export interface CameraView {
  /** 1 = the whole field fits. */
  zoom: number;
  /** What the camera follows when the box changes its size; `free` after the person zoomed or panned. */
  view: 'figures' | 'own' | 'free';
}

interface FieldViewTexts {
  /** Name of the field for screen readers. */
  field: string;
  /** How figures are moved by keys. */
  keyboardHelp: string;
  /** Name of the marks at the edge for figures out of view. */
  outside: string;
  /** What one of these marks does; takes the names of its figures. */
  show: (names: readonly string[]) => string;
}

export interface FieldViewHandle {
  /**
   * Another hand's position arrived; what is missing stays. `byName` shows the holder. Ignored for a figure in one's
   * own hand. A hand that is not heard of for HOLD_MS has let go, and so has a pointer.
   */
  moveLive(figureId: number, place: Partial<Place>, byName?: string): void;
  /** That hand let go; the figure stays until its stored place follows. */
  releaseLive(figureId: number): void;
  /** All other hands let go and all pointers go: after a gap nothing of what was heard before it is certain. */
  releaseOthers(): void;
  /**
   * Ends this person's drag without a drop (another hand took over) and glides back to the stored place. Takes the
   * figure to let go; without it, any.
   */
  releaseOwn(figureId?: number): void;
  /** Glides back to the stored place at once, when a drop or step was refused. */
  settle(figureId: number): void;
  /** Shows a person's pointer at a field point, or hides it with null. */
  setPointer(personId: number, name: string, at: Point | null): void;
  zoomIn(): void;
  zoomOut(): void;
  /** Shows every figure with its name, and the whole field where that is not smaller. */
  fit(): void;
  /** Fills the box with the field around this person's figure; shows every figure where they have none. */
  fitOwn(): void;
  /** Where a figure is drawn now, also while a hand moves it; null for an unknown one. */
  drawnAt(figureId: number): Place | null;
  /** Focuses a figure and brings it into view. */
  focusFigure(figureId: number): void;
  /** Focuses the figure nearest to one that goes, or the field where none is left. */
  focusBeside(figureId: number): void;
  /** Names keep away from an element over the field, by some px, until the returned function is called. */
  keepClear(element: Element, away?: number): () => void;
  /** A view of the figures also leaves an element over the field its place, until the returned function is called. */
  fitBeside(element: Element): () => void;
}

/**
 * While a figure did not change, give the same object, and the same functions always: the field is drawn by identity.
 */
export interface FieldViewProps {
  ref?: Ref<FieldViewHandle>;
  figures: readonly FigureOnField[];
  selectedId: number | null;
  onSelect: (figureId: number | null) => void;
  showBeams: boolean;
  showNames: boolean;
  /** Which of this person's figures is shown as theirs, where they stand for several; by default the first. */
  ownId?: number | null;
  /** The figure whose sight is shown. */
  sightId?: number | null;
  scheme: Scheme;
  reducedMotion: boolean;
  /** Nothing can be moved, whatever the figures say. */
  readOnly?: boolean;
  texts: FieldViewTexts;
  /** What lies behind the figures; null or nothing while nobody knows it. */
  ground?: FieldGround | null;
  /** Pointer mode. */
  pointing?: boolean;
  /** M was pressed over the field. */
  onPointingChange?: (pointing: boolean) => void;
  onGrab?: (figureId: number) => void;
  /** At most 30 times a second. */
  onDragMove?: (figureId: number, at: Point) => void;
  onDrop?: (figureId: number, place: Place, note: DropNote) => void;
  onTurnMove?: (figureId: number, rotation: number) => void;
  onTurnDrop?: (figureId: number, place: Place, note: DropNote) => void;
  /** While two fingers stretch a figure, and after (also after Alt + wheel over the selected figure). */
  onScaleMove?: (figureId: number, place: Place) => void;
  onScaleDrop?: (figureId: number, place: Place, note: DropNote) => void;
  /** One press of a key. `place` is where the figure stands after it (for `remove` and `open`: where it stands). */
  onKeyAct?: (figureId: number, kind: KeyAct, place: Place) => void;
  /**
   * At most 30 times a second while pointing, and again while it rests, so that it is not taken as gone; null when it
   * leaves.
   */
  onPointerMove?: (at: Point | null) => void;
  onBackgroundTap?: () => void;
  onCameraChange?: (view: CameraView) => void;
  className?: string;
}
