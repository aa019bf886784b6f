/** Texts in which no mail program finds a link, and mailboxes that are the same. */
import { expect, test } from 'vitest';
import { mailboxOf } from './mailbox.ts';
import { unlinked } from './unlinked.ts';

test.each([
  ['Win 1000 EUR at http://evil.example now', 'Win 1000 EUR at http:// evil. example now'],
  ['www.evil.example/pay?a=1', 'www. evil. example/ pay?a=1'],
  ['evil.example', 'evil. example'],
  ['(evil.example)', '(evil. example)'],
  ['me@evil.example', 'me@ evil. example'],
  ['mailto:me@evil', 'mailto: me@ evil'],
  ['https:\\\\evil', 'https:\\\\ evil'],
  ['//evil/x', '// evil/ x'],
  ['evil。example', 'evil。 example'],
  ['1.evil', '1. evil'],
  ['müller.de', 'müller. de'],
])('%j becomes %j', (text, plain) => {
  expect(unlinked(text)).toBe(plain);
});

test.each([
  'Constellation, evening 18:30–20:00',
  '22.11.2026',
  '18.30',
  'Dr. Kiss',
  'and/or',
  'Room 3: left',
  'Line one\n\n  line two…',
  'Ends here.',
  '',
  '...',
  'https:',
])('%j stays', (text) => expect(unlinked(text)).toBe(text));

test.each([
  ['Anna.B+news@Gmail.com', 'annab@gmail.com'],
  ['a.n.n.a@googlemail.com', 'anna@gmail.com'],
  ['anna@x.example', 'anna@x.example'],
  ['+tag@x.example', '+tag@x.example'],
  ['...@x.example', '...@x.example'],
])('the mailbox of %s is %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
