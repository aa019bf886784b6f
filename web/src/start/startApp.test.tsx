/**
 * The first drawing of the app in its document.
 *
 * @alone It starts the app, of which there is one.
 */
import { expect, test, vi } from 'vitest';

test('11.66 with an outline, the first drawing is that of the whole page', async () => {
  window.history.replaceState(null, '', '/user/forgot-password');
  document.documentElement.setAttribute('data-outline', 'account');
  document.body.innerHTML = '<div id="root"></div>';
  // The test does not measure how long code and words take.
  await import('../features/accounts/emailLinks/ForgotPasswordPage.tsx');
  await import('../locales/en/accounts.json');
  // The router starts with the address of the document.
  const { startApp } = await import('./startApp.tsx');
  const element = document.getElementById('root') as HTMLElement;
  const drawn: string[] = [];
  const look = () => {
    const heading = element.querySelector('h1')?.textContent ?? null;
    drawn.push(element.querySelector('[data-view="loading"]') ? 'loading' : (heading ?? 'nothing'));
  };
  const observer = new MutationObserver(look);
  observer.observe(element, { childList: true, subtree: true });
  const onStanding = vi.fn();
  await startApp(element, onStanding);
  await vi.waitFor(() => expect(onStanding).toHaveBeenCalledWith());
  observer.disconnect();
  expect(element.querySelector('h1')?.textContent).toBeTruthy();
  expect([...new Set(drawn)]).toEqual([element.querySelector('h1')?.textContent]);
});
