/** What is kept of a field, and when two names are equal. Pure. */
import type { ConstellationFigure } from '@fieldroom/contract/constellations';
import type { Figure } from '@fieldroom/contract/field';

/** The form in which two names are equal: `STRASSE`, `STRAẞE` and `Straße` are one. */
export const keyOf = (name: string): string => name.toLowerCase().toUpperCase().normalize('NFC');

/** Everything that is kept of a figure; what is not named here is not kept. */
export const keptOf = ({
  name,
  iconType,
  iconId,
  color,
  showText,
  x,
  y,
  rotation,
  scale,
  order,
  movableBy,
}: Figure): ConstellationFigure => ({
  name,
  iconType,
  iconId,
  color,
  showText,
  x,
  y,
  rotation,
  scale,
  order,
  movableBy,
});
