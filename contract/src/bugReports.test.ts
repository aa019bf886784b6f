/** What a bug report says of a page: its path without anything personal, and its theme. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportedPage, saveBugReport } from './bugReports.ts';
import { PALETTES } from './colours/palettes.ts';

test.each([
  ['/', '/'],
  ['/app/play-area', '/app/play-area'],
  ['/app/play-area/', '/app/play-area'],
  ['/app/history?keyword=Anna#x', '/app/history'],
  ['/app/subscription/professional-package', '/app/subscription'],
  ['/user/join/SECRET', '/user/join'],
  ['/user/join?SECRET', '/user/join'],
  ['/user/join;SECRET', '/user/join'],
  ['/user/SECRET1', '/user'],
  ['/event/anna-berger/17', '/event'],
  ['/event/confirm/SECRET', '/event'],
  ['/anna@mail.example', '/'],
  ['//elsewhere.example/app', '/'],
  ['https://elsewhere.example/app', '/'],
  ['', '/'],
])('12.21 %s is reported as %s', (address, page) => {
  expect(reportedPage(address)).toBe(page);
});

test('12.21 for any address, the reported page has no digit, capital letter, query or third part', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('/app/', '/user/', '/user/join/', '/event/', '/', ''), (text, front) => {
      expect(reportedPage(front + text)).toMatch(/^\/(?:[a-z-]+(?:\/[a-z-]+)?)?$/);
    }),
  );
});

test('12.21 a theme is an existing palette in light or dark', () => {
  const accepted = (theme: unknown) => {
    const value = JSON.stringify({ appId: 'fieldroom', priority: 1, comment: 'x', noImg: true, theme });
    return saveBugReport.body!.safeParse({ value }).success;
  };
  expect(
    PALETTES.flatMap((palette) => [`light.${palette}`, `dark.${palette}`]).filter((theme) => !accepted(theme)),
  ).toEqual([]);
  expect([null, undefined].every(accepted)).toBe(true);
  for (const theme of ['light.xyz', 'dim.blueyale', 'light.blueyale.x', 'light', '', 7])
    expect(accepted(theme), String(theme)).toBe(false);
});
