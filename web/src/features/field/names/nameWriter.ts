/**
 * Writes names into their elements with each frame, at the arranger's places. Lines of relations follow after them,
 * because words avoid names.
 */
import type { DrawnCamera } from '../drawing/camera/drawnCamera.ts';
import type { FigurePlaces } from '../drawing/figures/figurePlaces.ts';
import type { FigureSlot } from '../drawing/figures/figureSlot.ts';
import { drawnRadius } from '../drawing/figures/writeFigure.ts';
import { type Point, toScreen } from '../drawing/geometry.ts';
import { svgNumber } from '../drawing/svgNumber.ts';
import type { LineFollower } from '../relations/lineFollower.ts';
import type { Arranger } from './arranger.ts';
import type { Box } from './boxes.ts';
import { nameLines, namePlace, nameSize } from './nameText.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** A name as it stands on the screen, px. */
export interface NameAsWritten extends Point {
  lines: readonly string[];
  anchor: 'start' | 'middle' | 'end';
}

interface Options {
  figures: Pick<FigurePlaces, 'ids' | 'get'>;
  camera: Pick<DrawnCamera, 'now' | 'size'>;
}

/**
 * Writes the lines of a name into its text, and only the differences. The browser restyles every element that is new or
 * whose anchor is set, fonts included, but not for other letters in the same element.
 */
function writeLines(text: Element, lines: readonly string[], anchor: NameAsWritten['anchor']) {
  if (text.getAttribute('text-anchor') !== anchor) text.setAttribute('text-anchor', anchor);
  for (const [index, line] of lines.entries()) {
    const letters = text.children[index]?.firstChild;
    if (letters) {
      if (letters.nodeValue !== line) letters.nodeValue = line;
      continue;
    }
    const span = document.createElementNS(SVG, 'tspan');
    span.setAttribute('x', '0');
    if (index > 0) span.setAttribute('dy', '1.2em');
    span.append(line);
    text.append(span);
  }
  while (text.children.length > lines.length) text.lastElementChild?.remove();
}

/** Makes the writer of one field's names. */
export function createNameWriter({ figures, camera }: Options) {
  /** Figures that moved or changed since the names were placed; `all` after the view has changed. */
  const stirred = new Set<number>();
  let allStirred = false;
  /** Places names and marks; until it is loaded, whole names are below their figures. */
  let arranger: Arranger | null = null;
  /** Keeps the lines of relations at their figures. */
  let lines: LineFollower | null = null;
  /** The elements over the field, px from its corner. */
  let covered: readonly Box[] = [];

  const aroundOf = (slot: FigureSlot) => drawnRadius(slot, camera.now().k);

  /** The circle in which a figure is drawn now, px. */
  function circleOf(id: number) {
    const slot = figures.get(id);
    return slot ? { ...toScreen(camera.now(), slot.drawn), radius: aroundOf(slot) } : null;
  }

  function below(slot: FigureSlot): NameAsWritten {
    const { k } = camera.now();
    const { x, y } = namePlace(toScreen(camera.now(), slot.drawn), aroundOf(slot), nameSize(k), slot.lifted);
    return { lines: nameLines(slot.look.caption), anchor: 'middle', x, y };
  }

  function write(slot: FigureSlot | undefined) {
    const element = slot?.parts.name;
    const text = element?.firstElementChild;
    if (!slot || !text) return;
    const { lines, anchor, x, y } = arranger?.nameOf(slot.id) ?? below(slot);
    const { written } = slot;
    const words = `${anchor} ${lines.join('\n')}`;
    if (written.text !== words) {
      written.text = words;
      writeLines(text, lines, anchor);
    }
    const at = `translate(${svgNumber(x)} ${svgNumber(y)})`;
    if (written.at === at) return;
    written.at = at;
    element?.setAttribute('transform', at);
  }

  return {
    /** A figure moved or changed: the next `arrange` places its name and those around it again. */
    stir(id: number) {
      stirred.add(id);
    },

    /** As `stir`, for all figures. */
    stirAll() {
      allStirred = true;
    },

    /**
     * Places the names of all changed figures and their neighbours, the marks of figures out of view, lines and words.
     */
    arrange() {
      const size = camera.size();
      if (!size || (!allStirred && stirred.size === 0)) return;
      let due: Iterable<number> = allStirred ? figures.ids() : stirred;
      if (arranger) {
        const all = [...figures.ids()].flatMap((id) => figures.get(id) ?? []);
        const scene = { figures: all, camera: camera.now(), size, aroundOf };
        due = arranger.arrange(scene, allStirred ? null : stirred);
      }
      for (const id of due) write(figures.get(id));
      lines?.follow(allStirred ? null : stirred, circleOf, nameSize(camera.now().k), arranger);
      stirred.clear();
      allStirred = false;
    },

    /** Writes the name of a figure into a new element. */
    begin(slot: FigureSlot) {
      // A new element, because a figure changes its layer when it is picked up: it does not contain the written text.
      slot.written = { text: '', at: '' };
      write(slot);
    },

    /** Forgets removed figures. */
    forget(ids: readonly number[]) {
      for (const id of ids) arranger?.forget(id);
    },

    /** Sets what places names and marks from now on. */
    setArranger(by: Arranger) {
      arranger = by;
      arranger.keepClear(covered);
      allStirred = true;
    },

    /** Names keep away from these boxes: px from the field's corner. */
    keepClear(boxes: readonly Box[]) {
      covered = boxes;
      arranger?.keepClear(boxes);
      allStirred = true;
    },

    /** Sets what moves the lines of relations with their figures from now on. */
    setLines(by: LineFollower) {
      lines = by;
      lines.follow(null, circleOf, nameSize(camera.now().k), arranger);
    },
  };
}
