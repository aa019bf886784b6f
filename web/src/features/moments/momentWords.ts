/** The wording of moments and moves: "Moment 3, 10:42", "Mother turned". Times are in this browser's zone. */
import type { Figure } from '@fieldroom/contract/field';
import type { Moment, Move, MoveStep } from '@fieldroom/contract/moments';
import type { Language } from '@fieldroom/contract/text';
import type { TFunction } from 'i18next';
import { CLOCK_TIME, dateFormat } from '../../platform/i18n/formats.ts';

/** A `t` of the namespace `moments`. */
type Say = TFunction<'moments'>;
/** The displayed name of a figure, even without a name of its own. */
type SayFigure = (figure: Figure) => string;

/** "10:42". */
export const timeWords = (instant: string, language: Language): string =>
  dateFormat(language, CLOCK_TIME).format(new Date(instant));

/** The displayed name of a moment. */
export function momentName(t: Say, { name, number, keptOn }: Moment, language: Language): string {
  return name ?? t('defaultName', { number, time: timeWords(keptOn, language) });
}

/** The change of a figure, as a key of the words `change.…`. */
export function changeOf(step: MoveStep) {
  if ('put' in step) return 'came';
  if ('gone' in step) return 'went';
  const { x, y, rotation, scale, name, color, iconType, iconId, showText, order, relations } = step.set;
  const placed = [
    ...(x !== undefined || y !== undefined ? (['moved'] as const) : []),
    ...(rotation !== undefined ? (['turned'] as const) : []),
    ...(scale !== undefined ? (['resized'] as const) : []),
  ];
  const looks = [
    ...(name !== undefined ? (['renamed'] as const) : []),
    ...(color !== undefined ? (['coloured'] as const) : []),
    ...(iconType !== undefined || iconId !== undefined ? (['reshaped'] as const) : []),
    ...(showText !== undefined ? ([showText ? 'nameShown' : 'nameHidden'] as const) : []),
    ...(order !== undefined ? (['reordered'] as const) : []),
    ...(relations !== undefined ? (['related'] as const) : []),
  ];
  const [first, second, ...others] = [...placed, ...looks];
  if (first === undefined) return 'changed';
  if (second === undefined) return first;
  return first === 'moved' && second === 'turned' && others.length === 0 ? 'movedAndTurned' : 'changed';
}

/** "Mother turned". Takes the field before the move. */
export function moveWords(t: Say, sayFigure: SayFigure, before: readonly Figure[], move: Move): string {
  if (move.kind === 'reset' || move.kind === 'back') return t(`kind.${move.kind}`);
  const [step, ...others] = move.steps;
  const said =
    step === undefined || others.length > 0
      ? t('several', { count: move.steps.length })
      : t(`change.${changeOf(step)}`, { name: nameIn(sayFigure, before, step) });
  return move.kind === 'undo' ? t('kind.undo', { what: said }) : said;
}

function nameIn(sayFigure: SayFigure, before: readonly Figure[], step: MoveStep): string {
  if ('put' in step) return sayFigure(step.put);
  const id = 'gone' in step ? step.gone : step.figureId;
  const figure = before.find((one) => one.id === id);
  if (!figure) return '';
  // A figure that gets a name is called by it.
  return sayFigure('set' in step && figure.name === '' ? { ...figure, name: step.set.name ?? '' } : figure);
}
