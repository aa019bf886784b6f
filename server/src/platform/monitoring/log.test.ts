/** What is taken out of every line of the log. */
import { expect, test } from 'vitest';
import { logSpy } from '../../../tests/support/test-app.ts';

test('docs/product.md#3.23 a password in a path is taken out of every line, wherever it stands', () => {
  const spy = logSpy();
  const path = '/api/profile/check/password/half%2Fknown/phrase/17';
  spy.log.info({ route: path, cause: new Error(`'${path}' is not valid`) }, `Route POST:${path} was not found`);
  spy.log.error({ err: new Error(`'${path}' is not valid`) }, 'a call failed');
  expect(spy.text()).not.toMatch(/half|known|phrase/);
  expect(spy.entries()[0]!['msg']).toBe('Route POST:/api/profile/check/password/[cut] was not found');
});
