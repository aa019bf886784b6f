/**
 * Keeps the lines of relations at their figures while figures and camera move: writes the elements of those lines alone
 * whose figures moved. React makes the elements and never writes their places.
 */
import { type Circle, relationLine, type RelationOnField } from './relationLine.ts';

type LineKind = Pick<RelationOnField, 'from' | 'to' | 'kind' | 'bent'>;

interface Line extends LineKind {
  element: SVGGElement;
  strokes: readonly Element[];
  heads: readonly Element[];
  word: Element | null;
}

export type LineFollower = ReturnType<typeof createLineFollower>;

export function createLineFollower() {
  const ofFigure = new Map<number, Set<Line>>();
  /** The size of names, px. */
  let size = 0;
  /** The circle around a figure as it is drawn now, px; null for one that is not there. */
  let circleOf: (figureId: number) => Circle | null = () => null;

  function write(line: Line) {
    const [from, to] = [circleOf(line.from), circleOf(line.to)];
    const drawn = from && to ? relationLine(from, to, line, size) : null;
    if (!drawn) {
      line.element.setAttribute('visibility', 'hidden');
      return;
    }
    line.element.removeAttribute('visibility');
    for (const stroke of line.strokes) stroke.setAttribute('d', drawn.path);
    for (const head of line.heads) head.setAttribute('d', drawn.head);
    line.word?.setAttribute('transform', `translate(${drawn.middle.x.toFixed(1)} ${drawn.middle.y.toFixed(1)})`);
  }

  return {
    /**
     * Takes the figures that moved since the last time (null for all), where figures are drawn, and the size of names.
     */
    follow(moved: ReadonlySet<number> | null, where: typeof circleOf, nameSize: number) {
      size = nameSize;
      circleOf = where;
      const due = new Set<Line>();
      for (const figureId of moved ?? ofFigure.keys()) {
        const lines = ofFigure.get(figureId);
        if (lines) for (const line of lines) due.add(line);
      }
      due.forEach(write);
    },

    /** Connects the element of a line. Returns what takes it away. */
    attach(kind: LineKind, element: SVGGElement): () => void {
      const line: Line = {
        ...kind,
        element,
        strokes: [...element.querySelectorAll('[data-stroke]')],
        heads: [...element.querySelectorAll('[data-head]')],
        word: element.querySelector('text'),
      };
      const ends = [kind.from, kind.to];
      for (const id of ends) ofFigure.set(id, (ofFigure.get(id) ?? new Set()).add(line));
      write(line);
      return () => {
        for (const id of ends) {
          const lines = ofFigure.get(id);
          lines?.delete(line);
          if (lines?.size === 0) ofFigure.delete(id);
        }
      };
    },
  };
}
