/** A therapist's design as one value: the four parts that the calls name. */
import type { LeftMenuDesign, Template, TopMenuDesign } from '@fieldroom/contract/design';

export interface OwnDesign {
  color: string | null;
  imageId: string | null;
  left: Omit<LeftMenuDesign, 'type'>;
  top: Omit<TopMenuDesign, 'type'>;
}

/** Everything follows the theme. */
export const THEME_DESIGN: OwnDesign = {
  color: null,
  imageId: null,
  left: { bgColor: null, textColor: null, selectedColor: null },
  top: { bgColor: null, textColor: null },
};

/** Whether nothing was chosen. */
export const isThemeDesign = ({ color, imageId, left, top }: OwnDesign): boolean =>
  [color, imageId, ...Object.values(left), ...Object.values(top)].every((value) => value === null);

/** Joins the parts. A missing part follows the theme. */
export function designOf(parts: readonly Template[]): OwnDesign {
  const design = { ...THEME_DESIGN };
  for (const part of parts)
    switch (part.type) {
      case 'BACKGROUND_COLOR':
        design.color = part.bgColor;
        break;
      case 'BACKGROUND_IMAGE':
        design.imageId = part.imageId;
        break;
      case 'LEFT_MENU': {
        const { type: _, ...left } = part;
        design.left = left;
        break;
      }
      case 'TOP_MENU': {
        const { type: _, ...top } = part;
        design.top = top;
      }
    }
  return design;
}
