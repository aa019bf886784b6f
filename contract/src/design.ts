/**
 * How a therapist's field and menus look: colours, and a picture behind the figures (docs/product.md#11.14).
 *
 * Calls name four parts; a part without a value of its own follows the theme. Each part is saved by itself.
 *
 * Message
 *   GROUND   to the room, whenever the field's part has changed, and to everybody who joins: what is behind the
 *            figures.
 *
 * Invariants
 *  1. Text can be read on every stored colour: a text colour has a contrast of at least 4.5 to the colours under it.
 *     Where none is chosen, `readableOn` finds one.
 *  2. `imageId` changes with every upload, so a browser that knows the picture of an id never asks for it again.
 *  3. Clients learn nothing but the field's part.
 */
import * as z from 'zod/mini';
import { contrast, TEXT_CONTRAST } from './colours/contrast.ts';
import { endpoint } from './http.ts';
import { PICTURE_PROBLEMS, PICTURE_UPLOAD } from './pictures.ts';
import { idInPath, therapistPath } from './text.ts';

/** `#rrggbb` in lower case; null is the theme's own colour. */
const color = z.nullable(
  z.pipe(
    z.string().check(z.regex(/^#[0-9A-Fa-f]{6}$/, 'invalid_format')),
    z.transform((text) => text.toLowerCase()),
  ),
);

const backgroundColor = z.strictObject({ type: z.literal('BACKGROUND_COLOR'), bgColor: color });
const leftMenu = z.strictObject({
  type: z.literal('LEFT_MENU'),
  bgColor: color,
  textColor: color,
  /** Behind the entry of the page that is shown. */
  selectedColor: color,
});
const topMenu = z.strictObject({ type: z.literal('TOP_MENU'), bgColor: color, textColor: color });

export type LeftMenuDesign = z.infer<typeof leftMenu>;
export type TopMenuDesign = z.infer<typeof topMenu>;

/** A part with its values. The picture's part has an id where there is one. */
const template = z.discriminatedUnion('type', [
  backgroundColor,
  z.strictObject({ type: z.literal('BACKGROUND_IMAGE'), imageId: z.nullable(z.uuid()) }),
  leftMenu,
  topMenu,
]);
export type Template = z.infer<typeof template>;

/** Finds the colours under a text on which it cannot be read. Returns the paths at fault. */
function unreadable(part: {
  textColor: string | null;
  bgColor: string | null;
  selectedColor?: string | null;
}): string[] {
  const { textColor } = part;
  // A text colour without a background of its own would appear on any theme's background.
  if (textColor === null) return [];
  if (part.bgColor === null) return ['bgColor'];
  return [part.bgColor, part.selectedColor ?? part.bgColor].some(
    (ground) => contrast(textColor, ground) < TEXT_CONTRAST,
  )
    ? ['textColor']
    : [];
}

/** What is saved: a part with all its values. Pictures are uploaded separately; here a picture can only be removed. */
export const templateInput = z
  .discriminatedUnion('type', [
    backgroundColor,
    z.strictObject({ type: z.literal('BACKGROUND_IMAGE'), imageId: z.null() }),
    leftMenu,
    topMenu,
  ])
  .check(
    z.superRefine((part, context) => {
      if (!('textColor' in part)) return;
      for (const path of unreadable(part))
        context.addIssue({ code: 'custom', path: [path], message: path === 'bgColor' ? 'required' : 'low_contrast' });
    }),
  );
export type TemplateInput = z.input<typeof templateInput>;

/** The background behind the figures. */
export interface Ground {
  color: string | null;
  imageId: string | null;
}
declare module './realtime.ts' {
  interface PlainChanges {
    GROUND: Ground;
  }
}

export const allTemplates = endpoint({
  method: 'GET',
  path: '/api/template/all/{therapistId}',
  access: 'roomDesign',
  summary: 'The parts of a therapist’s design, each once; clients get those of the field alone. Id 0: the defaults',
  params: z.strictObject({ therapistId: z.union([z.pipe(z.literal('0'), z.transform(Number)), idInPath]) }),
  reply: z.array(template),
});
export const saveTemplate = endpoint({
  method: 'POST',
  path: '/api/template/save',
  access: 'therapist',
  summary: 'Saves one part of the design; null is the theme’s own',
  body: templateInput,
});
export const uploadTemplateImage = endpoint({
  method: 'POST',
  path: '/api/template/image/upload/{therapistId}',
  access: 'self',
  summary: 'The picture behind the figures: JPEG, PNG or WebP up to 5 MB, re-encoded',
  params: therapistPath,
  upload: PICTURE_UPLOAD,
  reply: z.strictObject({ imageId: z.uuid() }),
  problems: PICTURE_PROBLEMS,
});
export const templateImage = endpoint({
  method: 'GET',
  path: '/api/template/image/{therapistId}',
  access: 'roomOfTherapist',
  summary: 'The picture behind the figures',
  params: therapistPath,
  bytes: ['image/webp'],
  problems: ['not_found'],
});
export const resetDesign = endpoint({
  method: 'POST',
  path: '/api/me/design/reset',
  access: 'therapist',
  summary: 'Gives every part of the design the look of the theme, and removes the picture',
});
