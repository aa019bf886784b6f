/**
 * Moves the lines of relations while figures and camera move. It writes only the elements of lines whose figures moved,
 * and of words that found another place. React creates the elements and never writes their content.
 */
import type { WordSurroundings } from '../names/arranger.ts';
import type { Circle } from '../names/boxes.ts';
import { placeWords, wordKey, type WordPlace } from '../names/placeWords.ts';
import { type Curve, relationLine, type RelationOnField } from './relationLine.ts';

type LineKind = Pick<RelationOnField, 'from' | 'to' | 'kind' | 'bent'>;
type LineWord = Pick<RelationOnField, 'from' | 'to' | 'word'>;

interface Line extends LineKind {
  element: SVGGElement;
  strokes: readonly Element[];
  heads: readonly Element[];
}

interface Word extends LineWord {
  element: SVGGElement;
  /** The last written values of the element, and its place, so that nothing is written twice. */
  text: string;
  at: string;
}

export type LineFollower = ReturnType<typeof createLineFollower>;

const NONE: ReadonlyMap<string, WordPlace> = new Map();

/**
 * Makes the follower of one field. `follow` is called with each drawing. Names are placed before words
 * (docs/product.md#5.35).
 */
export function createLineFollower() {
  const ofFigure = new Map<number, Set<Line>>();
  /** The courses of drawn lines, by `wordKey`. */
  const curves = new Map<string, Curve>();
  const words = new Set<Word>();
  /** The size of names, px. */
  let size = 0;
  /** The circle around a figure as it is drawn now, px; null for a removed one. */
  let circleOf: (figureId: number) => Circle | null = () => null;
  /** Knows the obstacles for words. */
  let arranger: WordSurroundings | null = null;
  let places = NONE;
  let due = false;
  /** During a drag words keep their places if possible. */
  let keptForHand = false;

  function write(line: Line) {
    const [from, to] = [circleOf(line.from), circleOf(line.to)];
    const drawn = from && to ? relationLine(from, to, line, size) : null;
    if (!drawn) {
      curves.delete(wordKey(line));
      line.element.setAttribute('visibility', 'hidden');
      return;
    }
    curves.set(wordKey(line), drawn.curve);
    line.element.removeAttribute('visibility');
    for (const stroke of line.strokes) stroke.setAttribute('d', drawn.path);
    for (const head of line.heads) head.setAttribute('d', drawn.head);
  }

  function writeWord(word: Word) {
    const place = places.get(wordKey(word));
    const text = place?.text ?? '';
    if (text !== word.text) word.element.firstElementChild!.textContent = text;
    word.text = text;
    const at = place ? `translate(${place.x.toFixed(1)} ${place.y.toFixed(1)})` : word.at;
    if (at === word.at) return;
    word.at = at;
    word.element.setAttribute('transform', at);
  }

  /** All words: their obstacles may be anywhere. */
  function arrangeWords() {
    due = false;
    const scene = words.size > 0 ? arranger?.standing() : null;
    if (!scene) return;
    if (keptForHand && !scene.held) {
      // The drag has ended and nothing moves: words choose new places after the frame that draws the drop.
      keptForHand = false;
      requestAnimationFrame(() => requestAnimationFrame(arrangeWords));
      return;
    }
    keptForHand = scene.held;
    const lying = [...words].flatMap(({ from, to, word }) => {
      const curve = curves.get(wordKey({ from, to }));
      return curve ? [{ from, to, word, curve }] : [];
    });
    places = placeWords(lying, scene, scene.held ? places : NONE);
    words.forEach(writeWord);
  }

  /** Once for all that are added or removed together, and before they are painted. */
  function arrangeSoon() {
    if (!due) queueMicrotask(arrangeWords);
    due = true;
  }

  return {
    /**
     * Takes the figures that moved since the last time (null for all), their positions, the size of names, and the
     * placement of names.
     */
    follow(
      moved: ReadonlySet<number> | null,
      where: typeof circleOf,
      nameSize: number,
      surroundings: WordSurroundings | null,
    ) {
      size = nameSize;
      circleOf = where;
      arranger = surroundings;
      const lines = new Set<Line>();
      for (const figureId of moved ?? ofFigure.keys()) for (const line of ofFigure.get(figureId) ?? []) lines.add(line);
      lines.forEach(write);
      arrangeWords();
    },

    /** Connects the element of a line. Returns a function that disconnects it. */
    attachLine(kind: LineKind, element: SVGGElement): () => void {
      const line: Line = {
        ...kind,
        element,
        strokes: [...element.querySelectorAll('[data-stroke]')],
        heads: [...element.querySelectorAll('[data-head]')],
      };
      const ends = [kind.from, kind.to];
      for (const id of ends) ofFigure.set(id, (ofFigure.get(id) ?? new Set()).add(line));
      write(line);
      arrangeSoon();
      return () => {
        for (const id of ends) {
          const lines = ofFigure.get(id);
          lines?.delete(line);
          if (lines?.size === 0) ofFigure.delete(id);
        }
      };
    },

    /** Connects the group of a word at the line of the same figures. Returns a function that disconnects it. */
    attachWord(word: LineWord, element: SVGGElement): () => void {
      const attached = { ...word, element, text: '', at: '' };
      words.add(attached);
      arrangeSoon();
      return () => {
        words.delete(attached);
        arrangeSoon();
      };
    },
  };
}
