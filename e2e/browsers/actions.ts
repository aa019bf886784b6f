/** What people do in scenarios, in any browser. */
import { type BrowserPage, type Target, until } from './page.ts';

/** A button by its accessible name. */
export const button = (name: string): Target => ({ role: 'button', name });
export const FIELD: Target = { css: '[data-testid=field]' };

/** Signs in as the demo's therapist and opens the field. */
export async function openField(page: BrowserPage): Promise<void> {
  await page.goto('/user/login');
  await page.fill({ role: 'textbox', name: 'Email' }, 'anna@demo.example');
  await page.fill({ css: 'input[type=password]' }, 'constellation');
  await page.click(button('Sign in'));
  await page.waitFor({ css: 'nav a' });
  await page.goto('/app/play-area');
  await page.waitFor(FIELD);
}

/** A client opens the join link and is let in. */
export async function admit(page: BrowserPage, therapist: BrowserPage, name: string): Promise<void> {
  await page.goto('/user/join/anna');
  await page.fill({ role: 'textbox', name: 'Your name' }, name);
  await page.click(button('Knock at the door'));
  await therapist.click(button(`Let in ${name}`));
  await page.waitFor(FIELD);
}

/**
 * Waits until a figure is drawn and no longer moves: something above the field may just have appeared or disappeared.
 * Returns its centre on the page, in px.
 */
export function centerOf(page: BrowserPage, figure: string): Promise<{ x: number; y: number }> {
  let last: { x: number; y: number } | null = null;
  return until(`the figure ${figure} to rest`, async () => {
    const before = last;
    last = await page.evaluate((name) => {
      const box = document
        .querySelector(`[data-testid=field] [role=button][aria-label^="${name},"]`)
        ?.getBoundingClientRect();
      return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
    }, figure);
    return before !== null && last !== null && before.x === last.x && before.y === last.y && last;
  });
}
