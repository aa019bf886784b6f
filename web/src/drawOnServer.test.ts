/** What the server draws of each light page before its script has arrived (docs/product.md#11.66 and #11.68). */
import { expect, test } from 'vitest';
import { draw } from './drawOnServer.ts';
import de from './locales/de/join.json';
import hu from './locales/hu/booking.json';

const host = { firstName: '<img src=x>', picture: null };

test('the form of a join link and of a code, with people’s words escaped as text', () => {
  const byLink = draw('/user/join/anna', 'de', { kind: 'form', host } as never);
  expect(byLink).toContain('lang="de"');
  expect(byLink).toContain(de.join.title.replace('{{name}}', '&lt;img src=x&gt;'));
  expect(byLink).toContain('name="name"');
  // Submitting without a script does nothing, and no name gets into an address.
  expect(byLink).toContain('method="dialog"');
  expect(draw('/user/code', 'de', { kind: 'form', host: null } as never)).toContain('name="code"');
  expect(draw('/user/join/nobody', 'de', { kind: 'unknown' } as never)).not.toContain('<form');
});

test('a public page', () => {
  expect(draw('/event/anna/1', 'hu', { kind: 'unknown' } as never)).toContain(hu.unknown.title);
});
