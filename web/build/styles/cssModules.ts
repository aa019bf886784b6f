/** How CSS modules are built. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { CSSOptions, Plugin } from 'vite';

const WEB = path.resolve(import.meta.dirname, '../..');

/**
 * Class names depend only on the file and the class. The browser's build and the server's are separate, and a page that
 * the server renders must have the classes of the browser's style sheet.
 */
export const cssModules = {
  generateScopedName(className: string, file: string) {
    const module = path.relative(WEB, file.replace(/\?.*$/, ''));
    return `${className}_${createHash('sha256').update(module).digest('base64url').slice(0, 5)}`;
  },
} satisfies CSSOptions['modules'];

/**
 * Keeps the styles of the light pages where `publicStyles.ts` and `joinStyles.ts` import them, although those modules
 * use none of their class names. Vite would move them to the chunk that uses the names, and a page that the server
 * renders would have no styles until its script has loaded.
 */
export const keepPublicStyles: Plugin = {
  name: 'fieldroom-public-styles',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\/features\/(?:bookings|join)\/.*\.module\.css$/ },
    handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
  },
};
