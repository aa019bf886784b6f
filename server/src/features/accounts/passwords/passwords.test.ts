/** Passwords and how they are hashed, common passwords, tokens and join links. No database. */
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../platform/problem.ts';
import { isCommonPassword } from './common-passwords.ts';
import { latin, newJoinLink, newSlug } from '../join-link.ts';
import { createPasswords, NO_PASSWORD, normalizePassword } from './passwords.ts';
import { joinLink } from '@fieldroom/contract/clients';
import { slug } from '@fieldroom/contract/events';
import { token } from '@fieldroom/contract/text';
import { hashToken, newToken } from '../../../platform/tokens.ts';

describe('passwords', () => {
  test('are stored as argon2id, each with a different salt', async () => {
    const passwords = createPasswords();
    const [one, two] = await Promise.all([passwords.hash('blue kettle walks'), passwords.hash('blue kettle walks')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await passwords.verify(one, 'blue kettle walks')).toBe(true);
    expect(await passwords.verify(one, 'blue kettle walk')).toBe(false);
  });

  test('that do not exist match nothing', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify(null, 'blue kettle walks')).toBe(false);
    expect(await passwords.verify(NO_PASSWORD, NO_PASSWORD)).toBe(false);
  });

  test('are equal however the keyboard composes them', async () => {
    const passwords = createPasswords();
    const composed = await passwords.hash(normalizePassword('Sz\u00e9kelyk\u00e1poszta'));
    expect(await passwords.verify(composed, normalizePassword('Sze\u0301kelyka\u0301poszta'))).toBe(true);
  });

  test('are hashed a few at a time, and further people are asked to try again later', async () => {
    const passwords = createPasswords({ atOnce: 1, waitingMax: 2 });
    const storm = await Promise.allSettled(Array.from({ length: 6 }, () => passwords.verify(null, 'x')));
    const refused = storm.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as Problem);
    expect(refused.map(({ code }) => code)).toEqual(Array(3).fill('too_many_requests'));
    expect(refused[0]!.more.retryAfterSeconds).toBeGreaterThan(0);
    // The queue is empty again, so the next one is served.
    expect(await passwords.verify(null, 'x')).toBe(false);
  });
});

describe('common passwords', () => {
  const me = ['Zsófia', 'Nagy-Kovács', 'zsofi.nk@praxis.example'];

  test.each([
    'password123',
    'P@ssw0rd2026!',
    'Passwort2025',
    'jelszo12345',
    'parolamea1',
    '1234567890',
    '123456789a',
    '9876543210',
    'qwertyuiop',
    'qwertzuiop12',
    '1q2w3e4r5t',
    '1qaz2wsx3edc',
    'zaq12wsxcde3',
    'qweasdzxc1',
    'asdfghjkl;1',
    'abcdefghij',
    'aaaaaaaaaa',
    '1111122222',
    'abcabcabcabc',
    'monkeymonkey',
    'iloveyou123',
    'iloveyouforever',
    'szeretlek123',
    'teiubesc2024',
    'Sommer2026!',
    'Liverpool1892',
    'letmein123!',
    'trustno1trustno1',
    'superman1234',
    '12.04.1985',
    '0036301234567',
    'therapie2026',
    'constellation',
    'Fieldroom2026',
  ])('refuses %s', (password) => {
    expect(isCommonPassword(password, me)).toBe(true);
  });

  test.each(['zsofianagykovacs', 'Kovács-Zsófia-1985', 'zsofi.nk@praxis.example', 'praxis-zsofi-1'])(
    'refuses %s, which is about the person',
    (password) => {
      expect(isCommonPassword(password, me)).toBe(true);
      expect(isCommonPassword('tulbure-manastire', me)).toBe(false);
    },
  );

  test.each([
    'correct horse battery staple',
    'blue-Kettle walks 7 miles',
    'vK9$ju2pLq!x',
    'x7Gf-22kd-0aZq',
    'der Hund frisst gern Kirschkuchen',
    'Tannenzapfenweitwurf',
    'oszi koro tanc a padlason',
    'tulbure-manastire',
    'öt kövér tücsök ugrik',
    '我喜欢在山里慢慢走',
  ])('lets %s pass', (password) => {
    expect(isCommonPassword(password, me)).toBe(false);
  });
});

describe('tokens', () => {
  test('have 256 bits and differ from their stored form', () => {
    const made = newToken();
    expect(token.safeParse(made.token).success).toBe(true);
    expect(Buffer.from(made.token, 'base64url')).toHaveLength(32);
    expect(made.hash).toEqual(hashToken(made.token));
    expect(made.hash).toHaveLength(32);
    expect(newToken().token).not.toBe(made.token);
  });
});

describe('join links', () => {
  test.each([
    ['Zsófia Éva', 'zsofia-eva'],
    ['Jürgen-Weiß', 'jurgen-weiss'],
    ['Ștefan', 'stefan'],
    ['  ..  ', ''],
    ['Ольга', ''],
    ['a'.repeat(60), 'a'.repeat(40)],
  ])('write %s as "%s"', (name, expected) => {
    expect(latin(name)).toBe(expected);
  });

  test.each(['Anna', 'Ольга', 'x'.repeat(60)])('end with eight characters that nobody guesses: %s', (name) => {
    const links = Array.from({ length: 50 }, () => newSlug(name));
    for (const link of links) {
      expect(slug.safeParse(link).success).toBe(true);
      expect(link).toMatch(/-[a-hjkmnp-z2-9]{8}$/);
    }
    expect(new Set(links).size).toBe(50);
  });

  test('to the room are sixteen random characters that reveal nothing about their owner', () => {
    const links = Array.from({ length: 50 }, newJoinLink);
    for (const link of links) {
      expect(joinLink.safeParse(link).success).toBe(true);
      expect(link).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
    }
    expect(new Set(links).size).toBe(50);
  });
});
