import { PROBLEMS } from '@fieldroom/contract/problems';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../platform/i18n/languages.ts';

type Words = { [key: string]: string | Words | Words[] };
const files = import.meta.glob<Words>('./*/*.json', { eager: true, import: 'default' });
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
  eager: true,
  query: '?raw',
  import: 'default',
});
const wordsOf = (language: string, space: string) => files[`./${language}/${space}.json`];
const SPACES = [...new Set(Object.keys(files).map((file) => file.split('/')[2]?.replace('.json', '') as string))];
const PLURAL = /_(zero|one|two|few|many|other)$/;

function flat(words: Words | Words[], above = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(words)) {
    if (typeof value === 'string') found.set(above + key, value);
    else for (const [inner, text] of flat(value as Words, `${above}${key}.`)) found.set(inner, text);
  }
  return found;
}
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name).sort();
const base = (key: string) => key.replace(PLURAL, '');
const en = (space: string) => flat(wordsOf('en', space) as Words);

describe.each(LANGUAGES.map(({ code }) => code))('%s', (language) => {
  test.each(SPACES)('%s has the same keys as English', (space) => {
    const words = wordsOf(language, space);
    expect(words, `${language}/${space}.json`).toBeDefined();
    expect([...new Set([...flat(words as Words).keys()].map(base))].sort()).toEqual(
      [...new Set([...en(space).keys()].map(base))].sort(),
    );
  });
  test.each(SPACES)('%s uses the same placeholders', (space) => {
    const english = en(space);
    for (const [key, text] of flat(wordsOf(language, space) as Words)) {
      const other = english.get(key) ?? english.get(`${base(key)}_other`) ?? '';
      // A singular may say "one" in words.
      const optional = PLURAL.test(key) ? ['count'] : [];
      const want = placeholders(other).filter((name) => !optional.includes(name as string));
      expect(
        placeholders(text).filter((name) => !optional.includes(name as string)),
        `${language}/${space} ${key}`,
      ).toEqual(want);
      expect(text.trim(), `${language}/${space} ${key}`).not.toBe('');
    }
  });
  test.each(SPACES)('%s has every plural form of the language and no other', (space) => {
    const keys = [...flat(wordsOf(language, space) as Words).keys()].filter((key) => PLURAL.test(key));
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const stem of new Set(keys.map(base))) {
      expect(
        keys
          .filter((key) => base(key) === stem)
          .map((key) => PLURAL.exec(key)?.[1])
          .sort(),
        `${language}/${space} ${stem}`,
      ).toEqual([...forms].sort());
    }
  });
  test('every problem of the contract has words', () => {
    const words = flat(wordsOf(language, 'problems') as Words);
    expect(
      [...words.keys()]
        .filter((key) => key.startsWith('problem.'))
        .map((key) => key.slice(8))
        .sort(),
    ).toEqual([...Object.keys(PROBLEMS), 'offline'].sort());
  });
  test('is not English left over', () => {
    if (language === 'en') return;
    for (const space of SPACES) {
      const english = en(space);
      const same = [...flat(wordsOf(language, space) as Words)].filter(
        ([key, text]) => text.split(/\s+/).length > 3 && text === english.get(key),
      );
      expect(same, `${language}/${space}`).toEqual([]);
    }
  });
});

test('“e-mail” has one kind of hyphen', () => {
  const other = LANGUAGES.flatMap(({ code }) =>
    SPACES.flatMap((space) =>
      [...flat(wordsOf(code, space) as Words)]
        .filter(([, text]) => /e\u2011mail/i.test(text))
        .map(([key]) => `${code}/${space} ${key}`),
    ),
  );
  expect(other).toEqual([]);
});

test('Hungarian articles do not stand in brackets before numbers', () => {
  const texts = SPACES.flatMap((space) => [...flat(wordsOf('hu', space) as Words).values()]);
  expect(texts.filter((text) => /a\(z\)/i.test(text))).toEqual([]);
});

test('a line never ends after “e-”, nor between a time and its “Uhr”', () => {
  const broken = LANGUAGES.filter(({ code }) => code !== 'en').flatMap(({ code }) =>
    SPACES.flatMap((space) =>
      [...flat(wordsOf(code, space) as Words)]
        // A label of this one word has nothing before it that would fill the line.
        .filter(([, text]) => !/^e-mail$/i.test(text) && /\be-mail/i.test(text))
        .map(([key]) => `${code}/${space} ${key}`),
    ),
  );
  expect(broken).toEqual([]);
  const times = SPACES.flatMap((space) =>
    [...flat(wordsOf('de', space) as Words)].filter(([, text]) => /[}\d] Uhr/.test(text)).map(([key]) => key),
  );
  expect(times).toEqual([]);
});

test('the fixed messages stand word for word (docs/product.md#11.12)', () => {
  const words = en('problems');
  const join = en('join');
  expect(words.get('problem.invalid_credentials')).toBe('Invalid credentials');
  expect(words.get('problem.invalid_code')).toBe('Invalid code');
  expect(words.get('field.code.required')).toBe('Code required');
  expect(words.get('field.code.code_too_short')).toBe('Code is at least 5 digits long');
  expect(words.get('field.email.taken')).toBe('The given e-mail address is already in use');
  expect(words.get('problem.name_taken')).toBe(
    'This name is already registered in the system, please write to the system admin',
  );
  expect(words.get('problem.link_invalid')).toBe('The verification link is invalid or expired');
  expect(words.get('problem.room_full')).toBe('The room is full, please try again later');
  expect(join.get('bye.away.text')).toBe(
    'Due to inactivity the constellation has been stopped and the participants removed',
  );
  expect(words.get('problem.account_suspended')).toBe('Your account is suspended, to use the system please register');
  expect(words.get('problem.therapist_signed_in_here')).toBe(
    'You have an active therapist login session, use a different browser or incognito mode',
  );
  expect(join.get('blocked.text')).toBe(words.get('problem.therapist_signed_in_here'));
});

test('every key that a page names exists', () => {
  const missing: string[] = [];
  for (const [file, source] of Object.entries(sources)) {
    const names: [name: string, space: string][] = file.includes('/features/join/')
      ? [['t', 'join']]
      : file.includes('/features/bookings/')
        ? [['t', 'booking']]
        : [...source.matchAll(/const \{ t(?:: (\w+))? \} = useTranslation\('(\w+)'\)/g)].map(([, name, space]) => [
            name ?? 't',
            space as string,
          ]);
    // Components of one file may use the same name for different namespaces: the key has to exist in one of them.
    for (const [name, found] of Map.groupBy(names, ([name]) => name)) {
      const spaces = found.map(([, space]) => space);
      const known = spaces.flatMap((space) => [...en(space).keys()].map(base));
      for (const [, key] of source.matchAll(new RegExp(`(?<![\\w.])${name}\\('([\\w.-]+)'`, 'g'))) {
        if (!known.some((one) => one === key || one.startsWith(`${key}.`))) missing.push(`${file}: ${spaces}:${key}`);
      }
    }
  }
  expect(missing).toEqual([]);
});

test('Romanian few and other differ where the language wants it', () => {
  const words = flat(wordsOf('ro', 'problems') as Words);
  expect(words.get('wait.minutes_few')).toBe('Așteptați {{count}} minute.');
  expect(words.get('wait.minutes_other')).toBe('Așteptați {{count}} de minute.');
});
