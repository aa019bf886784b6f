/** The field view's props, events and handle. */
import type { Relation } from '@fieldroom/contract/field';
import type { Ref } from 'react';
import type { FigureKind, Scheme } from '../../../ui/figures/index.ts';
import type { Place, Point } from './geometry.ts';
import type { FieldGround } from './ground.ts';

/** One figure as the field shows it; the caller prepares all words. */
export interface FigureOnField extends Place {
  id: number;
  name: string;
  iconType: FigureKind;
  iconUrl?: string | null;
  /** Stored size of an own icon, px. */
  iconWidth?: number;
  iconHeight?: number;
  /** Fill as `#RRGGBB`. */
  color: string;
  /** Whether this figure's text is shown. */
  showText: boolean;
  order: number;
  /** Whether this person may move it now. */
  movable: boolean;
  /** The relations that start at it. */
  relations?: readonly Relation[];
  /** This person has its role: the name is bold. */
  own?: boolean;
  /** Sentence for screen readers: name, kind, place, gaze. */
  label: string;
  /** Text under the figure. */
  caption: string;
}

export type KeyAct = 'move' | 'turn' | 'scale' | 'remove' | 'open';

/**
 * `interrupted`: the permission to move it was withdrawn during the hold; the figure is where it was at that moment.
 */
interface DropNote {
  interrupted: boolean;
}

export interface CameraView {
  /** 1 = the whole field fits. */
  zoom: number;
  /** The view that the camera follows when the box is resized; `free` after the person zoomed or panned. */
  view: 'figures' | 'own' | 'free';
}

interface FieldViewTexts {
  /** Name of the field for screen readers. */
  field: string;
  /** How figures are moved by keys. */
  keyboardHelp: string;
  /** Name of the marks at the edge for figures out of view. */
  outside: string;
  /** The action of one of these marks; takes the names of its figures. */
  show: (names: readonly string[]) => string;
}

export interface FieldViewHandle {
  /**
   * A position from another person's drag; missing parts stay. `byName` shows the holder. Ignored for a figure that
   * this person drags. A drag without messages for HOLD_MS has ended, and so has a pointer.
   */
  moveLive(figureId: number, place: Partial<Place>, byName?: string): void;
  /** That drag ended; the figure stays until its stored place follows. */
  releaseLive(figureId: number): void;
  /** All other drags and pointers end: after a gap earlier messages may be outdated. */
  releaseOthers(): void;
  /**
   * Ends this person's drag without a drop (somebody else took over) and glides back to the stored place. Takes the
   * figure to release; without it, any.
   */
  releaseOwn(figureId?: number): void;
  /** Glides back to the stored place at once, when a drop or step was refused. */
  settle(figureId: number): void;
  /** Shows a person's pointer at a field point, or hides it with null. */
  setPointer(personId: number, name: string, at: Point | null): void;
  zoomIn(): void;
  zoomOut(): void;
  /** Shows every figure with its name, and the whole field if that is not smaller. */
  fit(): void;
  /** Fills the box with the field around this person's figure; shows every figure if they have none. */
  fitOwn(): void;
  /** Where a figure is drawn now, also during a drag; null for an unknown one. */
  drawnAt(figureId: number): Place | null;
  /** Focuses a figure and scrolls to it. */
  focusFigure(figureId: number): void;
  /** Focuses the figure nearest to a removed one, or the field if none is left. */
  focusBeside(figureId: number): void;
  /** Names keep away from an element over the field, by some px, until the returned function is called. */
  keepClear(element: Element, away?: number): () => void;
  /** A view of the figures also makes room for an element over the field, until the returned function is called. */
  fitBeside(element: Element): () => void;
}

/** Pass the same object for an unchanged figure, and always the same functions: the field compares by identity. */
export interface FieldViewProps {
  ref?: Ref<FieldViewHandle>;
  figures: readonly FigureOnField[];
  selectedId: number | null;
  onSelect: (figureId: number | null) => void;
  showBeams: boolean;
  showNames: boolean;
  /** Which of this person's figures is shown as theirs, if they have several; by default the first. */
  ownId?: number | null;
  /** The figure whose sight is shown. */
  sightId?: number | null;
  scheme: Scheme;
  reducedMotion: boolean;
  /** Nothing can be moved, whatever the figures say. */
  readOnly?: boolean;
  texts: FieldViewTexts;
  /** The background behind the figures; null or undefined while it is not known. */
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
  /** During and after a two-finger stretch of a figure (also after Alt + wheel over the selected figure). */
  onScaleMove?: (figureId: number, place: Place) => void;
  onScaleDrop?: (figureId: number, place: Place, note: DropNote) => void;
  /** One press of a key. `place` is the figure's place after it (for `remove` and `open`: its present place). */
  onKeyAct?: (figureId: number, kind: KeyAct, place: Place) => void;
  /**
   * At most 30 times a second while pointing, and again while it rests, so that others do not remove it; null when it
   * leaves.
   */
  onPointerMove?: (at: Point | null) => void;
  onBackgroundTap?: () => void;
  onCameraChange?: (view: CameraView) => void;
  className?: string;
}
