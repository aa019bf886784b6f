/** Words about figures: the label for screen readers, and the text under a figure. */
import type { Person } from '@fieldroom/contract/clients';
import { type IconType, type Figure, FIELD_HEIGHT, FIELD_WIDTH, FIGURE_COLORS } from '@fieldroom/contract/field';
import type { TFunction } from 'i18next';

type Words = TFunction<'field'>;
export type ColorName = keyof typeof FIGURE_COLORS;
export const COLOR_NAMES = Object.keys(FIGURE_COLORS) as ColorName[];

/** The colour of a new figure of a kind. */
export const FIRST_COLOR: Record<IconType, ColorName> = {
  MALE_FIGURE: 'sky',
  FEMALE_FIGURE: 'rose',
  MALE_SQUARE: 'moss',
  FEMALE_CIRCLE: 'lilac',
  STAR: 'straw',
  KIWI: 'apricot',
  BAT: 'plum',
  CUSTOM: 'chalk',
};

/** One of nine parts of the field. */
function placeKey({ x, y }: { x: number; y: number }): string {
  const column = x < FIELD_WIDTH / 3 ? 'l' : x > (FIELD_WIDTH * 2) / 3 ? 'r' : 'c';
  const row = y < FIELD_HEIGHT / 3 ? 't' : y > (FIELD_HEIGHT * 2) / 3 ? 'b' : 'm';
  return row + column;
}

/** One of eight directions of the gaze. */
function gazeKey(rotation: number): string {
  return String(Math.round(rotation / 45) % 8);
}

/** "Sister, female circle, on the left, looking up": name, kind, place and gaze (docs/product.md#5.14). */
export function figureLabel(t: Words, figure: Figure): string {
  return t('figureLabel', {
    name: figure.name || t('unnamed'),
    kind: t(`kindLong.${figure.iconType}`),
    place: t(`place.${placeKey(figure)}` as 'place.mc'),
    gaze: t(`gaze.${gazeKey(figure.rotation)}` as 'gaze.0'),
  });
}

/** Who has the role of a figure, the active ones first. */
export function holdersOf(figureId: number, people: readonly Person[]): Person[] {
  return people
    .filter((person) => person.roles.includes(figureId))
    .sort((a, b) => Number(b.activeRole === figureId) - Number(a.activeRole === figureId));
}

/**
 * The label under a figure: its name, and in brackets who has its role. Takes the figure, and the people with its role.
 */
export function caption(figure: Figure, holders: readonly Person[]): string {
  const names = holders.map((person) => person.name).join(', ');
  if (!names) return figure.name;
  return figure.name ? `${figure.name} (${names})` : names;
}

/** A name for lists, which is never empty. */
export function figureName(t: Words, figure: Figure): string {
  return figure.name || t(`kind.${figure.iconType}`);
}
