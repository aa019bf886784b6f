// @vitest-environment happy-dom
/** What `web/build/testSetup.ts` adds to happy-dom. */
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

declare global {
  interface Window {
    happyDOM: { abort: () => Promise<void> };
  }
}

test('a query that finds nothing prints the document, but only for somebody who reads the message', () => {
  const lost = (): Error => {
    try {
      screen.getByText('nowhere');
    } catch (error) {
      return error as Error;
    }
    throw new Error('it was found');
  };
  const error = lost();
  document.body.append('written since');
  expect(error).toMatchObject({
    name: 'TestingLibraryElementError',
    message: expect.stringMatching(/^Unable to find an element with the text: nowhere[^]*written since/),
  });
  document.body.append('written later');
  expect(error.message).not.toContain('written later');
});

test('a timer that starts while the window ends does not keep it open', async () => {
  let fired = false;
  const ended = window.happyDOM.abort();
  window.setTimeout(() => {
    fired = true;
  }, 300_000);
  await ended;
  expect(fired).toBe(false);
});
