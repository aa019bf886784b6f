/** Pictures of one state of a page in every size, and the texts that a journey needs to navigate in any language. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, nextFrames, resize, screenshot } from '../journey.ts';
import { figure } from '../journeys/people.ts';

interface Size {
  width: number;
  height: number;
}

/** Phones in portrait and landscape, a tablet, a small laptop and a desktop, px. The last one is the page's own. */
const SIZES: readonly Size[] = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
];

/** The sizes at which the room has four controls and the rest behind “More”. */
export const isPhone = ({ width, height }: Size): boolean => width < 768 || height < 480;
/** The sizes at which the list of people is a drawer. */
export const hasDrawer = ({ width }: Size): boolean => width < 1200;

interface Look {
  scheme: 'light' | 'dark';
  language: 'en' | 'de';
}
/** German has the longest words of the four. */
export const LOOKS: readonly Look[] = [
  { scheme: 'light', language: 'en' },
  { scheme: 'dark', language: 'de' },
];

/** Returns a text of the pages. Takes its file, its key, and the values of its placeholders. */
type Say = (file: string, key: string, values?: Readonly<Record<string, string>>) => string;

/** The texts of a language. */
export function textsOf({ language }: Look): Say {
  return (file, key, values = {}) => {
    const url = new URL(`../../web/src/locales/${language}/${file}.json`, import.meta.url);
    let part: unknown = JSON.parse(readFileSync(url, 'utf8'));
    for (const name of key.split('.')) part = (part as Record<string, unknown> | undefined)?.[name];
    if (typeof part !== 'string') throw new Error(`There is no text ${key} in ${file}.`);
    return part.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  };
}

/** Shows a room in the language. The journeys' shared steps are in English and come before it. */
export async function speak(page: Page, { language }: Look): Promise<void> {
  await page.evaluate((code) => localStorage.setItem('language', code), language);
  await page.reload();
  await expect(figure(page, 'Mother')).toBeVisible();
}

/** Waits until nothing loads or moves. */
async function still(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
  });
  await nextFrames(page, 4);
}

interface StateOptions {
  /** The whole scrolling page, not only the visible window. */
  whole?: boolean;
  /** The sizes that have the state; all by default. */
  where?(size: Size): boolean;
  /** For what closes when the size changes: opens it in each size, and closes it again. */
  open?(): Promise<void>;
  close?(): Promise<void>;
}

/** Returns a function that takes a state, which has a name, in every size. */
export function cameraOf(page: Page, who: string, { scheme, language }: Look) {
  return async (
    state: string,
    { whole = false, where = () => true, open, close }: StateOptions = {},
  ): Promise<void> => {
    for (const size of SIZES.filter(where)) {
      await resize(page, size.width, size.height);
      await open?.();
      await still(page);
      await screenshot(page, `states/${who}-${state}-${size.width}x${size.height}-${scheme}-${language}`, whole);
      await close?.();
    }
    const last = SIZES.at(-1)!;
    await resize(page, last.width, last.height);
  };
}
