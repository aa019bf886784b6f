/**
 * The UI kit's variables without the palettes that nothing refers to: the product has its own colours
 * (`ui/theme/mantine.css`). The palettes are a fifth of the style sheet that every page with the kit waits for.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const FILE = '@mantine/core/styles/default-css-variables.layer.css';

/** Nothing may use one of these colours (tools/web-build/kit-variables.test.mjs). */
export const LEFT_OUT = ['pink', 'grape', 'violet', 'indigo', 'cyan', 'green', 'lime', 'yellow', 'orange'] as const;

/** Takes the kit's style sheet of variables. */
export const withoutPalettes = (css: string): string =>
  css.replaceAll(new RegExp(`^\\s*--mantine-color-(?:${LEFT_OUT.join('|')})-[\\w-]+:[^;]*;\\n`, 'gm'), '');

/** Puts them into the one style sheet of the kit. Rules outside all layers override them. */
export const kitVariables: Plugin = {
  name: 'fieldroom-kit-variables',
  enforce: 'pre',
  transform: {
    filter: { id: /\/ui\/theme\/mantine\.css$/ },
    handler: (code) =>
      `${code}\n${withoutPalettes(readFileSync(createRequire(import.meta.url).resolve(FILE), 'utf8'))}`,
  },
};
